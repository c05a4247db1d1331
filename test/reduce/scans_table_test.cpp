// cumsum and cumprod against the table.
// Build: unoptimised, seldom
#include "reduce/table.hpp"

namespace {

template <class T>
void check() {
  table::run_all<T, 1>("cumsum", [](const auto& x, broadloom::index axis) { return broadloom::cumsum(x, axis); });
  table::run_all<T, 1>("cumprod", [](const auto& x, broadloom::index axis) { return broadloom::cumprod(x, axis); });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(reduce_scans_table)

TABLE_CASES(check)

BOOST_AUTO_TEST_SUITE_END()
