// Constant expressions give the bits that run time gives: every function of i8, i16.
// Build: unoptimised, clang-alone
#include "law/constants.hpp"

BOOST_AUTO_TEST_SUITE(law_constants)

BOOST_AUTO_TEST_CASE(every_function_of_i8) { law::check_catalogue<std::int8_t>(); }
BOOST_AUTO_TEST_CASE(every_function_of_i16) { law::check_catalogue<std::int16_t>(); }

BOOST_AUTO_TEST_SUITE_END()
