// sum, prod and count_nonzero against the table.
// Build: unoptimised, seldom
#include "reduce/table.hpp"

namespace {

template <class T>
void check() {
  table::run_all<T>("sum", [](const auto&... a) { return broadloom::sum(a...); });
  table::run_all<T>("prod", [](const auto&... a) { return broadloom::prod(a...); });
  table::run_all<T>("count_nonzero", [](const auto&... a) { return broadloom::count_nonzero(a...); });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(reduce_sums_table)

TABLE_CASES(check)

BOOST_AUTO_TEST_SUITE_END()
