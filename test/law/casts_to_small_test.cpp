// Conversions to bool, i8, u8, i16, u16.
// Build: not-sanitized (its loops exist only with optimisation)
#include "law/casts.hpp"

BOOST_AUTO_TEST_SUITE(law_casts)

BOOST_AUTO_TEST_CASE(to_bool) { check_all<bool>("bool"); }
BOOST_AUTO_TEST_CASE(to_i8) { check_all<std::int8_t>("i8"); }
BOOST_AUTO_TEST_CASE(to_u8) { check_all<std::uint8_t>("u8"); }
BOOST_AUTO_TEST_CASE(to_i16) { check_all<std::int16_t>("i16"); }
BOOST_AUTO_TEST_CASE(to_u16) { check_all<std::uint16_t>("u16"); }

BOOST_AUTO_TEST_SUITE_END()
