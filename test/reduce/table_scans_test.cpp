// cumsum and cumprod against the table.
#include "reduce/table.hpp"

namespace {

template <class T>
void check() {
  table::run_all<T, 1>("cumsum", [](const auto& x, broadloom::index axis) { return broadloom::cumsum(x, axis); });
  table::run_all<T, 1>("cumprod", [](const auto& x, broadloom::index axis) { return broadloom::cumprod(x, axis); });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(reduce_table_scans)

BOOST_AUTO_TEST_CASE(of_bool) { check<bool>(); }
BOOST_AUTO_TEST_CASE(of_u8) { check<std::uint8_t>(); }
BOOST_AUTO_TEST_CASE(of_i32) { check<std::int32_t>(); }
BOOST_AUTO_TEST_CASE(of_i64) { check<std::int64_t>(); }
BOOST_AUTO_TEST_CASE(of_f32) { check<float>(); }
BOOST_AUTO_TEST_CASE(of_f64) { check<double>(); }

BOOST_AUTO_TEST_SUITE_END()
