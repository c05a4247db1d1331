// mean, var and std against the table.
// Build: unoptimised, clang-alone
#include "reduce/table.hpp"

namespace {

template <class T>
void check() {
  namespace bl = broadloom;
  table::run_all<T>("mean", [](const auto&... a) { return bl::mean(a...); });
  for (const double c : {0.0, 1.0, 2.0})
    table::run_all<T>(
        "var", [c](const auto&... a) { return bl::var(a..., bl::correction{c}); }, std::to_string(static_cast<int>(c)));
  table::run_all<T>("std", [](const auto&... a) { return bl::std(a...); });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(reduce_statistics_table)

BOOST_AUTO_TEST_CASE(of_f32) { check<float>(); }
BOOST_AUTO_TEST_CASE(of_f64) { check<double>(); }

BOOST_AUTO_TEST_SUITE_END()
