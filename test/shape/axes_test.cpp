// Axes count from the left, or with negative numbers from the right.
#include <broadloom/shape/axes.hpp>

#include <boost/test/unit_test.hpp>
#include <string>

namespace bl = broadloom;

static_assert(bl::detail::normal_axis(0, 3) == 0 && bl::detail::normal_axis(2, 3) == 2);
static_assert(bl::detail::normal_axis(-1, 3) == 2 && bl::detail::normal_axis(-3, 3) == 0);
static_assert(decltype(bl::axes<0, -1>)::count == 2 && decltype(bl::axes<0, -1>)::values[1] == -1);

BOOST_AUTO_TEST_SUITE(shape_axes)

BOOST_AUTO_TEST_CASE(an_axis_outside_is_refused_as_pytorch_does) {
  for (const bl::index axis : {3, -4, 100})
    BOOST_CHECK_EXCEPTION(bl::detail::normal_axis(axis, 3), bl::index_error, [&](const bl::index_error& e) {
      return std::string(e.what()) ==
             "Dimension out of range (expected to be in range of [-3, 2], but got " + std::to_string(axis) + ")";
    });
}

BOOST_AUTO_TEST_CASE(several_axes_are_bits_from_the_left_and_none_is_named_twice) {
  const unsigned last = bl::detail::add_axis(0, -1, 3, "sum");
  BOOST_TEST(last == 0b100u);
  BOOST_TEST(bl::detail::add_axis(last, 0, 3, "sum") == 0b101u);
  for (const bl::index again : {2, -1})
    BOOST_CHECK_EXCEPTION(bl::detail::add_axis(last, again, 3, "sum"), bl::index_error, [](const bl::index_error& e) {
      return std::string(e.what()).find("dim 2 appears multiple times") != std::string::npos;
    });
}

BOOST_AUTO_TEST_SUITE_END()
