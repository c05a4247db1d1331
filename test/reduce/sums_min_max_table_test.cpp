// amax, amin, argmax, argmin against the table.
// Build: unoptimised, clang-alone
#include "reduce/table.hpp"

namespace {

template <class T>
void check() {
  table::run_all<T>("amax", [](const auto&... a) { return broadloom::amax(a...); });
  table::run_all<T>("amin", [](const auto&... a) { return broadloom::amin(a...); });
  table::run_all<T, 1>("argmax", [](const auto&... a) { return broadloom::argmax(a...); });
  table::run_all<T, 1>("argmin", [](const auto&... a) { return broadloom::argmin(a...); });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(reduce_sums_min_max_table)

TABLE_CASES(check)

BOOST_AUTO_TEST_SUITE_END()
