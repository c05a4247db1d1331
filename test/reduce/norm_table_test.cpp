// norm, dist and logsumexp against the table.
// Build: unoptimised, clang-alone
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

}  // namespace

BOOST_AUTO_TEST_SUITE(reduce_norm_table)

BOOST_AUTO_TEST_CASE(of_f32) { check<float>(); }
BOOST_AUTO_TEST_CASE(of_f64) { check<double>(); }
BOOST_AUTO_TEST_CASE(distances_of_f32) { check_dist<float>(); }
BOOST_AUTO_TEST_CASE(distances_of_f64) { check_dist<double>(); }

BOOST_AUTO_TEST_SUITE_END()
