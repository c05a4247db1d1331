// Constant expressions give the bits that run time gives: every function of u8, u16.
// Build: unoptimised, clang-alone
#include "law/constants.hpp"

BOOST_AUTO_TEST_SUITE(law_constants)

BOOST_AUTO_TEST_CASE(every_function_of_u8) { law::check_catalogue<std::uint8_t>(); }
BOOST_AUTO_TEST_CASE(every_function_of_u16) { law::check_catalogue<std::uint16_t>(); }

BOOST_AUTO_TEST_SUITE_END()
