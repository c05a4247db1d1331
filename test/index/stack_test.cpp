// stack of as many arrays as the run has: what stack of the same arrays, named one by one, gives.
#include <broadloom/index/stack.hpp>

#include <boost/test/unit_test.hpp>
#include <list>
#include <vector>

#include <broadloom/broadloom.hpp>

namespace bl = broadloom;
using namespace bl::literals;

BOOST_AUTO_TEST_SUITE(index_stack)

template <class A, class B>
void equal(const A& a, const B& b) {
  BOOST_TEST_REQUIRE(bl::to_string(a.shape()) == bl::to_string(b.shape()));
  BOOST_TEST(bool(bl::all(a == b)));
}

template <int R>
void agrees(const bl::dshape<R>& s) {
  std::vector<bl::dtensor<double, R>> arrays;
  double n = 0;
  for (int k = 0; k < 3; ++k) {
    arrays.emplace_back(s);
    for (double& x : arrays.back()) x = ++n;
  }
  for (int axis = -R - 1; axis <= R; ++axis) {
    equal(bl::stack(arrays, axis), bl::stack(axis, arrays[0], arrays[1], arrays[2]));
    equal(bl::stack(std::list<bl::dtensor<double, R>>(arrays.begin(), arrays.end()), axis), bl::stack(arrays, axis));
    if constexpr (R > 0)
      if (axis >= -R && axis < R) equal(bl::cat(arrays, axis), bl::cat(axis, arrays[0], arrays[1], arrays[2]));
  }
  BOOST_CHECK_THROW(bl::stack(arrays, R + 1), bl::index_error);
  BOOST_CHECK_THROW(bl::stack(arrays, -R - 2), bl::index_error);
}

BOOST_AUTO_TEST_CASE(a_list_is_stacked_as_its_arrays_are) {
  agrees<0>({});
  for (bl::index i = 0; i < 4; ++i) {
    agrees<1>(bl::dshape<1>(i));
    for (bl::index j = 0; j < 4; ++j) agrees<2>(bl::dshape<2>(i, j));
  }
  agrees<3>(bl::dshape<3>(2, 3, 4));
}

BOOST_AUTO_TEST_CASE(static_extents_stay) {
  using part = bl::tensor<float, bl::shape<2, 3>>;
  const std::vector<part> parts(4);
  static_assert(std::is_same_v<decltype(bl::stack(parts, 0_c))::shape_type, bl::shape<bl::dyn, 2, 3>>);
  static_assert(std::is_same_v<decltype(bl::stack(parts, -1_c))::shape_type, bl::shape<2, 3, bl::dyn>>);
  static_assert(std::is_same_v<decltype(bl::cat(parts, 0_c))::shape_type, bl::shape<bl::dyn, 3>>);
  BOOST_TEST(bl::to_string(bl::stack(parts, 1).shape()) == "(2, 4, 3)");
}

BOOST_AUTO_TEST_CASE(other_shapes_and_no_arrays_are_refused) {
  std::vector<bl::dtensor<float, 2>> arrays;
  BOOST_CHECK_THROW(bl::stack(arrays, 0), bl::shape_error);
  BOOST_CHECK_THROW(bl::cat(arrays, 0), bl::shape_error);
  arrays.emplace_back(2, 3);
  arrays.emplace_back(3, 2);
  BOOST_CHECK_THROW(bl::stack(arrays, 0), bl::shape_error);
}

BOOST_AUTO_TEST_SUITE_END()
