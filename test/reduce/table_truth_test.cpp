// any and all against the table.
#include "reduce/table.hpp"

namespace {

template <class T>
void check() {
  table::run_all<T>("any", [](const auto&... a) { return broadloom::any(a...); });
  table::run_all<T>("all", [](const auto&... a) { return broadloom::all(a...); });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(reduce_table_truth)

BOOST_AUTO_TEST_CASE(of_bool) { check<bool>(); }
BOOST_AUTO_TEST_CASE(of_u8) { check<std::uint8_t>(); }
BOOST_AUTO_TEST_CASE(of_i32) { check<std::int32_t>(); }
BOOST_AUTO_TEST_CASE(of_i64) { check<std::int64_t>(); }
BOOST_AUTO_TEST_CASE(of_f32) { check<float>(); }
BOOST_AUTO_TEST_CASE(of_f64) { check<double>(); }

BOOST_AUTO_TEST_SUITE_END()
