// The limit of the threads of a process, for calls with and without a policy.
#include <broadloom/broadloom.hpp>
#include <broadloom/eval/progress.hpp>
#include <broadloom/eval/scheduler.hpp>
#include <broadloom/eval/stop.hpp>
#include <broadloom/eval/threads.hpp>

#include <unistd.h>

#include <atomic>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>

namespace bl = broadloom;

namespace {

struct no_limit {
  ~no_limit() { bl::set_max_threads(0); }
};

// The most bodies that ran at one time; 1000 where blocks were left out. Boost.Test's log is for one thread at a time,
// so nothing is tested here.
int threads_at_once(int policy_threads, int blocks) {
  struct state {
    std::atomic<int> inside{0}, most{0}, left;
  } s;
  s.left = blocks;
  bl::runtime::parallel_for(
      blocks, policy_threads,
      [](void* context, bl::index first, bl::index last) {
        auto& x = *static_cast<state*>(context);
        const int here = ++x.inside;
        int most = x.most.load();
        while (most < here && !x.most.compare_exchange_weak(most, here)) {
        }
        x.left -= static_cast<int>(last - first);
        --x.inside;
      },
      &s);
  return s.left.load() == 0 ? s.most.load() : 1000;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(eval_threads)

BOOST_AUTO_TEST_CASE(a_limit_of_one_keeps_everything_on_the_calling_thread) {
  const no_limit after;
  const int before = bl::max_threads();
  BOOST_TEST(before >= 1);
  for (const auto by : {bl::scheduler::tbb, bl::scheduler::threads}) {
    bl::set_scheduler(by);
    bl::set_max_threads(1);
    BOOST_TEST(bl::max_threads() == 1);
    for (const int wanted : {0, 1, 2, 8}) BOOST_TEST(threads_at_once(wanted, 64) == 1);
    bl::dtensor<float, 1> x = bl::arange<float>(400000);
    const auto caller = std::this_thread::get_id();
    std::atomic<int> elsewhere{0};
    x = bl::pointwise(
        [&](float v) {
          elsewhere += std::this_thread::get_id() != caller;
          return v + 1;
        },
        x);
    BOOST_TEST(elsewhere.load() == 0);
    BOOST_TEST(x(399999) == 400000.0f);
    bl::set_max_threads(0);
    BOOST_TEST(bl::max_threads() >= before);
    for (const int wanted : {0, 2}) {
      const int most = threads_at_once(wanted, 64);
      BOOST_TEST((most >= 1 && most < 1000), most);
    }
  }
  bl::set_scheduler(bl::scheduler::tbb);
}

BOOST_AUTO_TEST_CASE(a_limit_is_a_number_of_threads) {
  const no_limit after;
  BOOST_CHECK_THROW(bl::set_max_threads(-1), std::invalid_argument);
  bl::set_max_threads(2);
  BOOST_TEST(bl::max_threads() <= 2);
}

BOOST_AUTO_TEST_CASE(a_scope_limits_what_its_thread_evaluates) {
  const int before = bl::max_threads();
  for (const auto by : {bl::scheduler::tbb, bl::scheduler::threads}) {
    bl::set_scheduler(by);
    bl::dtensor<float, 1> x = bl::arange<float>(400000);
    const auto caller = std::this_thread::get_id();
    const float sum = bl::with(bl::seq, [&] {
      BOOST_TEST(bl::max_threads() == 1);
      for (const int wanted : {0, 1, 2, 8}) BOOST_TEST(threads_at_once(wanted, 64) == 1);
      std::atomic<int> elsewhere{0};
      x += bl::pointwise(
          [&](float v) {
            elsewhere += std::this_thread::get_id() != caller;
            return v - v + 1;
          },
          x);
      BOOST_TEST(elsewhere.load() == 0);
      // A scope inside has no more than the one around it; another thread has its own.
      bl::with(bl::par.threads(8), [&] { BOOST_TEST(bl::max_threads() == 1); });
      std::thread([&] { BOOST_TEST(bl::max_threads() == before); }).join();
      return x(2);
    });
    BOOST_TEST(sum == 3);
    BOOST_TEST(bl::max_threads() == before);
    // Loops within a loop, which other threads begin.
    bl::with(bl::par.threads(2), [&] {
      std::atomic<int> most{0};
      bl::runtime::parallel_for(
          16, 0,
          [](void* context, bl::index, bl::index) {
            const int here = threads_at_once(0, 64);
            auto& seen = *static_cast<std::atomic<int>*>(context);
            for (int old = seen; old < here && !seen.compare_exchange_weak(old, here);) {
            }
          },
          &most);
      BOOST_TEST(most.load() <= 2);
      BOOST_TEST(most.load() >= 1);
    });
  }
  bl::set_scheduler(bl::scheduler::tbb);
}

BOOST_AUTO_TEST_CASE(a_scope_stops_reports_and_gives_what_its_function_gives) {
  bl::dtensor<float, 1> x(400000);
  std::stop_source stop;
  stop.request_stop();
  BOOST_CHECK_THROW(bl::with(bl::par | bl::stop_when(stop.get_token()), [&] { x += 1; }), bl::stopped);
  BOOST_TEST(bl::max_threads() >= 1);
  int told = 0;
  bl::with(bl::par | bl::on_progress([&](const bl::progress&) { ++told; }), [&] { x += 1; });
  BOOST_TEST(told > 0);
  BOOST_TEST(*bl::with(bl::seq, [] { return std::make_unique<int>(7); }) == 7);
  int n = 0;
  int& same = bl::with(bl::seq, [&]() -> int& { return n; });
  BOOST_TEST(&same == &n);
  BOOST_CHECK_THROW(bl::with(bl::seq, []() -> int { throw std::runtime_error("here"); }), std::runtime_error);
  BOOST_TEST(bl::max_threads() >= 1);
}

// The variable is read once, so that another process of this program has it.
BOOST_AUTO_TEST_CASE(the_environment_limits_a_process) {
  if (std::getenv("INSIDE_LIMIT") != nullptr) {
    BOOST_TEST(bl::max_threads() == 1);
    BOOST_TEST(threads_at_once(8, 64) == 1);
    return;
  }
  char self[4096];
  const ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
  BOOST_REQUIRE(n > 0);
  self[n] = '\0';
  const std::string command = "INSIDE_LIMIT=1 BROADLOOM_THREADS=1 '" + std::string(self) +
                              "' --run_test=" + boost::unit_test::framework::current_test_case().full_name() +
                              " --report_level=no >/dev/null";
  BOOST_TEST(std::system(command.c_str()) == 0);
}

// Nothing but its first elements tells that it takes long.
BOOST_AUTO_TEST_CASE(a_slow_callable_of_few_elements_is_shared_out) {
  const no_limit after;
  bl::set_max_threads(2);
  if (bl::max_threads() < 2) return;
  bl::dtensor<int, 1> x(16384);
  for (bl::index i = 0; i < x.size(); ++i) x(i) = static_cast<int>(i);
  const auto caller = std::this_thread::get_id();
  std::atomic<bool> helped{false};
  const auto latest = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  const auto slow = [&](int i) {
    if (std::this_thread::get_id() != caller) helped = true;
    if (i == 0) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    if (i == 8000)  // a thread that is woken late finds work
      while (!helped && std::chrono::steady_clock::now() < latest) std::this_thread::yield();
    return 2 * i;
  };
  const auto y = bl::eval(bl::pointwise(slow, x));
  BOOST_TEST(helped.load());
  BOOST_TEST(bl::all(y == 2 * x).item());
}

BOOST_AUTO_TEST_SUITE_END()
