// Shapes: what is known to the compiler costs nothing, the rest is checked when it becomes known.
#include <broadloom/shape/shape.hpp>

#include <boost/test/unit_test.hpp>
#include <limits>
#include <string>
#include <type_traits>

#include "thrown.hpp"

namespace bl = broadloom;
using namespace bl::literals;
using bl::dyn;

static_assert(std::is_empty_v<bl::shape<5, 2, 4>> && std::is_empty_v<bl::shape<>>);
static_assert(bl::shape<5, 2, 4>{}.rank() == 3 && bl::shape<5, 2, 4>{}.size() == 40 && bl::shape<>{}.size() == 1);
static_assert(bl::shape<5, 2, 4>{}[1] == 2 && bl::shape<5, 0, 4>{}.size() == 0);
static_assert(std::is_same_v<bl::dshape<3>, bl::shape<dyn, dyn, dyn>> && std::is_same_v<bl::dshape<0>, bl::shape<>>);
static_assert(bl::shape<5, dyn, 4>(3) == bl::shape<5, 3, 4>{} && bl::shape<5, dyn, 4>(3) != bl::shape<5, 2, 4>{});
static_assert(bl::shape<5, 3>{} != bl::shape<5, 3, 1>{} && bl::shape<>{} == bl::shape<>{});
static_assert(bl::shape<dyn, 2, dyn>(3, 7)[0] == 3 && bl::shape<dyn, 2, dyn>(3, 7)[1] == 2 &&
              bl::shape<dyn, 2, dyn>(3, 7)[2] == 7);
static_assert(std::is_same_v<decltype(bl::make_shape(5_c, 3, 4_c)), bl::shape<5, dyn, 4>>);
static_assert(std::is_same_v<decltype(bl::make_shape()), bl::shape<>>);
static_assert(std::is_same_v<decltype(bl::make_shape(std::integral_constant<int, 2>{}, 1u)), bl::shape<2, dyn>>);
static_assert(bl::make_shape(5_c, 3, 4_c) == bl::shape<5, 3, 4>{});
// one value per dyn extent, no more and no less
static_assert(!std::is_constructible_v<bl::shape<5, dyn, 4>, int, int> &&
              !std::is_constructible_v<bl::shape<5, dyn, dyn>, int>);
static_assert(!std::is_constructible_v<bl::shape<5>, int> && !std::is_default_constructible_v<bl::shape<dyn>>);
static_assert(!std::is_convertible_v<int, bl::shape<dyn>> && std::is_constructible_v<bl::shape<dyn>, int>);
// forgetting is free, remembering must be asked for, a contradiction does not compile
static_assert(std::is_convertible_v<bl::shape<5, 2>, bl::dshape<2>> &&
              !std::is_convertible_v<bl::dshape<2>, bl::shape<5, 2>>);
static_assert(std::is_constructible_v<bl::shape<5, 2>, bl::dshape<2>>);
static_assert(!std::is_constructible_v<bl::shape<5, 2>, bl::shape<5, 3>>);
static_assert(!std::is_constructible_v<bl::dshape<3>, bl::dshape<2>>);
static_assert(bl::shape_type<bl::shape<1>> && bl::shape_type<const bl::dshape<2>&> && !bl::shape_type<int>);

// Every axis counts, the first one too.
static_assert(!(bl::shape<2, 3>{} == bl::shape<4, 3>{}) && bl::shape<2, 3>{} == bl::shape<2, 3>{});
static_assert(!(bl::shape<bl::dyn, 3>{2} == bl::shape<4, 3>{}) && bl::shape<bl::dyn, 3>{2} == bl::shape<2, 3>{});
// Of numbers, all extents are known at run time.
static_assert(__is_same(decltype(bl::shape(2, 3L)), bl::dshape<2>) && bl::shape(2, 3) == bl::shape<2, 3>{});
static_assert(__is_same(decltype(bl::shape()), bl::shape<>));

BOOST_AUTO_TEST_SUITE(shape_shape)

BOOST_AUTO_TEST_CASE(extents_get_names) {
  const auto [planes, rows, columns] = bl::shape<5, bl::dyn, 4>(3);
  BOOST_TEST(planes == 5);
  BOOST_TEST(rows == 3);
  BOOST_TEST(columns == 4);
  constexpr bl::shape<7> one;
  static_assert(one.get<0>() == 7);
}

BOOST_AUTO_TEST_CASE(negative_extents_are_refused) {
  BOOST_TEST(thrown<bl::shape_error>([] { bl::dshape<2>(3, -2); }) ==
             "Trying to create tensor with negative dimension: [3, -2]");
  BOOST_TEST(thrown<bl::shape_error>([] { bl::shape<4, dyn>{-1}; }) ==
             "Trying to create tensor with negative dimension: [4, -1]");
  BOOST_TEST(thrown<bl::shape_error>([] { bl::make_shape(4_c, -7, 2); }) ==
             "Trying to create tensor with negative dimension: [4, -7, 2]");
  BOOST_TEST(thrown<bl::shape_error>([] { bl::make_shape(-1); }) ==
             "Trying to create tensor with negative dimension: [-1]");
  BOOST_TEST(thrown<bl::shape_error>([] { bl::dshape<1>(0); }) == "nothing was thrown");
}

BOOST_AUTO_TEST_CASE(a_static_extent_must_be_met) {
  BOOST_TEST(thrown<bl::shape_error>([] { bl::shape<3, dyn>(bl::dshape<2>(2, 5)); }) ==
             "the shape's type fixes the extent of axis 0 to 3, not 2");
  BOOST_TEST(thrown<bl::shape_error>([] { bl::shape<dyn, 4>(bl::dshape<2>(2, 5)); }) ==
             "the shape's type fixes the extent of axis 1 to 4, not 5");
  BOOST_TEST((bl::shape<dyn, 5>(bl::dshape<2>(2, 5)) == bl::shape<2, 5>{}));
}

BOOST_AUTO_TEST_CASE(sizes_that_overflow_are_refused) {
  const bl::index most = std::numeric_limits<bl::index>::max();
  BOOST_TEST(bl::dshape<2>(most, 1).size() == most);
  BOOST_TEST(thrown<bl::shape_error>([&] { bl::dshape<2>(most, 2).size(); }) ==
             "the size of shape [" + std::to_string(most) + ", 2] does not fit an index");
  BOOST_TEST(thrown<bl::shape_error>([&] { bl::dshape<3>(bl::index(1) << 31, bl::index(1) << 31, 2).size(); }) !=
             "nothing was thrown");
  BOOST_TEST(bl::dshape<3>(bl::index(1) << 31, bl::index(1) << 31, 1).size() == bl::index(1) << 62);
  // whatever the product is without its upper bits: 0 and 1 here
  BOOST_TEST(thrown<bl::shape_error>([] { bl::dshape<2>(bl::index(1) << 33, bl::index(1) << 33).size(); }) !=
             "nothing was thrown");
  BOOST_TEST(thrown<bl::shape_error>([&] { bl::dshape<2>(most, most).size(); }) != "nothing was thrown");
  // an extent of 0 makes the size 0, wherever it stands
  BOOST_TEST(bl::dshape<3>(most, most, 0).size() == 0);
  BOOST_TEST(bl::dshape<3>(0, most, most).size() == 0);
}

BOOST_AUTO_TEST_SUITE_END()
