// any and all against the table.
// Build: unoptimised, seldom
#include "reduce/table.hpp"

namespace {

template <class T>
void check() {
  table::run_all<T>("any", [](const auto&... a) { return broadloom::any(a...); });
  table::run_all<T>("all", [](const auto&... a) { return broadloom::all(a...); });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(reduce_sums_truth_table)

TABLE_CASES(check)

BOOST_AUTO_TEST_SUITE_END()
