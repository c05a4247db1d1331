// amax, amin, argmax, argmin against the table.
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

BOOST_AUTO_TEST_SUITE(reduce_table_extremes)

BOOST_AUTO_TEST_CASE(of_bool) { check<bool>(); }
BOOST_AUTO_TEST_CASE(of_u8) { check<std::uint8_t>(); }
BOOST_AUTO_TEST_CASE(of_i32) { check<std::int32_t>(); }
BOOST_AUTO_TEST_CASE(of_i64) { check<std::int64_t>(); }
BOOST_AUTO_TEST_CASE(of_f32) { check<float>(); }
BOOST_AUTO_TEST_CASE(of_f64) { check<double>(); }

BOOST_AUTO_TEST_SUITE_END()
