// Rows of few elements whose program has no kernel that reduces, as of integers, are evaluated first, without a plan:
// in pieces where they are long, some at a time where they are not, also beside one row for all and one number for
// each.
#include <broadloom/broadloom.hpp>

#include <cstring>
#include <string>
#include <type_traits>
#include <utility>

#include <boost/test/unit_test.hpp>

namespace bl = broadloom;

namespace {

std::uint32_t seed = 11;
template <class T>
T next() {
  seed = seed * 1664525u + 1013904223u;
  const int x = static_cast<int>(seed >> 12) - (1 << 19);
  return std::is_floating_point_v<T> ? static_cast<T>(x) / T{4096} : static_cast<T>(x % 1000);
}

template <class Op, class T, class Result, class Get>
void compare(const Result& result, bl::index n, const std::string& what, const Get& get) {
  for (bl::index r = 0; r < result.size(); ++r) {
    const auto expected = bl::detail::combine<Op, T>(n, [&](bl::index i) { return static_cast<T>(get(r, i)); });
    const auto found = result(r);
    BOOST_REQUIRE_MESSAGE(std::memcmp(&found, &expected, sizeof found) == 0, what << ", row " << r);
  }
}

template <class T>
void compare_all(bl::index rows, bl::index n, const std::string& where) {
  using S = std::conditional_t<std::is_integral_v<T>, std::int64_t, T>;  // what sums are of
  using bl::detail::amax_r, bl::detail::sum_r;
  bl::dtensor<T, 2> x(rows, n), y(rows, n), column(rows, 1);
  bl::dtensor<T, 1> row(n);
  for (bl::index i = 0; i < x.size(); ++i) x.data()[i] = next<T>();
  for (bl::index i = 0; i < y.size(); ++i) y.data()[i] = next<T>();
  for (bl::index i = 0; i < n; ++i) row(i) = next<T>();
  for (bl::index i = 0; i < rows; ++i) column(i, 0) = next<T>();
  const std::string at = std::to_string(rows) + " x " + std::to_string(n) + where;
  compare<sum_r, S>(bl::eval(bl::sum(bl::square(x - y), bl::axes<1>)), n, at, [&](bl::index r, bl::index i) {
    const T difference = x(r, i) - y(r, i);
    return static_cast<T>(difference * difference);
  });
  compare<amax_r, T>(bl::eval(bl::amax(x - row, bl::axes<1>)), n, at + ", a row",
                     [&](bl::index r, bl::index i) { return x(r, i) - row(i); });
  compare<amax_r, T>(bl::eval(bl::amax(x - column, bl::axes<1>)), n, at + ", a number each",
                     [&](bl::index r, bl::index i) { return x(r, i) - column(r, 0); });
  compare<sum_r, S>(bl::eval(bl::sum(row - x - column, bl::axes<1>)), n, at + ", both", [&](bl::index r, bl::index i) {
    const T difference = row(i) - x(r, i);
    return difference - column(r, 0);
  });
  const S all = bl::sum(bl::square(x - y)).item(), expected = bl::detail::combine<sum_r, S>(rows * n, [&](bl::index i) {
                                                     const T difference = x.data()[i] - y.data()[i];
                                                     return static_cast<S>(static_cast<T>(difference * difference));
                                                   });
  BOOST_REQUIRE_MESSAGE(std::memcmp(&all, &expected, sizeof all) == 0, at << ", all");
}

}  // namespace

BOOST_AUTO_TEST_SUITE(reduce_contiguous)

BOOST_AUTO_TEST_CASE(rows_are_combined_in_the_promised_order) {
  for (const bl::isa level : bl::runtime::every_isa) {
    if (bl::set_isa(level) != level) continue;
    for (const auto& [rows, n] : {std::pair{1, 700},
                                  {64, 256},
                                  {5, 65},
                                  {31, 100},
                                  {20, 511},
                                  {7, 2048},
                                  {3, 2049},
                                  {2, 5000},
                                  {1, 16384},
                                  {150, 100},
                                  {9, 1025}}) {
      const std::string where = std::string(" at ") + bl::to_string(level);
      compare_all<std::int32_t>(rows, n, where + ", i32");
      if (level == bl::isa::base) compare_all<double>(rows, n, where + ", f64");
    }
  }
  bl::set_isa(bl::runtime::highest_isa());
}

BOOST_AUTO_TEST_SUITE_END()
