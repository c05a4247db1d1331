// Continuous distributions: by chi-squared at fixed seeds, their limits, and their errors.
// Build: gcc-alone
#include <broadloom/random/continuous.hpp>
#include <broadloom/reduce/sums.hpp>
#include <broadloom/tensor/factories.hpp>

#include <boost/math/distributions/beta.hpp>
#include <boost/math/distributions/exponential.hpp>
#include <boost/math/distributions/gamma.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/uniform.hpp>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "chi_squared.hpp"

namespace bl = broadloom;
namespace bm = boost::math;
using statistics::check_continuous;

namespace {

constexpr long n = 100000;
constexpr double infinity = std::numeric_limits<double>::infinity();

// Two-sided truncation of the normal distribution.
struct truncated {
  bm::normal whole;
  double low, high;
  friend double quantile(const truncated& d, double p) {
    // from the tail that is the thinner one
    if (d.low > d.whole.mean()) {
      const double a = cdf(complement(d.whole, d.low)), b = std::isinf(d.high) ? 0 : cdf(complement(d.whole, d.high));
      return bm::quantile(complement(d.whole, a + p * (b - a)));
    }
    const double a = std::isinf(d.low) ? 0 : cdf(d.whole, d.low), b = std::isinf(d.high) ? 1 : cdf(d.whole, d.high);
    return bm::quantile(d.whole, a + p * (b - a));
  }
};

template <class T, class E, class Distribution>
void check(const char* what, const E& e, const Distribution& d) {
  const bl::dtensor<T, 1> x = e;
  check_continuous(what, x.data(), x.size(), d);
}

template <class Call>
void refused(Call call, const char* text) {
  BOOST_CHECK_EXCEPTION(call(), std::invalid_argument, [text](const std::invalid_argument& e) {
    BOOST_TEST(e.what() == text);
    return true;
  });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(random_continuous)

BOOST_AUTO_TEST_CASE(draws_have_their_distribution) {
  bl::generator g(2026);
  const bl::dshape<1> s(n);
  check<double>("uniform", bl::uniform<double>(g, s), bm::uniform(0, 1));
  check<float>("uniform(-2, 5)", bl::uniform<float>(g, -2, 5, s), bm::uniform(-2, 5));
  check<double>("normal", bl::normal<double>(g, s), bm::normal());
  check<float>("normal(3, 0.5)", bl::normal<float>(g, 3, 0.5, s), bm::normal(3, 0.5));
  check<float>("exponential", bl::exponential<float>(g, s), bm::exponential(1));
  check<double>("exponential(4)", bl::exponential<double>(g, 4, s), bm::exponential(0.25));
  for (const double k : {0.05, 0.5, 0.999, 1.0, 1.5, 7.0, 300.0, 1e7}) {
    check<double>("gamma", bl::gamma<double>(g, k, s), bm::gamma_distribution<>(k));
    check<float>("gamma(k, 3)", bl::gamma<float>(g, k, 3, s), bm::gamma_distribution<>(k, 3));
  }
  for (const double a : {0.1, 0.8, 1.0, 2.5, 40.0})
    for (const double b : {0.3, 1.0, 6.0})
      check<double>("beta", bl::beta<double>(g, a, b, s), bm::beta_distribution<>(a, b));
}

BOOST_AUTO_TEST_CASE(truncated_normal_draws_have_their_distribution) {
  bl::generator g(7);
  const bl::dshape<1> s(n);
  const double bounds[][2] = {
      {-1, 2},  {-infinity, infinity}, {-0.2, 0.3}, {0, 4}, {0.5, infinity}, {3, infinity}, {3, 3.1}, {9, 9.05},
      {-6, -5}, {-5, -0.001},          {-8, 0.1},   {2, 9}, {-infinity, 1}};
  for (const auto& b : bounds) {
    const bl::tensor x = bl::truncated_normal<double>(g, 2, 3, 2 + 3 * b[0], 2 + 3 * b[1], s);
    check_continuous("truncated_normal", x.data(), x.size(), truncated{bm::normal(2, 3), 2 + 3 * b[0], 2 + 3 * b[1]});
    BOOST_TEST((bl::amin(x).item() >= 2 + 3 * b[0] && bl::amax(x).item() <= 2 + 3 * b[1]));
  }
  // Far out it is the exponential distribution beyond the bound.
  const bl::tensor far = bl::truncated_normal<double>(g, 0, 1, 1e9, infinity, bl::dshape<1>(100));
  BOOST_TEST((bl::amin(far).item() >= 1e9 && bl::amax(far).item() < 1e9 + 1e-6));
  const bl::tensor further = bl::truncated_normal<double>(g, -1e9, 1, 0, infinity, s);
  check_continuous("beyond -1e9", further.data(), further.size(), bm::exponential(1e9));
}

BOOST_AUTO_TEST_CASE(limits_of_parameters) {
  bl::generator g(1);
  const bl::dshape<1> s(1000);
  BOOST_TEST(bl::all(bl::gamma<double>(g, 0, s) == 0).item());
  BOOST_TEST(bl::all(bl::exponential<float>(g, 0, s) == 0).item());
  BOOST_TEST(bl::all(bl::normal<double>(g, 2, 0, s) == 2).item());
  // of such parameters nearly all draws are 0 or 1 in f64, none is NaN
  const bl::tensor b = bl::beta<double>(g, 1e-3, 1e-3, s);
  BOOST_TEST((bl::amin(b).item() >= 0 && bl::amax(b).item() <= 1));
  BOOST_TEST(std::abs(bl::mean(b).item() - 0.5) < 0.06);
}

BOOST_AUTO_TEST_CASE(dirichlet_draws_lie_on_the_simplex) {
  bl::generator g(3);
  const bl::tensor<double, bl::shape<3>> alpha{0.4, 1, 2.5};
  const bl::tensor x = bl::dirichlet(g, alpha, bl::dshape<1>(n));
  static_assert(std::is_same_v<decltype(x), const bl::tensor<double, bl::shape<bl::dyn, 3>>>);
  BOOST_TEST(bl::amax(bl::abs(bl::sum(x, bl::axes<1>) - 1)).item() < 1e-14);
  BOOST_TEST(bl::amin(x).item() >= 0);
  for (const bl::index k : {0, 1, 2}) {
    // Each coordinate alone has a beta distribution.
    const bl::dtensor<double, 1> one = bl::select(x, 1, k);
    check_continuous("dirichlet", one.data(), one.size(), bm::beta_distribution<>(alpha(k), 3.9 - alpha(k)));
  }
  const bl::tensor single = bl::dirichlet<float>(g, alpha);
  static_assert(std::is_same_v<decltype(single), const bl::tensor<float, bl::shape<3>>>);
  // Where gamma draws underflow, one coordinate is 1.
  const bl::tensor small = bl::dirichlet(g, bl::full<double>(bl::shape<4>{}, 1e-5), bl::dshape<1>(200));
  BOOST_TEST(bl::amax(bl::abs(bl::sum(small, bl::axes<1>) - 1)).item() < 1e-14);
  BOOST_TEST(bl::amin(bl::amax(small, bl::axes<1>)).item() > 0.5);
}

BOOST_AUTO_TEST_CASE(parameters_are_checked) {
  bl::generator g(1);
  const bl::shape<2> s;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  refused([&] { bl::normal<float>(g, 0, -1, s); }, "normal: the deviation is -1, and must be 0 or more");
  refused([&] { bl::exponential<float>(g, nan, s); }, "exponential: the scale is nan, and must be 0 or more");
  refused([&] { bl::gamma<float>(g, -0.5, s); }, "gamma: the shape is -0.5, and must be finite and not negative");
  refused([&] { bl::gamma<float>(g, 1, -2, s); }, "gamma: the scale is -2, and must be 0 or more");
  refused([&] { bl::beta<float>(g, 0, 1, s); }, "beta: a is 0, and must be positive and finite");
  refused([&] { bl::beta<float>(g, 1, infinity, s); }, "beta: b is inf, and must be positive and finite");
  refused([&] { bl::truncated_normal<float>(g, 0, 0, 1, 2, s); },
          "truncated_normal: the deviation is 0, and must be positive and finite");
  refused([&] { bl::truncated_normal<float>(g, 0, 1, 2, 2, s); },
          "truncated_normal: the lower bound is 2, and must be below the upper one");
  // Those of arrays when they are read.
  const bl::tensor<float, bl::shape<2>> bad{1, -1};
  refused([&] { bl::eval(bl::normal(g, 0, bad)); }, "normal: the deviation is -1, and must be 0 or more");
  refused([&] { bl::eval(bl::gamma(g, bad)); }, "gamma: the shape is -1, and must be finite and not negative");
  refused([&] { bl::eval(bl::dirichlet(g, bad)); }, "dirichlet: alpha is -1, and must be finite and not negative");
}

BOOST_AUTO_TEST_SUITE_END()
