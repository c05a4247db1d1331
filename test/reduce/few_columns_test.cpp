// Columns of few elements are combined in the promised order, whether their elements lie in memory, are computed by the
// kernel that adds them, or first; and so where all rows read one row. Products and squares of floats are added up by
// the library's own loops, functions evaluated first.
// Build: optimised
#include <broadloom/broadloom.hpp>

#include <cstring>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <boost/test/unit_test.hpp>

namespace bl = broadloom;

namespace {

std::uint32_t seed = 7;
template <class T>
T next() {
  seed = seed * 1664525u + 1013904223u;
  const int x = static_cast<int>(seed >> 12) - (1 << 19);
  return std::is_floating_point_v<T> ? static_cast<T>(x) / T{4096} : static_cast<T>(x % 1000);
}

template <class Op, class T, class Result, class Get>
void compare(const Result& result, bl::index rows, const std::string& what, const Get& get) {
  for (bl::index c = 0; c < result.size(); ++c) {
    const auto expected = bl::detail::combine<Op, T>(rows, [&](bl::index i) { return static_cast<T>(get(i, c)); });
    const auto found = result(c);
    BOOST_REQUIRE_MESSAGE(std::memcmp(&found, &expected, sizeof found) == 0, what << ", column " << c);
  }
}

template <class T>
void compare_all(bl::index rows, bl::index columns, const std::string& where) {
  using S = std::conditional_t<std::is_integral_v<T>, std::int64_t, T>;  // what sums are of
  using bl::detail::amax_r, bl::detail::sum_r;
  bl::dtensor<T, 2> x(rows, columns), y(rows, columns);
  bl::dtensor<T, 1> row(columns);
  for (bl::index i = 0; i < x.size(); ++i) x.data()[i] = next<T>();
  for (bl::index i = 0; i < y.size(); ++i) y.data()[i] = next<T>();
  for (bl::index i = 0; i < columns; ++i) row(i) = next<T>();
  const std::string at = std::to_string(rows) + " x " + std::to_string(columns) + where;
  compare<sum_r, S>(bl::eval(bl::sum(x, bl::axes<0>)), rows, at + ", an array",
                    [&](bl::index i, bl::index c) { return x(i, c); });
  compare<sum_r, S>(bl::eval(bl::sum(x * T{3} - y, bl::axes<0>)), rows, at + ", a number",
                    [&](bl::index i, bl::index c) {
                      const T product = x(i, c) * T{3};
                      return product - y(i, c);
                    });
  compare<amax_r, T>(
      bl::eval(bl::amax(bl::abs(x - y), bl::axes<0>)), rows, at + ", a difference",
      [&](bl::index i, bl::index c) { return x(i, c) < y(i, c) ? y(i, c) - x(i, c) : x(i, c) - y(i, c); });
  compare<amax_r, T>(bl::eval(bl::amax(x + row, bl::axes<0>)), rows, at + ", beside a row",
                     [&](bl::index i, bl::index c) { return static_cast<T>(x(i, c) + row(c)); });
  compare<sum_r, S>(bl::eval(bl::sum(bl::square(x - row), bl::axes<0>)), rows, at + ", a row",
                    [&](bl::index i, bl::index c) {
                      const T difference = x(i, c) - row(c);
                      return static_cast<T>(difference * difference);
                    });
  if constexpr (std::is_floating_point_v<T>) {
    const auto squared = [](T difference) { return static_cast<T>(difference * difference); };
    compare<sum_r, S>(bl::eval(bl::sum(x * y, bl::axes<0>)), rows, at + ", products",
                      [&](bl::index i, bl::index c) { return static_cast<T>(x(i, c) * y(i, c)); });
    compare<sum_r, S>(bl::eval(bl::sum(bl::square(x), bl::axes<0>)), rows, at + ", squares",
                      [&](bl::index i, bl::index c) { return squared(x(i, c)); });
    compare<sum_r, S>(bl::eval(bl::sum(bl::square(row - x), bl::axes<0>)), rows, at + ", a row first",
                      [&](bl::index i, bl::index c) { return squared(row(c) - x(i, c)); });
    compare<sum_r, S>(bl::eval(bl::sum(bl::square(x - T{5}), bl::axes<0>)), rows, at + ", squared, a number",
                      [&](bl::index i, bl::index c) { return squared(x(i, c) - T{5}); });
    const auto function = [&](const auto& e, const char* what) {
      const bl::dtensor<T, 2> all = bl::eval(e);
      const auto get = [&](bl::index i, bl::index c) { return all(i, c); };
      compare<sum_r, S>(bl::eval(bl::sum(e, bl::axes<0>)), rows, at + what, get);
      compare<amax_r, T>(bl::eval(T{1} * bl::amax(e, bl::axes<0>)), rows, at + what, get);  // not into the output
    };
    function(bl::exp(x / T{64}), ", a function");
    function(bl::log1p(bl::square(x)), ", a function of squares");
    function(bl::exp2(x - row), ", a function of differences from a row");
    function(bl::sin(x), ", a function alone");
  }
  compare<sum_r, std::int64_t>(bl::eval(bl::count_nonzero(row < x, bl::axes<0>)), rows, at + ", a count",
                               [&](bl::index i, bl::index c) { return row(c) < x(i, c) ? 1 : 0; });
  const auto maximum = [&](const char* what) {
    compare<amax_r, T>(bl::eval(bl::amax(x, bl::axes<0>)), rows, at + what,
                       [&](bl::index i, bl::index c) { return x(i, c); });
  };
  maximum(", maxima");
  if constexpr (std::is_floating_point_v<T>) {
    x(rows / 2, columns / 2) = std::numeric_limits<T>::quiet_NaN();
    maximum(", maxima with NaN");
    const bl::dtensor<T, 1> distances = bl::amax(bl::abs(x - y), bl::axes<0>);
    for (bl::index c = 0; c < columns; ++c)
      BOOST_REQUIRE_MESSAGE((distances(c) != distances(c)) == (c == columns / 2), at << ", a NaN in column " << c);
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(reduce_few_columns)

BOOST_AUTO_TEST_CASE(columns_are_combined_in_the_promised_order) {
  for (const bl::isa level : bl::runtime::every_isa) {
    if (bl::set_isa(level) != level) continue;
    for (const auto& [rows, columns] :
         {std::pair{1, 5}, {2, 64},   {7, 17},   {8, 8},    {15, 3},   {16, 16},  {17, 65},
          {24, 511},       {31, 33},  {32, 512}, {33, 7},   {63, 100}, {64, 256}, {127, 64},
          {300, 20},       {301, 65}, {512, 32}, {513, 31}, {1030, 9}, {2048, 8}, {5000, 3}}) {
      const std::string where = std::string(" at ") + bl::to_string(level);
      compare_all<float>(rows, columns, where + ", f32");
      compare_all<double>(rows, columns, where + ", f64");
      compare_all<std::int32_t>(rows, columns, where + ", i32");
    }
  }
  bl::set_isa(bl::runtime::highest_isa());
}

BOOST_AUTO_TEST_SUITE_END()
