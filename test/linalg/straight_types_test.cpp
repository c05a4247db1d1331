// Products of static operands, computed straight-line, against the library's: complex numbers and integers.
#include <broadloom/linalg/straight.hpp>

#include <boost/test/unit_test.hpp>

#include "straight.hpp"

BOOST_AUTO_TEST_SUITE(linalg_straight_types)

BOOST_AUTO_TEST_CASE(sizes_c64) { straight::check_sizes<std::complex<float>>(); }
BOOST_AUTO_TEST_CASE(sizes_c128) { straight::check_size<std::complex<double>, 3, 4, 5>(); }
BOOST_AUTO_TEST_CASE(integers_wrap) {
  straight::check_size<std::int32_t, 3, 4, 5>();
  straight::check_size<std::uint8_t, 2, 3, 2>();
}

BOOST_AUTO_TEST_SUITE_END()
