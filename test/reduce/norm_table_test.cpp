// norm, dist and logsumexp against the table.
// Build: unoptimised, clang-alone
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "reduce/table.hpp"

namespace {

template <class T>
void check() {
  namespace bl = broadloom;
  using namespace bl::literals;
  for (const char* p : {"0", "1", "2", "3.5", "-1", "-2.5", "inf", "-inf"})
    table::run_all<T>(
        "norm", [order = std::stod(p)](const auto& x, const auto&... a) { return bl::norm(x, order, a...); }, p);
  // Constants have expressions of their own.
  BOOST_TEST(
      (table::run<T, 2>("norm", "0", [](const auto& x, const auto&... a) { return bl::norm(x, 0_c, a...); }) > 10));
  BOOST_TEST(
      (table::run<T, 2>("norm", "1", [](const auto& x, const auto&... a) { return bl::norm(x, 1_c, a...); }) > 10));
  BOOST_TEST(
      (table::run<T, 2>("norm", "2", [](const auto& x, const auto&... a) { return bl::norm(x, 2_c, a...); }) > 10));
  table::run_all<T>("logsumexp", [](const auto&... a) { return bl::logsumexp(a...); });
}

template <class T>
void check_dist() {
  namespace bl = broadloom;
  int count = 0;
  for (const table::line& l : table::all().lines("dist")) {
    if (!table::is_for<T, 2>(l)) continue;
    ++count;
    const auto x = table::all().view<T, 2>(l.view);
    const auto y = table::all().view<T, 2>(l.parameter.substr(l.parameter.find(':') + 1));
    const double p = std::stod(l.parameter);
    table::compare(l, [&] { return bl::dist(x, y, p); });
    if (p == 2) table::compare(l, [&] { return bl::dist(x, y); });
  }
  BOOST_TEST(count > 30);
}

// A number gives the bits of the constant: both have the same terms, added in the same order.
template <class T>
void check_numbers_as_constants() {
  namespace bl = broadloom;
  using namespace bl::literals;
  for (const bl::index c : {1, 7, 16, 128, 1000, 5000}) {
    bl::tensor<T, bl::dshape<2>> m(3, c);
    for (bl::index i = 0; i < 3 * c; ++i) m.data()[i] = static_cast<T>((i * 7919) % 1009 - 500) / T(250);
    const double one = 1, two = 2, infinite = std::numeric_limits<double>::infinity();
    const auto same = [c](const auto& by_number, const auto& by_constant) {
      const auto x = bl::eval(by_number), y = bl::eval(by_constant);
      BOOST_TEST_CONTEXT("rows of " << c)
      BOOST_TEST(std::memcmp(x.data(), y.data(), static_cast<std::size_t>(x.size()) * sizeof(T)) == 0);
    };
    same(bl::norm(m, one), bl::norm(m, 1_c));
    same(bl::norm(m, two), bl::norm(m, 2_c));
    same(bl::norm(m, infinite), bl::amax(bl::abs(m)));
    same(bl::norm(m - 1, two), bl::norm(m - 1, 2_c));
    same(bl::norm(bl::transpose(m), two), bl::norm(bl::transpose(m), 2_c));
    same(bl::norm(m, one, bl::axes<1>), bl::norm(m, 1_c, bl::axes<1>));
    same(bl::norm(m - 1, two, bl::axes<1>), bl::norm(m - 1, 2_c, bl::axes<1>));
    same(bl::norm(m, infinite, bl::axes<1>), bl::amax(bl::abs(m), bl::axes<1>));
    same(bl::norm(m, -infinite, bl::axes<0>), bl::amin(bl::abs(m), bl::axes<0>));
    same(bl::norm(m, two, bl::axes<0>), bl::norm(m, 2_c, bl::axes<0>));
    same(bl::norm(m, one, bl::compensated), bl::sum(bl::abs(m), bl::compensated));
  }
}

// Of n equal elements it is n^(1/p) times one of them: also for whole orders above those that need no power.
template <class T>
void check_equal_elements() {
  namespace bl = broadloom;
  for (const bl::index n : {1, 5, 16, 130, 3000})
    for (const double order : {0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 7.0}) {
      const bl::dtensor<T, 2> x = bl::full(bl::dshape<2>(2, n), T(-1.75));
      const double of_row = 1.75 * std::pow(static_cast<double>(n), 1 / order);
      const double of_all = 1.75 * std::pow(static_cast<double>(2 * n), 1 / order);
      const double tolerance = std::is_same_v<T, float> ? 1e-5 : 1e-12;
      const bl::dtensor<T, 1> rows = bl::norm(x, order, bl::axes<1>);
      BOOST_TEST(std::abs(rows(1) / of_row - 1) < tolerance, n << " elements, order " << order);
      BOOST_TEST(std::abs(bl::norm(x, order).item() / of_all - 1) < tolerance, 2 * n << " elements, order " << order);
    }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(reduce_norm_table)

BOOST_AUTO_TEST_CASE(of_f32) { check<float>(); }
BOOST_AUTO_TEST_CASE(of_f64) { check<double>(); }
BOOST_AUTO_TEST_CASE(distances_of_f32) { check_dist<float>(); }
BOOST_AUTO_TEST_CASE(distances_of_f64) { check_dist<double>(); }
BOOST_AUTO_TEST_CASE(numbers_as_constants) {
  check_numbers_as_constants<float>();
  check_numbers_as_constants<double>();
}
BOOST_AUTO_TEST_CASE(equal_elements) {
  check_equal_elements<float>();
  check_equal_elements<double>();
}

BOOST_AUTO_TEST_SUITE_END()
