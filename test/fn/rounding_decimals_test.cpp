// round(x, decimals) gives NumPy's bits, and x where 10^decimals leads out of the range.
#include <broadloom/broadloom.hpp>

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>

namespace bl = broadloom;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// What numpy.round gives of these (1.24).
const bl::dtensor<double, 1> given{0.5,      1.5,       2.675, -0.3,      -0.04, 123.456, 5e-324,
                                   infinity, -infinity, -0.0,  1234567.0, 0.285, 1.005};
struct line {
  int decimals;
  double of[13];
};
constexpr line lines[] = {
    {1, {0.5, 1.5, 2.7, -0.3, -0.0, 123.5, 0, infinity, -infinity, -0.0, 1234567.0, 0.3, 1}},
    {2, {0.5, 1.5, 0x1.570a3d70a3d71p+1, -0.3, -0.04, 123.46, 0, infinity, -infinity, -0.0, 1234567.0, 0.28, 1}},
    {3, {0.5, 1.5, 2.675, -0.3, -0.04, 123.456, 0, infinity, -infinity, -0.0, 1234567.0, 0.285, 0x1.0147ae147ae14p+0}},
    {0, {0, 2, 3, -0.0, -0.0, 123, 0, infinity, -infinity, -0.0, 1234567.0, 0, 1}},
    {-1, {0, 0, 0, -0.0, -0.0, 120, 0, infinity, -infinity, -0.0, 1234570.0, 0, 0}},
    {-2, {0, 0, 0, -0.0, -0.0, 100, 0, infinity, -infinity, -0.0, 1234600.0, 0, 0}},
};

}  // namespace

BOOST_AUTO_TEST_SUITE(fn_rounding_decimals)

BOOST_AUTO_TEST_CASE(decimals_are_those_of_numpy) {
  for (const line& l : lines) {
    const bl::dtensor<double, 1> r = bl::round(given, l.decimals);
    for (bl::index k = 0; k < r.size(); ++k)
      BOOST_TEST((r(k) == l.of[k] && std::signbit(r(k)) == std::signbit(l.of[k])),
                 given(k) << " to " << l.decimals << " decimals: " << r(k));
  }
  BOOST_TEST(std::isnan(bl::round(bl::dtensor<double, 1>{std::nan("")}, 2)(0)));
}

BOOST_AUTO_TEST_CASE(what_leaves_the_range_has_no_such_decimals) {
  bl::dtensor<double, 1> x{1e300, 0.1, -1.7e308, 0.0};
  for (const int decimals : {10, 300, 310, 5000}) {
    const bl::dtensor<double, 1> r = bl::round(x, decimals);
    BOOST_TEST(r(0) == 1e300);
    BOOST_TEST(r(2) == -1.7e308);
    BOOST_TEST(r(3) == 0);
    BOOST_TEST(std::abs(r(1) - 0.1) < 1e-16);
  }
  const bl::dtensor<double, 1> none = bl::round(x, -310);
  for (bl::index k = 0; k < 4; ++k) BOOST_TEST(none(k) == 0);
  BOOST_TEST(std::signbit(none(2)));
}

BOOST_AUTO_TEST_CASE(of_static_arrays_in_place_and_of_f32) {
  constexpr bl::tensor<double, bl::shape<2>> c{1.25, -0.33};
  constexpr bl::tensor<double, bl::shape<2>> d = bl::round(c, 1);
  static_assert(d(0) == 1.2 && d(1) == -0.3);
  bl::dtensor<float, 1> f{1.234f, -7.5f};
  bl::round_(f, 1);
  BOOST_TEST(f(0) == 1.2f);
  bl::round_(f);
  BOOST_TEST(f(1) == -8);
  static_assert(!std::is_invocable_v<bl::round_t, const bl::dtensor<int, 1>&, int>);
  static_assert(!std::is_invocable_v<bl::round_t, const bl::dtensor<float, 1>&, double>);
}

BOOST_AUTO_TEST_SUITE_END()
