// Rows of few elements whose program has no kernel that reduces, as of integers, are evaluated first, without a plan:
// in pieces where they are long, some at a time where they are not, also beside one row for all and one number for
// each. Products, squares and functions of floats are added up by the library's own loops.
#include <broadloom/broadloom.hpp>

#include <cmath>
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

struct as_it_is {
  template <class T>
  T operator()(T x) const {
    return x;
  }
};

template <class Op, class T, class Result, class Get, class After = as_it_is>
void compare(const Result& result, bl::index n, const std::string& what, const Get& get, const After& after = {}) {
  for (bl::index r = 0; r < result.size(); ++r) {
    const auto expected = after(bl::detail::combine<Op, T>(n, [&](bl::index i) { return static_cast<T>(get(r, i)); }));
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
  compare<amax_r, T>(
      bl::eval(bl::amax(bl::abs(x - y), bl::axes<1>)), n, at + ", a difference",
      [&](bl::index r, bl::index i) { return x(r, i) < y(r, i) ? y(r, i) - x(r, i) : x(r, i) - y(r, i); });
  compare<sum_r, S>(bl::eval(bl::sum(row - x - column, bl::axes<1>)), n, at + ", both", [&](bl::index r, bl::index i) {
    const T difference = row(i) - x(r, i);
    return difference - column(r, 0);
  });
  if constexpr (std::is_floating_point_v<T>) {
    const auto squared = [](T difference) { return static_cast<T>(difference * difference); };
    compare<sum_r, S>(bl::eval(bl::sum(x * y, bl::axes<1>)), n, at + ", products",
                      [&](bl::index r, bl::index i) { return static_cast<T>(x(r, i) * y(r, i)); });
    compare<sum_r, S>(bl::eval(bl::sum(row * x, bl::axes<1>)), n, at + ", products with a row",
                      [&](bl::index r, bl::index i) { return static_cast<T>(row(i) * x(r, i)); });
    compare<sum_r, S>(bl::eval(bl::sum(bl::square(x), bl::axes<1>)), n, at + ", squares",
                      [&](bl::index r, bl::index i) { return squared(x(r, i)); });
    compare<sum_r, S>(bl::eval(bl::sum(bl::square(x - row), bl::axes<1>)), n, at + ", squared, a row",
                      [&](bl::index r, bl::index i) { return squared(x(r, i) - row(i)); });
    compare<sum_r, S>(bl::eval(bl::sum(bl::square(x - column), bl::axes<1>)), n, at + ", squared, a number each",
                      [&](bl::index r, bl::index i) { return squared(x(r, i) - column(r, 0)); });
    compare<sum_r, S>(bl::eval(bl::sum(bl::square(x - T{5}), bl::axes<1>)), n, at + ", squared, a number",
                      [&](bl::index r, bl::index i) { return squared(x(r, i) - T{5}); });
    const auto function = [&](const auto& e, const char* what) {
      const bl::dtensor<T, 2> all = bl::eval(e);
      const auto get = [&](bl::index r, bl::index i) { return all(r, i); };
      compare<sum_r, S>(bl::eval(bl::sum(e, bl::axes<1>)), n, at + what, get);
      compare<sum_r, S>(bl::eval(bl::sqrt(bl::sum(e, bl::axes<1>))), n, at + what,  // not into the output
                        get, [](T sum) { return std::sqrt(sum); });
      const T found = bl::sum(e).item(),
              expected = bl::detail::combine<sum_r, T>(rows * n, [&](bl::index i) { return all.data()[i]; });
      BOOST_REQUIRE_MESSAGE(std::memcmp(&found, &expected, sizeof found) == 0, at << what << ", all");
    };
    function(bl::exp(x / T{64}), ", two stages");
    function(bl::exp2(y - x), ", of two arrays");
    function(bl::exp(x * T{0.015625}), ", of products with a number");
    function(bl::exp(x - bl::amax(x, bl::axes<1>, bl::keepdim)), ", of differences from a number each");
    function(bl::log1p(bl::abs(x)), ", of magnitudes");
    const bl::dtensor<T, 2> positive = bl::abs(x) + T{1};
    function(bl::log(positive), ", the function alone");
    function(bl::log(positive * bl::abs(column)), ", of products with a number each");
  }
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
                                  {4, 64},
                                  {6, 96},
                                  {13, 256},
                                  {16, 64},
                                  {37, 48},
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
      compare_all<float>(rows, n, where + ", f32");
      compare_all<double>(rows, n, where + ", f64");
    }
  }
  bl::set_isa(bl::runtime::highest_isa());
}

// Minima and maxima are looked at for NaN some rows at a time.
BOOST_AUTO_TEST_CASE(a_nan_stays_in_its_row) {
  for (const bl::isa level : bl::runtime::every_isa) {
    if (bl::set_isa(level) != level) continue;
    for (int rows = 1; rows < 20; ++rows)
      for (int bad = 0; bad < rows; ++bad) {
        bl::dtensor<float, 2> x(rows, 64), y(rows, 64);
        for (bl::index i = 0; i < x.size(); ++i) x.data()[i] = next<float>();
        for (bl::index i = 0; i < y.size(); ++i) y.data()[i] = next<float>();
        const bl::dtensor<float, 1> of_one = bl::amax(bl::abs(x), bl::axes<1>),
                                    of_two = bl::amax(bl::abs(x - y), bl::axes<1>);
        x(bad, (bad * 7) % 64) = std::nanf("");
        const bl::dtensor<float, 1> one = bl::amax(bl::abs(x), bl::axes<1>),
                                    two = bl::amax(bl::abs(x - y), bl::axes<1>);
        for (int r = 0; r < rows; ++r)
          BOOST_REQUIRE_MESSAGE(
              r == bad ? one(r) != one(r) && two(r) != two(r) : one(r) == of_one(r) && two(r) == of_two(r),
              rows << " rows, row " << r << " of " << bl::to_string(level));
      }
  }
  bl::set_isa(bl::runtime::highest_isa());
}

BOOST_AUTO_TEST_SUITE_END()
