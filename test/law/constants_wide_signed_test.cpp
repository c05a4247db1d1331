// Constant expressions give the bits that run time gives: every function of i32, i64.
// Build: unoptimised, clang-alone
#include "law/constants.hpp"

BOOST_AUTO_TEST_SUITE(law_constants)

BOOST_AUTO_TEST_CASE(every_function_of_i32) { law::check_catalogue<std::int32_t>(); }
BOOST_AUTO_TEST_CASE(every_function_of_i64) { law::check_catalogue<std::int64_t>(); }

BOOST_AUTO_TEST_SUITE_END()
