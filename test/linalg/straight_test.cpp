// Products of static operands, computed straight-line, against the library's.
#include <broadloom/linalg/straight.hpp>

#include <boost/test/unit_test.hpp>

#include "straight.hpp"

BOOST_AUTO_TEST_SUITE(linalg_straight)

BOOST_AUTO_TEST_CASE(sizes_f32) { straight::check_sizes<float>(); }
BOOST_AUTO_TEST_CASE(sizes_f64) { straight::check_sizes<double>(); }
BOOST_AUTO_TEST_CASE(others) { straight::check_others<float>(); }

BOOST_AUTO_TEST_SUITE_END()
