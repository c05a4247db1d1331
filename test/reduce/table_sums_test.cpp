// sum, prod and count_nonzero against the table.
#include "reduce/table.hpp"

namespace {

template <class T>
void check() {
  table::run_all<T>("sum", [](const auto&... a) { return broadloom::sum(a...); });
  table::run_all<T>("prod", [](const auto&... a) { return broadloom::prod(a...); });
  table::run_all<T>("count_nonzero", [](const auto&... a) { return broadloom::count_nonzero(a...); });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(reduce_table_sums)

BOOST_AUTO_TEST_CASE(of_bool) { check<bool>(); }
BOOST_AUTO_TEST_CASE(of_u8) { check<std::uint8_t>(); }
BOOST_AUTO_TEST_CASE(of_i32) { check<std::int32_t>(); }
BOOST_AUTO_TEST_CASE(of_i64) { check<std::int64_t>(); }
BOOST_AUTO_TEST_CASE(of_f32) { check<float>(); }
BOOST_AUTO_TEST_CASE(of_f64) { check<double>(); }

BOOST_AUTO_TEST_SUITE_END()
