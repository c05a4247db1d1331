// Element types of the program's own (enable_element): their operators and functions, views, broadcasting, comparisons.
#include <broadloom/broadloom.hpp>

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <complex>

namespace bl = broadloom;

namespace mine {
struct dual {
  double v, d;
  constexpr dual(double value = 0, double derivative = 0) : v(value), d(derivative) {}
  friend constexpr dual operator+(dual a, dual b) { return {a.v + b.v, a.d + b.d}; }
  friend constexpr dual operator-(dual a) { return {-a.v, -a.d}; }
  friend constexpr dual operator*(dual a, dual b) { return {a.v * b.v, a.v * b.d + a.d * b.v}; }
  friend dual exp(dual a) { return {std::exp(a.v), a.d * std::exp(a.v)}; }
  friend constexpr bool operator<(dual a, dual b) { return a.v < b.v; }
};
struct metres {
  double m;
  friend constexpr metres operator+(metres a, metres b) { return {a.m + b.m}; }
  friend constexpr bool operator==(metres, metres) = default;
};
}  // namespace mine

template <>
inline constexpr bool bl::enable_element<mine::dual> = true;
template <>
inline constexpr bool bl::enable_element<mine::metres> = true;
template <>
inline constexpr bool bl::enable_element<std::complex<long double>> = true;

template <class A>
concept times_itself = requires(A a) { a* a; };
template <class A>
concept has_exp = requires(A a) { bl::exp(a); };
using duals = bl::dtensor<mine::dual, 1>&;
using lengths = bl::dtensor<mine::metres, 1>&;
static_assert(times_itself<duals> && has_exp<duals> && !times_itself<lengths> && !has_exp<lengths>);

BOOST_AUTO_TEST_SUITE(fn_own)

BOOST_AUTO_TEST_CASE(dual_numbers_give_derivatives) {
  bl::dtensor<mine::dual, 1> x(bl::shape(3));
  for (int i = 0; i < 3; ++i) x(i) = {i * 0.5, 1};
  const bl::dtensor<mine::dual, 1> y = -x * x * 3.0 + bl::exp(x);
  const bl::dtensor<mine::dual, 1> reversed = x(bl::range(bl::none, bl::none, -1));
  const bl::dtensor<bool, 1> below = x < reversed;
  for (int i = 0; i < 3; ++i) {
    const double at = i * 0.5;
    BOOST_TEST(y(i).v == -at * at * 3 + std::exp(at));
    BOOST_TEST(y(i).d == -6 * at + std::exp(at));
    BOOST_TEST(reversed(i).v == 1 - at);
    BOOST_TEST(below(i) == (at < 1 - at));
  }
}

BOOST_AUTO_TEST_CASE(they_broadcast_and_overlap) {
  bl::dtensor<mine::dual, 1> x(bl::shape(3));
  for (int i = 0; i < 3; ++i) x(i) = {1.0 + i, 1};
  const bl::dtensor<mine::dual, 2> table = bl::unsqueeze(x, 1) * x;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) BOOST_TEST(table(i, j).d == 2.0 + i + j);
  x(bl::range(1, bl::end)) = x(bl::range(0, -1));
  BOOST_TEST((x(0).v == 1 && x(1).v == 1 && x(2).v == 2));
}

BOOST_AUTO_TEST_CASE(units_and_complex_long_double) {
  bl::dtensor<mine::metres, 1> l(bl::shape(2));
  l(0) = {2};
  l(1) = {3};
  const bl::dtensor<mine::metres, 1> sum = l + l;
  BOOST_TEST(sum(1).m == 6);
  const bl::dtensor<bool, 1> equal = l == sum;
  BOOST_TEST((!equal(0) && !equal(1)));
  using wide = std::complex<long double>;
  bl::dtensor<wide, 1> c(bl::shape(2));
  c(0) = {1, 2};
  c(1) = {0, 1};
  const bl::dtensor<wide, 1> e = bl::exp(c * c) / c;
  for (int i = 0; i < 2; ++i) BOOST_TEST((e(i) == std::exp(c(i) * c(i)) / c(i)));
}

BOOST_AUTO_TEST_SUITE_END()
