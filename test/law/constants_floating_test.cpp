// Constant expressions give the bits that run time gives: every function of f32, f64, bool.
// Build: unoptimised, clang-alone
#include "law/constants.hpp"

BOOST_AUTO_TEST_SUITE(law_constants)

BOOST_AUTO_TEST_CASE(every_function_of_f32) { law::check_catalogue<float>(); }
BOOST_AUTO_TEST_CASE(every_function_of_f64) { law::check_catalogue<double>(); }
BOOST_AUTO_TEST_CASE(every_function_of_bool) { law::check_catalogue<bool>(); }

BOOST_AUTO_TEST_SUITE_END()
