// softmax and log_softmax against the table.
// Build: unoptimised, clang-alone
#include "reduce/table.hpp"

namespace {

template <class T>
void check() {
  table::run_all<T, 1>("softmax", [](const auto& x, broadloom::index axis) { return broadloom::softmax(x, axis); });
  table::run_all<T, 1>("log_softmax",
                       [](const auto& x, broadloom::index axis) { return broadloom::log_softmax(x, axis); });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(reduce_softmax_table)

BOOST_AUTO_TEST_CASE(of_f32) { check<float>(); }
BOOST_AUTO_TEST_CASE(of_f64) { check<double>(); }

BOOST_AUTO_TEST_SUITE_END()
