// Sizes by which work is cut and shared out: printed, set, given by the environment; no result depends on them.
#include <broadloom/broadloom.hpp>
#include <broadloom/eval/scheduler.hpp>
#include <broadloom/eval/tuning.hpp>

#include <boost/test/unit_test.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace bl = broadloom;

namespace {

// Whether a process reads sizes from the file that the environment names. Before anything asks for a size.
const bool read_from_file = [] {
  char name[] = "/tmp/broadloom_tuning_XXXXXX";
  const int file = mkstemp(name);
  constexpr char text[] = "# as ./dev tune writes it\nblock_bytes=65537,tile_bytes=384\nmerged_elements=2049\n";
  const bool written = write(file, text, sizeof text - 1) == static_cast<ssize_t>(sizeof text - 1);
  close(file);
  const pid_t child = fork();
  if (child == 0) {
    setenv("BROADLOOM_TUNING", name, 1);
    const bl::tuning t = bl::current_tuning();
    _exit(t.block_bytes == 65537 && t.tile_bytes == 384 && t.merged_elements == 2049 ? 0 : 1);
  }
  int status = 1;
  waitpid(child, &status, 0);
  unlink(name);
  return written && status == 0;
}();
const bool wished = [] {
  return setenv("BROADLOOM_TUNING", "block_bytes=98304,rows=7,row_bytes=-4,streamed_bytes=1x,serial_bytes=262144", 1) ==
         0;
}();

struct restored {
  bl::tuning before = bl::current_tuning();
  bl::isa level = bl::set_isa(bl::isa::v4);
  ~restored() {
    bl::set_tuning(before);
    bl::set_isa(level);
  }
};

bl::dtensor<float, 2> numbers(bl::index rows, bl::index columns) {
  bl::dtensor<float, 2> x = bl::zeros<float>(rows, columns);
  unsigned seed = 5;
  for (float& v : x) {
    seed = seed * 1664525u + 1013904223u;
    v = static_cast<float>(static_cast<int>(seed >> 8) - (1 << 23)) * 0x1p-20f;
  }
  return x;
}

using bytes = std::vector<unsigned char>;
template <class X>
void keep(bytes& to, const X& x) {
  const auto* const from = reinterpret_cast<const unsigned char*>(x.data());
  to.insert(to.end(), from, from + static_cast<std::size_t>(x.size()) * sizeof(*x.data()));
}

// The bits of what is cut into blocks, rows and tasks in every way there is.
bytes results(const bl::dtensor<float, 2>& x) {
  bytes all;
  const bl::dtensor<float, 2> mean = bl::mean(x, bl::axes<1>, bl::keepdim);
  keep(all, bl::eval(x * 2.0f + mean - bl::exp(-bl::abs(x))));
  keep(all, bl::eval(bl::exp(x - bl::amax(x, bl::axes<1>, bl::keepdim)) /
                     bl::sum(bl::exp(x - bl::amax(x, bl::axes<1>, bl::keepdim)), bl::axes<1>, bl::keepdim)));
  keep(all,
       bl::eval((x - bl::mean(x, bl::axes<1>, bl::keepdim)) / bl::sqrt(bl::var(x, bl::axes<1>, bl::keepdim) + 1.0f)));
  keep(all, bl::eval(x + bl::transpose(bl::eval(bl::transpose(x)))));
  keep(all, bl::eval(bl::sum(x, bl::axes<0>)));
  keep(all, bl::eval(bl::sum(x * x, bl::axes<1>)));
  keep(all, bl::eval(bl::sum(x * 3.0f)));
  keep(all, bl::eval(bl::cumsum(x, 1)));
  bl::dtensor<float, 2> a = x, b = mean + x;
  bl::assign_all(bl::to(a, a + b), bl::to(b, a * b));
  keep(all, a);
  keep(all, b);
  return all;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(eval_tuning)

BOOST_AUTO_TEST_CASE(the_environment_gives_sizes) {
  BOOST_TEST(read_from_file);
  BOOST_TEST(wished);
  const bl::tuning t = bl::current_tuning();
  BOOST_TEST(t.block_bytes == 98304);
  BOOST_TEST(t.serial_bytes == 262144);
  BOOST_TEST(t.row_bytes > 0);  // what is no size is passed over
  BOOST_TEST(t.streamed_bytes > 1);
}

BOOST_AUTO_TEST_CASE(sizes_follow_from_the_machine) {
  const bl::tuning t = bl::current_tuning();
  BOOST_TEST(t.serial_ns >= 10000);
  BOOST_TEST(t.serial_ns <= 80000);
  BOOST_TEST(t.wake_ns >= 0);
  BOOST_TEST(t.wake_ns < 200000);
  if (t.first_cache > 0 && t.first_cache < 128 * 1024) BOOST_TEST(t.row_bytes == t.first_cache + t.first_cache / 8);
  if (t.second_cache > 0) BOOST_TEST(t.streamed_bytes <= (t.second_cache < 1 << 20 ? 32 : 48) << 20);
  BOOST_TEST(t.streamed_bytes >= 32 << 20);
  BOOST_TEST(bl::current_tuning().serial_ns == t.serial_ns);  // measured once
}

BOOST_AUTO_TEST_CASE(they_are_printed_and_set) {
  const restored afterwards;
  bl::tuning t = bl::current_tuning();
  const bl::index wake_ns = t.wake_ns;
  t.serial_ns = 12345;
  t.wake_ns = 1;  // of the machine: not changed
  bl::set_tuning(t);
  BOOST_TEST(bl::current_tuning().serial_ns == 12345);
  BOOST_TEST(bl::current_tuning().wake_ns == wake_ns);
  std::ostringstream text;
  text << bl::current_tuning();
  BOOST_TEST(text.str().find("serial_ns 12345\n") != std::string::npos);
  BOOST_TEST(text.str().find("block_bytes " + std::to_string(t.block_bytes) + "\n") != std::string::npos);
  t.serial_ns = 1;
  t.row_bytes = 0;
  BOOST_CHECK_EXCEPTION(bl::set_tuning(t), std::invalid_argument, [](const std::invalid_argument& e) {
    return std::string(e.what()) == "set_tuning: row_bytes is 0; it must be at least 1";
  });
  BOOST_TEST(bl::current_tuning().serial_ns == 12345);
}

BOOST_AUTO_TEST_CASE(work_below_the_limit_stays_on_one_thread) {
  const restored afterwards;
  const auto x = numbers(300, 300);
  bl::tuning t = bl::current_tuning();
  t.serial_ns = 1;
  bl::set_tuning(t);
  const auto shared = bl::explain(x + x).threads;
  t.serial_ns = bl::index{1} << 40;
  bl::set_tuning(t);
  BOOST_TEST(bl::explain(x + x).threads == 1);
  if (bl::runtime::max_threads() > 1) BOOST_TEST(shared > 1);
}

BOOST_AUTO_TEST_CASE(results_have_the_same_bits) {
  const restored afterwards;
  const auto x = numbers(257, 700);
  for (const bl::isa level : bl::runtime::every_isa) {
    bl::set_isa(level);
    bl::set_tuning(afterwards.before);
    const bytes usual = results(x);
    for (const bl::index size : {bl::index{1}, bl::index{3000}, bl::index{100000}, bl::index{1} << 40})
      for (const bool serial : {false, true}) {
        bl::tuning t = afterwards.before;
        t.row_bytes = t.block_bytes = t.streamed_bytes = size;
        t.tile_bytes = t.packed_elements = t.merged_elements = size;
        t.serial_ns = t.serial_bytes = serial ? bl::index{1} << 40 : 1;
        bl::set_tuning(t);
        BOOST_CHECK_MESSAGE(results(x) == usual, "sizes of " << size << " at " << bl::to_string(level));
      }
  }
}

BOOST_AUTO_TEST_SUITE_END()
