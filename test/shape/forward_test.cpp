// Names declared by fwd.hpp alone are those that broadloom.hpp defines, whichever is included first.
#include <broadloom/fwd.hpp>

namespace {

namespace bl = broadloom;

// A header of users, as it may be written where nothing is defined.
struct holder {
  const bl::dtensor<float, 2>* matrix;
  bl::tensor<double, bl::shape<2, 3>>* small;
};
float first(const holder& x);
float first(bl::dview<const float, 1> x);
float first(bl::view<const float, bl::dshape<1>, bl::row_major> x);
double sum_of(const bl::tensor<double, bl::shape<2, 3>>& x);
void scale(bl::dtensor<float, 2>& x, float by);

}  // namespace

#include <broadloom/broadloom.hpp>

#include <broadloom/fwd.hpp>

#include <boost/test/unit_test.hpp>

namespace {

float first(const holder& x) { return (*x.matrix)(0, 0) + static_cast<float>((*x.small)(0, 0)); }
float first(bl::dview<const float, 1> x) { return x(0); }
float first(bl::view<const float, bl::dshape<1>, bl::row_major> x) { return -x(0); }
double sum_of(const bl::tensor<double, bl::shape<2, 3>>& x) { return bl::sum(x).item(); }
void scale(bl::dtensor<float, 2>& x, float by) { x *= by; }

}  // namespace

BOOST_AUTO_TEST_SUITE(shape_forward)

BOOST_AUTO_TEST_CASE(what_is_declared_is_what_is_defined) {
  static_assert(std::is_same_v<bl::dtensor<int, 2>, bl::tensor<int, bl::shape<bl::dyn, bl::dyn>>>);
  static_assert(std::is_same_v<bl::dview<int, 2>, bl::view<int, bl::dshape<2>>>);
  bl::dtensor<float, 2> x = {{1, 2}, {3, 4}};
  bl::tensor<double, bl::shape<2, 3>> y = {{1, 2, 3}, {4, 5, 6}};
  scale(x, 2);
  BOOST_TEST(first(holder{&x, &y}) == 3);
  BOOST_TEST(first(x(1)) == 6);
  BOOST_TEST(first(bl::view<const float, bl::dshape<1>, bl::row_major>(x.data(), bl::dshape<1>(4), {})) == -2);
  BOOST_TEST(sum_of(y) == 21);
}

BOOST_AUTO_TEST_SUITE_END()
