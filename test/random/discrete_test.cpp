// Discrete distributions: by chi-squared at fixed seeds, their limits, and their errors.
#include <broadloom/expr/views.hpp>
#include <broadloom/random/discrete.hpp>
#include <broadloom/reduce/equality.hpp>
#include <broadloom/reduce/sums.hpp>
#include <broadloom/tensor/factories.hpp>

#include <boost/math/distributions/bernoulli.hpp>
#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/poisson.hpp>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "chi_squared.hpp"

namespace bl = broadloom;
namespace bm = boost::math;
using statistics::check_discrete;

namespace {

constexpr long n = 40000;

template <class E, class Distribution>
void check(const char* what, const E& e, const Distribution& d, long from, long to) {
  const bl::dtensor<std::int64_t, 1> x = bl::cast<std::int64_t>(e);
  check_discrete(what, x.data(), x.size(), d, from, to);
}

// Integers of [low, low + count), as many of each.
struct equally {
  double low, count;
};
struct above {
  equally d;
  double k;
};
double pdf(const equally& d, double) { return 1 / d.count; }
double cdf(const equally& d, double k) { return (k - d.low + 1) / d.count; }
above complement(const equally& d, double k) { return {d, k}; }
double cdf(const above& r) { return 1 - cdf(r.d, r.k); }

template <class Call>
void refused(Call call, const char* text) {
  BOOST_CHECK_EXCEPTION(call(), std::invalid_argument, [text](const std::invalid_argument& e) {
    BOOST_TEST(e.what() == text);
    return true;
  });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(random_discrete)

BOOST_AUTO_TEST_CASE(draws_have_their_distribution) {
  bl::generator g(2026);
  const bl::dshape<1> s(n);
  for (const double rate : {0.01, 0.7, 3.0, 9.99, 10.0, 45.0, 700.0})
    check("poisson", bl::poisson<std::int64_t>(g, rate, s), bm::poisson(rate), 0, 2000);
  for (const int trials : {1, 5, 30, 400, 100000})
    for (const double p : {0.001, 0.2, 0.5, 0.83, 0.999})
      check("binomial", bl::binomial<std::int64_t>(g, trials, p, s), bm::binomial(trials, p), 0, trials);
  check("bernoulli", bl::bernoulli<std::int64_t>(g, 0.3, s), bm::bernoulli(0.3), 0, 1);
  check("randint", bl::randint(g, -3, 14, s), equally{-3, 17}, -3, 13);
  check("randint of i8", bl::randint<std::int8_t>(g, -128, 128, s), equally{-128, 256}, -128, 127);
  check("randint of f32", bl::randint<float>(g, 6, s), equally{0, 6}, 0, 5);
}

BOOST_AUTO_TEST_CASE(bounds_may_be_arrays) {
  bl::generator g(3), h(3), k(3);
  const bl::dtensor<int, 1> low{-3, 0, 100}, high{14, 1, 356};
  const bl::dtensor<std::int64_t, 2> x = bl::randint(g, low, high, bl::dshape<2>(400, 3));
  const bl::dtensor<std::int64_t, 2> first = bl::randint(h, -3, 14, bl::dshape<2>(400, 3));
  BOOST_TEST(bl::array_equal(bl::select(x, 1, 0), bl::select(first, 1, 0)));  // the numbers of these bounds
  BOOST_TEST(bl::all(bl::select(x, 1, 1) == 0).item());
  BOOST_TEST(g.position() == 1200u);
  const bl::dtensor<std::uint8_t, 1> few = bl::randint<std::uint8_t>(k, low + 3, bl::dtensor<int, 1>{17, 4, 256});
  BOOST_TEST(few.size() == 3);
  check("randint of an array",
        bl::randint<float>(g, bl::expand(bl::dtensor<std::int64_t, 1>{-3}, bl::dshape<1>(n)), 14), equally{-3, 17}, -3,
        13);
  refused([&] { bl::eval(bl::randint(g, low, bl::dtensor<int, 1>{-3, 1, 101})); },
          "randint: there are no integers of this type in [-3, -3), or not all are of this type");
}

// Of large numbers by the normal distribution that they have within the width of a bin.
BOOST_AUTO_TEST_CASE(large_counts) {
  bl::generator g(5);
  const bl::dshape<1> s(n);
  const bl::tensor p = bl::poisson<double>(g, 1e14, s);
  statistics::check_continuous("poisson(1e14)", p.data(), n, bm::normal(1e14, 1e7));
  const bl::tensor b = bl::binomial<double>(g, 4e14, 0.75, s);
  statistics::check_continuous("binomial(4e14, 0.75)", b.data(), n, bm::normal(3e14, std::sqrt(0.75e14)));
  // 3 * 2^61 does not divide 2^64: a quarter of the words are drawn again.
  const bl::tensor r = bl::randint<std::uint64_t>(g, 0, std::uint64_t(3) << 61, s);
  const bl::dtensor<std::int64_t, 1> third = bl::cast<std::int64_t>(r >> std::uint64_t(61));
  check_discrete("randint(3 * 2^61)", third.data(), n, equally{0, 3}, 0, 2);
  const bl::tensor w = bl::randint<std::uint32_t>(g, 0, std::int64_t(3) << 29, s);
  const bl::dtensor<std::int64_t, 1> part = bl::cast<std::int64_t>(w >> 29U);
  check_discrete("randint(3 * 2^29)", part.data(), n, equally{0, 3}, 0, 2);
}

BOOST_AUTO_TEST_CASE(limits_of_parameters) {
  bl::generator g(1);
  const bl::dshape<1> s(1000);
  BOOST_TEST(bl::all(bl::poisson<int>(g, 0, s) == 0).item());
  BOOST_TEST(bl::all(bl::binomial<int>(g, 0, 0.5, s) == 0).item());
  BOOST_TEST(bl::all(bl::binomial<int>(g, 9, 0, s) == 0).item());
  BOOST_TEST(bl::all(bl::binomial<int>(g, 1000, 1, s) == 1000).item());
  BOOST_TEST(!bl::any(bl::bernoulli<bool>(g, 0, s)).item());
  BOOST_TEST(bl::all(bl::bernoulli<bool>(g, 1, s)).item());
  BOOST_TEST(bl::all(bl::randint(g, 5, 6, s) == 5).item());
  constexpr auto least = std::numeric_limits<std::int64_t>::min(), most = std::numeric_limits<std::int64_t>::max();
  const bl::tensor wide = bl::randint(g, least, most, s);
  BOOST_TEST((bl::amin(wide).item() < least / 2 && bl::amax(wide).item() > most / 2));
  const bl::tensor u32 = bl::randint<std::uint32_t>(g, 0, std::int64_t(1) << 32, s);
  BOOST_TEST(bl::amax(u32).item() > 0xf0000000U);
}

BOOST_AUTO_TEST_CASE(counts_of_categories) {
  bl::generator g(11);
  const bl::tensor<double, bl::shape<3>> p{0.2, 0.5, 0.3};
  const bl::tensor x = bl::multinomial_counts(g, 40, p, bl::dshape<1>(20000));
  static_assert(std::is_same_v<decltype(x), const bl::tensor<std::int64_t, bl::shape<bl::dyn, 3>>>);
  BOOST_TEST(bl::all(bl::sum(x, bl::axes<1>) == 40).item());
  for (const bl::index k : {0, 1, 2}) check("multinomial_counts", bl::select(x, 1, k), bm::binomial(40, p(k)), 0, 40);
  // What the others lack belongs to the last one.
  const bl::tensor rest = bl::multinomial_counts(g, 7, bl::tensor<float, bl::shape<2>>{0, 0}, bl::shape<>{});
  BOOST_TEST((rest(0) == 0 && rest(1) == 7));
  refused([&] { bl::multinomial_counts(g, 7, bl::tensor<double, bl::shape<3>>{0.75, 0.75, 0}, bl::shape<>{}); },
          "multinomial_counts: the probabilities but the last add up to 1.5, and must not be above 1");
  refused([&] { bl::multinomial_counts(g, -7, p, bl::shape<>{}); },
          "binomial: the number of trials is -7, and must be an integer in [0, 2^53]");
}

BOOST_AUTO_TEST_CASE(parameters_are_checked) {
  bl::generator g(1);
  const bl::shape<2> s;
  refused([&] { bl::poisson<int>(g, -1, s); }, "poisson: the rate is -1, and must be in [0, 2^52]");
  refused([&] { bl::binomial<int>(g, 2.5, 0.5, s); },
          "binomial: the number of trials is 2.5, and must be an integer in [0, 2^53]");
  refused([&] { bl::binomial<int>(g, 2, 1.5, s); }, "binomial: the probability is 1.5, and must be in [0, 1]");
  refused([&] { bl::bernoulli<int>(g, -0.5, s); }, "bernoulli: the probability is -0.5, and must be in [0, 1]");
  refused([&] { bl::randint(g, 3, 3, s); },
          "randint: there are no integers of this type in [3, 3), or not all are of this type");
  refused([&] { bl::randint<std::uint8_t>(g, 0, 257, s); },
          "randint: there are no integers of this type in [0, 257), or not all are of this type");
  const bl::tensor<float, bl::shape<2>> bad{0.5F, -1};
  refused([&] { bl::eval(bl::poisson(g, bad)); }, "poisson: the rate is -1, and must be in [0, 2^52]");
  refused([&] { bl::eval(bl::bernoulli(g, bad)); }, "bernoulli: the probability is -1, and must be in [0, 1]");
}

BOOST_AUTO_TEST_SUITE_END()
