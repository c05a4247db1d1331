// Arithmetic that does not wrap.
#include <broadloom/core/checked_arithmetic.hpp>
#include <broadloom/core/error.hpp>

#include <boost/test/unit_test.hpp>

#include "../support/thrown.hpp"

namespace bl = broadloom;

namespace {

constexpr bl::index most = PTRDIFF_MAX, least = PTRDIFF_MIN;

}  // namespace

BOOST_AUTO_TEST_SUITE(core_checked_arithmetic)

BOOST_AUTO_TEST_CASE(what_fits_is_computed) {
  using namespace bl::detail;
  static_assert(checked_add("f", most - 1, 1) == most && checked_sub("f", least + 1, 1) == least);
  static_assert(checked_mul("f", least, 1) == least && checked_mul("f", most, 0) == 0);
  static_assert(saturated_mul(3, 5) == 15 && saturated_mul(most, 2) == most);
  static_assert(modulo(-1, 5) == 4 && modulo(least, 5) == 2 && modulo(most, 5) == 2 && modulo(5, 5) == 0);
  static_assert(clamped(7, 0, 5) == 5 && clamped(least, -3, 5) == -3 && clamped(2, 0, 5) == 2);
  BOOST_TEST(checked_add("f", most - 1, 1) == most);
  BOOST_TEST(checked_mul("f", least, 1) == least);
}

BOOST_AUTO_TEST_CASE(what_does_not_fit_throws_and_names_the_call_and_the_numbers) {
  using namespace bl::detail;
  BOOST_TEST(thrown<bl::shape_error>([] { checked_add("tile", most, 1); }) ==
             "tile: 9223372036854775807 + 1 does not fit an index");
  BOOST_TEST(thrown<bl::shape_error>([] { checked_sub("tile", 0, least); }) ==
             "tile: 0 - -9223372036854775808 does not fit an index");
  BOOST_TEST(thrown<bl::shape_error>([] { checked_mul("tile", bl::index(1) << 32, bl::index(1) << 31); }) ==
             "tile: 4294967296 * 2147483648 does not fit an index");
}

BOOST_AUTO_TEST_SUITE_END()
