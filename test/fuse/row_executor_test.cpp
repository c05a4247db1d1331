// Expressions that are computed row by row give each row the bits it has alone: for rows of any length and alignment,
// whatever operands the rows share.
#include <broadloom/broadloom.hpp>
#include <cstring>

#include <boost/test/unit_test.hpp>

#include "streaming.hpp"

namespace bl = broadloom;
using namespace bl::literals;

namespace {

template <class T>
T element(bl::index i, bl::index j) {
  return static_cast<T>((i * 37 + j * 101) % 1009 - 500) / T{60};
}

template <class T, class F>
void same_as_alone(bl::index rows, bl::index n, const F& f) {
  bl::dtensor<T, 2> x = bl::zeros<T>(rows, n), all = bl::zeros<T>(rows, n);
  bl::dtensor<T, 1> g = bl::zeros<T>(n);
  for (bl::index j = 0; j < n; ++j) {
    g(j) = element<T>(j, 3) + T{9};
    for (bl::index i = 0; i < rows; ++i) x(i, j) = element<T>(i, j);
  }
  bl::dtensor<T, 2> one = bl::zeros<T>(1, n), of_one = bl::zeros<T>(1, n);
  for (const int threads : {1, 3}) {
    bl::assign(all, f(x, g), bl::par.threads(threads));
    for (bl::index i = 0; i < rows; ++i) {
      std::memcpy(one.data(), x.data() + i * n, static_cast<std::size_t>(n) * sizeof(T));
      bl::assign(of_one, f(one, g), bl::par.threads(1));
      if (std::memcmp(of_one.data(), all.data() + i * n, static_cast<std::size_t>(n) * sizeof(T)) != 0)
        BOOST_ERROR("row " << i << " of " << rows << " x " << n << " with " << threads << " threads");
    }
  }
}

template <class F>
void of_all_sizes(const F& f) {
  for (const bl::index n : {128, 131, 512, 1000, 1037, 2048, 5003, 17001}) {
    const bl::index rows = n < 2000 ? 37 : 9;
    same_as_alone<float>(rows, n, f);
    same_as_alone<double>(rows, n, f);
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(fuse_row_executor)

BOOST_AUTO_TEST_CASE(softmax_of_rows) {
  const auto softmax = [](const auto& x, const auto&) { return bl::softmax(x, 1_c); };
  const auto log_softmax = [](const auto& x, const auto&) { return bl::log_softmax(x, 1_c); };
  of_all_sizes(softmax);
  of_all_sizes(log_softmax);
  const streaming set;  // then rows are pipelined
  of_all_sizes(softmax);
  of_all_sizes(log_softmax);
}

BOOST_AUTO_TEST_CASE(layer_norm_of_rows) {
  of_all_sizes([](const auto& x, const auto& g) {
    const auto mean = bl::mean(x, 1_c, bl::keepdim);
    const auto var = bl::var(x, 1_c, bl::keepdim, bl::correction{0});
    return (x - mean) / bl::sqrt(var + 1e-5) * g + g;
  });
}

BOOST_AUTO_TEST_CASE(what_rows_share_and_what_is_evaluated_before_it_is_reduced) {
  of_all_sizes([](const auto& x, const auto& g) { return x * bl::exp(g) - bl::amin(x, 1_c, bl::keepdim); });
  of_all_sizes(
      [](const auto& x, const auto& g) { return x / bl::sum(bl::exp(x) + bl::tanh(x * g), 1_c, bl::keepdim); });
  of_all_sizes([](const auto& x, const auto&) { return bl::pow(bl::abs(x), bl::mean(x, 1_c, bl::keepdim)); });
  of_all_sizes([](const auto& x, const auto&) { return x + bl::prod(bl::cos(x), 1_c, bl::keepdim); });
  of_all_sizes([](const auto& x, const auto&) {
    return bl::where(bl::any(x > 8, 1_c, bl::keepdim), x, bl::exp(bl::amax(x, 1_c, bl::keepdim)) * x);
  });
}

BOOST_AUTO_TEST_CASE(several_rows_for_each_index_of_the_leading_axis) {
  constexpr bl::index most = 5, side = 3, n = 700;
  bl::dtensor<float, 3> x = bl::zeros<float>(most, side, n);
  bl::dtensor<float, 2> flat = bl::zeros<float>(most * side, n);
  for (bl::index i = 0; i < most * side; ++i)
    for (bl::index j = 0; j < n; ++j) flat(i, j) = x(i / side, i % side, j) = element<float>(i, j);
  const bl::dtensor<float, 3> of_three = bl::softmax(x, 2_c);
  const bl::dtensor<float, 2> of_two = bl::softmax(flat, 1_c);
  BOOST_TEST(std::memcmp(of_three.data(), of_two.data(), sizeof(float) * most * side * n) == 0);
}

// Too short to be read in place, and not one behind the other, so that several are not one either.
BOOST_AUTO_TEST_CASE(short_rows_that_lie_apart) {
  constexpr bl::index most = 40, side = 8, n = 100;
  bl::dtensor<float, 3> wide = bl::zeros<float>(most, side, n + 3);
  for (bl::index i = 0; i < most * side; ++i)
    for (bl::index j = 0; j < n + 3; ++j) wide(i / side, i % side, j) = element<float>(i, j);
  const auto part = bl::slice(wide, bl::all, bl::all, bl::range(2, n + 2));
  const bl::dtensor<float, 3> x = bl::exp(part);
  const auto once = bl::let(bl::exp(part));
  const bl::dtensor<float, 3> expected = x * x + x, all = once * once + once;
  BOOST_TEST(std::memcmp(all.data(), expected.data(), sizeof(float) * most * side * n) == 0);
}

BOOST_AUTO_TEST_CASE(the_output_may_be_the_input) {
  bl::dtensor<float, 2> x = bl::zeros<float>(50, 900);
  for (bl::index i = 0; i < 50; ++i)
    for (bl::index j = 0; j < 900; ++j) x(i, j) = element<float>(i, j);
  bl::dtensor<float, 2> y = x;
  const bl::dtensor<float, 2> expected = bl::softmax(x, 1_c);
  x = bl::softmax(x, 1_c);
  BOOST_TEST(std::memcmp(x.data(), expected.data(), sizeof(float) * 50 * 900) == 0);
  const streaming set;
  y = bl::softmax(y, 1_c);
  BOOST_TEST(std::memcmp(y.data(), expected.data(), sizeof(float) * 50 * 900) == 0);
}

BOOST_AUTO_TEST_CASE(the_largest_is_the_last_of_equal_zeros_or_the_first_nan) {
  bl::dtensor<float, 2> x = bl::full(bl::dshape<2>(40, 1024), -1.0f);
  for (bl::index i = 0; i < 40; ++i) {
    x(i, i * 16) = 0.0f;
    x(i, i * 16 + 320) = -0.0f;
  }
  x(7, 500) = __builtin_nanf("");
  const bl::dtensor<float, 2> d = x - bl::amax(x, 1_c, bl::keepdim);
  const bl::dtensor<float, 1> largest = bl::amax(x, bl::axes<1>);
  for (bl::index i = 0; i < 40; ++i) {
    BOOST_TEST((largest(i) != largest(i)) == (i == 7));
    BOOST_TEST((d(i, 3) != d(i, 3)) == (i == 7));
    BOOST_TEST((i == 7 || __builtin_signbit(largest(i)) != 0));
  }
}

BOOST_AUTO_TEST_SUITE_END()
