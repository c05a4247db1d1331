// Pearson's chi-squared test of draws against a distribution of Boost.Math, at a fixed seed.
#pragma once

#include <boost/math/distributions/chi_squared.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <vector>

namespace statistics {

// Exceeded by one true sample in ten thousand.
inline double critical(int freedom) { return quantile(complement(boost::math::chi_squared(freedom), 1e-4)); }

inline double chi_squared(const std::vector<double>& counts, const std::vector<double>& expected) {
  double sum = 0;
  for (std::size_t i = 0; i < counts.size(); ++i)
    sum += (counts[i] - expected[i]) * (counts[i] - expected[i]) / expected[i];
  return sum;
}

// Draws of a continuous distribution: 64 bins that are equally likely.
template <class T, class Distribution>
void check_continuous(const char* what, const T* x, long n, const Distribution& d) {
  constexpr int bins = 64;
  std::vector<double> edges, counts(bins), expected(bins, static_cast<double>(n) / bins);
  for (int k = 1; k < bins; ++k) edges.push_back(quantile(d, static_cast<double>(k) / bins));
  for (long i = 0; i < n; ++i)
    counts[static_cast<std::size_t>(std::upper_bound(edges.begin(), edges.end(), double(x[i])) - edges.begin())] += 1;
  const double found = chi_squared(counts, expected);
  BOOST_TEST(found < critical(bins - 1), what << ": " << found);
  // Not suspiciously even either.
  BOOST_TEST(found > quantile(boost::math::chi_squared(bins - 1), 1e-4), what << ": " << found);
}

// Draws of a discrete one: a bin for each value that is expected 20 times or more, and one for the rest on each side.
template <class T, class Distribution>
void check_discrete(const char* what, const T* x, long n, const Distribution& d, long from, long to) {
  const double all = static_cast<double>(n);
  while (from < to && all * pdf(d, static_cast<double>(from)) < 20) ++from;
  while (from < to && all * pdf(d, static_cast<double>(to)) < 20) --to;
  std::vector<double> counts(static_cast<std::size_t>(to - from + 1)), expected;
  for (long k = from; k <= to; ++k) expected.push_back(all * pdf(d, static_cast<double>(k)));
  if (from > 0) expected.front() = all * cdf(d, static_cast<double>(from));
  expected.back() = all * (to > from ? cdf(complement(d, static_cast<double>(to - 1))) : 1);
  for (long i = 0; i < n; ++i) {
    const long k = std::clamp(static_cast<long>(x[i]), from, to);
    counts[static_cast<std::size_t>(k - from)] += 1;
    BOOST_REQUIRE(static_cast<double>(static_cast<long>(x[i])) == static_cast<double>(x[i]));
  }
  const double found = chi_squared(counts, expected);
  BOOST_TEST(found < critical(static_cast<int>(counts.size()) - 1), what << ": " << found << " of " << counts.size());
}

}  // namespace statistics
