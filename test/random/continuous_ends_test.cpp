// A half-open range is open at its end: rounding does not give the end, of no type, neither for numbers nor for arrays.
// Build: seldom
#include <broadloom/half.hpp>
#include <broadloom/random/continuous.hpp>
#include <broadloom/random/discrete.hpp>
#include <broadloom/tensor/factories.hpp>

#include <boost/test/unit_test.hpp>
#include <stdexcept>

namespace bl = broadloom;

namespace {

constexpr bl::index n = 1000000;

// All draws are in [low, high), or in (high, low].
template <class E>
void check(const E& draws, double low, double high) {
  const bl::dtensor<double, 1> x = bl::cast<double>(bl::eval(draws));
  bl::index outside = 0, ends = 0;
  for (bl::index i = 0; i < x.size(); ++i) {
    ends += x.data()[i] == high;
    outside += low < high ? x.data()[i] < low || x.data()[i] > high : x.data()[i] > low || x.data()[i] < high;
  }
  BOOST_TEST(ends == 0, ends << " times " << high);
  BOOST_TEST(outside == 0);
}

template <class T>
void check_type(double low, double high) {
  bl::generator g(46);
  const T a = static_cast<T>(low), b = static_cast<T>(high);
  const bl::dshape<1> s(n);
  check(bl::uniform<T>(g, a, b, s), low, high);
  check(bl::uniform<T>(g, b, a, s), high, low);
  check(bl::uniform<T>(g, bl::full<T>(s, a), b), low, high);
  check(bl::uniform<T>(g, a, bl::full<T>(s, b)), low, high);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(random_continuous_ends)

BOOST_AUTO_TEST_CASE(uniform_draws_never_give_the_end) {
  check_type<float>(1000, 1001);
  check_type<double>(9007199254740989.0, 9007199254740992.0);
  check_type<bl::float16>(1, 2);
  check_type<bl::bfloat16>(1, 2);
  check_type<bl::float16>(-2, 0);
}

BOOST_AUTO_TEST_CASE(draws_that_were_inside_are_as_before) {
  bl::generator g(1), h(1);
  const bl::dshape<1> s(10000);
  const bl::dtensor<float, 1> u = bl::uniform<float>(g, s), x = bl::uniform<float>(h, -3.f, 4.f, s);
  for (bl::index i = 0; i < u.size(); ++i) {
    volatile float product = 7.f * u.data()[i];
    BOOST_REQUIRE(x.data()[i] == -3.f + product);
  }
}

BOOST_AUTO_TEST_CASE(equal_bounds_give_the_bound) {
  bl::generator g(1);
  const bl::dtensor<float, 1> x = bl::uniform<float>(g, 5, 5, {3});
  for (bl::index i = 0; i < 3; ++i) BOOST_TEST(x.data()[i] == 5);
}

BOOST_AUTO_TEST_CASE(integers_that_floating_elements_cannot_hold_are_refused) {
  bl::generator g(1);
  check(bl::randint<float>(g, 16777210, 16777216, bl::dshape<1>(1000)), 16777210, 16777216);
  BOOST_CHECK_THROW(bl::randint<float>(g, 0, 16777300, bl::dshape<1>(3)), std::invalid_argument);
  BOOST_CHECK_THROW(bl::randint<bl::bfloat16>(g, 0, 1000, bl::dshape<1>(3)), std::invalid_argument);
}

BOOST_AUTO_TEST_SUITE_END()
