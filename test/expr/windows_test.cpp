// Sliding windows against a loop, of arrays and of expressions.
#include <broadloom/broadloom.hpp>

#include <boost/test/unit_test.hpp>
#include <string>

#include "thrown.hpp"

namespace bl = broadloom;
using namespace bl::literals;

namespace {

using fixed = bl::tensor<float, bl::shape<4, 10>>;
static_assert(
    std::is_same_v<decltype(bl::windows(std::declval<fixed&>(), 1_c, 3_c, 2_c))::shape_type, bl::shape<4, 4, 3>>);
static_assert(std::is_same_v<decltype(bl::windows(std::declval<fixed&>(), 0_c, 4_c))::shape_type, bl::shape<1, 10, 4>>);
static_assert(std::is_same_v<decltype(bl::windows(std::declval<bl::dtensor<float, 1>&>(), 0_c, 3_c))::shape_type,
                             bl::shape<bl::dyn, 3>>);

// Windows share elements, so they are not written through.
static_assert(!bl::detail::writable<decltype(bl::windows(std::declval<bl::dtensor<float, 2>&>(), 0, 2))>);

}  // namespace

BOOST_AUTO_TEST_SUITE(expr_windows)

BOOST_AUTO_TEST_CASE(each_window_is_a_part_of_the_axis) {
  bl::dtensor<int, 2> x(5, 9);
  for (int i = 0; i < 45; ++i) x.data()[i] = i * i % 97;
  const auto y = bl::eval(x.T());
  for (const bl::index size : {0, 1, 2, 5})
    for (const bl::index step : {1, 2, 3, 7}) {
      const bl::index rows = (5 - size) / step + 1, columns = (9 - size) / step + 1;
      const auto check = [&](const auto& down, const auto& across) {
        BOOST_TEST((down.shape() == bl::make_shape(rows, bl::index{9}, size)));
        BOOST_TEST((across.shape() == bl::make_shape(bl::index{5}, columns, size)));
        const bl::dtensor<int, 3> d = down, a = across;
        for (bl::index k = 0; k < size; ++k) {
          for (bl::index i = 0; i < rows; ++i)
            for (bl::index j = 0; j < 9; ++j) BOOST_TEST(d(i, j, k) == x(i * step + k, j));
          for (bl::index i = 0; i < 5; ++i)
            for (bl::index j = 0; j < columns; ++j) BOOST_TEST(a(i, j, k) == x(i, j * step + k));
        }
      };
      check(bl::windows(x, 0, size, step), bl::windows(x, -1, size, step));
      check(bl::windows(y.T(), 0, size, step), bl::windows(x * 1 + 0, 1, size, step));
      check(bl::windows(bl::let(x * 1), 0, size, step),
            bl::windows(bl::cumsum(x, 0) - bl::cumsum(x, 0) + x, 1, size, step));
    }
}

BOOST_AUTO_TEST_CASE(a_window_larger_than_the_axis_by_one_is_refused) {
  const auto x = bl::zeros<float>(4, 3);
  BOOST_TEST((bl::windows(x, 0, 4).shape() == bl::shape<1, 3, 4>{}));
  BOOST_CHECK_THROW(bl::windows(x, 0, 5), bl::shape_error);
  BOOST_CHECK_THROW(bl::windows(x, 0, 5, 2), bl::shape_error);
}

BOOST_AUTO_TEST_CASE(a_moving_average_is_the_mean_of_windows) {
  const auto x = bl::eval(bl::sqrt(bl::arange<double>(100.0)));
  const bl::dtensor<double, 1> r = bl::mean(bl::windows(x, 0, 7), 1);
  BOOST_TEST(r.size() == 94);
  for (int i = 0; i < 94; ++i) {
    double s = 0;
    for (int k = 0; k < 7; ++k) s += x(i + k);
    BOOST_TEST(r(i) == s / 7, boost::test_tools::tolerance(1e-15));
  }
}

BOOST_AUTO_TEST_CASE(mistakes_are_named) {
  const bl::dtensor<float, 2> x(4, 6);
  BOOST_TEST(thrown([&] { bl::windows(x, 0, 7); }) ==
             "maximum size for tensor at dimension 0 is 4 but size is 7\n  in windows");
  BOOST_TEST(thrown([&] { bl::windows(x, 0, 2, 0); }) == "step is 0 but must be > 0\n  in windows");
  BOOST_TEST(thrown([&] { bl::windows(x, 1, -1); }) == "size is -1 but must be >= 0\n  in windows");
  BOOST_TEST(thrown([&] {
               bl::windows(x, 2, 1);
             }).find("Dimension out of range (expected to be in range of [-2, 1], but got 2)\n  in windows") == 0u);
  BOOST_CHECK_THROW(bl::windows(x, 0, 7), bl::shape_error);
}

// Overlapping windows are reduced where they lie, as columns if they are short: what rows of a copy give, bit for bit.
template <class T>
void reduced_windows() {
  for (bl::index n : {20, 100, 1000, 5000})
    for (bl::index size : {1, 2, 3, 5, 8, 15, 16, 17, 20}) {
      bl::dtensor<T, 1> x(n);
      for (bl::index i = 0; i < n; ++i) x(i) = static_cast<T>(static_cast<double>(i * 7919 % 1000) * 0.37 - 100);
      const auto overlapping = bl::windows(x, 0, size);
      const auto copied = bl::eval(overlapping);
      const auto same = [](const auto& a, const auto& b) { return bl::array_equal(a, b); };
      BOOST_TEST(same(bl::sum(overlapping, bl::axes<1>), bl::sum(copied, bl::axes<1>)), n << " " << size);
      BOOST_TEST(same(bl::amax(overlapping, bl::axes<1>), bl::amax(copied, bl::axes<1>)), n << " " << size);
      BOOST_TEST(same(bl::argmax(overlapping, 1), bl::argmax(copied, 1)), n << " " << size);
      BOOST_TEST(same(bl::eval(bl::sum(overlapping, bl::axes<1>), bl::par.threads(2)), bl::sum(copied, bl::axes<1>)));
      if (n % 4 != 0 || n / 4 < size) continue;
      const auto of_rows = bl::windows(bl::reshape(x, 4, n / 4), 1, size);
      const auto copied_rows = bl::eval(of_rows);
      BOOST_TEST(same(bl::sum(of_rows, bl::axes<2>), bl::sum(copied_rows, bl::axes<2>)), n << " " << size);
      BOOST_TEST(same(bl::prod(of_rows, bl::axes<2>), bl::prod(copied_rows, bl::axes<2>)), n << " " << size);
    }
}
BOOST_AUTO_TEST_CASE(sums_of_windows_are_those_of_copies) {
  reduced_windows<float>();
  reduced_windows<double>();
  reduced_windows<std::int32_t>();
}

BOOST_AUTO_TEST_SUITE_END()
