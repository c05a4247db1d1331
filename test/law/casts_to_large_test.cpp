// Conversions to i32, u32, i64, u64, f32, f64.
// Build: seldom, not-sanitized
#include "law/casts.hpp"

BOOST_AUTO_TEST_SUITE(law_casts)

BOOST_AUTO_TEST_CASE(to_i32) { check_all<std::int32_t>("i32"); }
BOOST_AUTO_TEST_CASE(to_u32) { check_all<std::uint32_t>("u32"); }
BOOST_AUTO_TEST_CASE(to_i64) { check_all<std::int64_t>("i64"); }
BOOST_AUTO_TEST_CASE(to_u64) { check_all<std::uint64_t>("u64"); }
BOOST_AUTO_TEST_CASE(to_f32) { check_all<float>("f32"); }
BOOST_AUTO_TEST_CASE(to_f64) { check_all<double>("f64"); }

BOOST_AUTO_TEST_SUITE_END()
