// Zeros and copies: all bytes and no others, of any size, on one thread and on several.
#include <broadloom/core/copy_elements.hpp>
#include <broadloom/eval/threads.hpp>
#include <broadloom/eval/tuning.hpp>
#include <broadloom/tensor/tensor.hpp>

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cstddef>
#include <vector>

namespace bl = broadloom;
namespace rt = broadloom::runtime;

namespace {

constexpr std::size_t around = 64;

// Streaming stores and several threads for all that is large, or neither.
struct sizes {
  bl::tuning before = bl::current_tuning();
  explicit sizes(bool small) {
    bl::tuning t = before;
    if (small) t.serial_ns = t.streamed_bytes = 1;
    bl::set_tuning(t);
  }
  ~sizes() {
    bl::set_tuning(before);
    bl::set_max_threads(0);
  }
};

unsigned char number(std::size_t i) { return static_cast<unsigned char>(i * 37 + i / 251 + 1); }

std::vector<std::size_t> all_sizes() {
  std::vector<std::size_t> r{0, 1, 63, 64, 4096};
  for (const std::size_t n : {rt::least_shared_bytes, 3 * rt::least_shared_bytes})
    for (const std::size_t more : {std::size_t(0), std::size_t(1), std::size_t(67)})
      r.insert(r.end(), {n - 1, n + more});
  return r;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(copy_elements)

BOOST_AUTO_TEST_CASE(all_bytes_and_no_others_are_written) {
  for (const bool small : {false, true})
    for (const int threads : {1, 2, 3})
      for (const std::size_t n : all_sizes())
        for (const std::size_t offset : {0, 4, 24}) {
          const sizes tuned(small);
          bl::set_max_threads(threads);
          BOOST_TEST_CONTEXT(n << " bytes at " << offset << ", threads: " << threads << ", small: " << small) {
            std::vector<unsigned char> from(n + around), to(n + around, 0xa5);
            for (std::size_t i = 0; i < from.size(); ++i) from[i] = number(i);
            unsigned char* const at = to.data() + offset;
            const auto untouched = [&] {
              return std::all_of(to.data(), at, [](unsigned char x) { return x == 0xa5; }) &&
                     std::all_of(at + n, to.data() + to.size(), [](unsigned char x) { return x == 0xa5; });
            };
            rt::copy_elements(at, from.data() + 1, n);
            BOOST_TEST(std::equal(at, at + n, from.data() + 1));
            BOOST_TEST(untouched());
            rt::zero_elements(at, n);
            BOOST_TEST(std::all_of(at, at + n, [](unsigned char x) { return x == 0; }));
            BOOST_TEST(untouched());
          }
        }
}

BOOST_AUTO_TEST_CASE(tensors_begin_as_zeros_and_copy_their_elements) {
  const sizes tuned(true);
  bl::set_max_threads(2);
  const bl::index n = static_cast<bl::index>(rt::least_shared_bytes) + 5;
  bl::dtensor<float, 1> x(n);
  bool zeros = true;
  for (bl::index i = 0; i < n; ++i) zeros = zeros && x(i) == 0;
  BOOST_TEST(zeros);
  for (bl::index i = 0; i < n; ++i) x.data()[i] = static_cast<float>(i % 1000);
  const bl::dtensor<float, 1> copy = x;
  bl::dtensor<float, 1> assigned(n);
  assigned = x;
  BOOST_TEST(std::equal(x.data(), x.data() + n, copy.data()));
  BOOST_TEST(std::equal(x.data(), x.data() + n, assigned.data()));
}

BOOST_AUTO_TEST_SUITE_END()
