// Constant expressions give the bits that run time gives: every function of u32, u64.
// Build: unoptimised, clang-alone
#include "law/constants.hpp"

BOOST_AUTO_TEST_SUITE(law_constants)

BOOST_AUTO_TEST_CASE(every_function_of_u32) { law::check_catalogue<std::uint32_t>(); }
BOOST_AUTO_TEST_CASE(every_function_of_u64) { law::check_catalogue<std::uint64_t>(); }

BOOST_AUTO_TEST_SUITE_END()
