// Covariances and correlations, against PyTorch.
#include "index/vocabulary_cases.hpp"

#include <broadloom/linalg/covariance.hpp>

using namespace vocabulary;

BOOST_AUTO_TEST_SUITE(linalg_covariance)

BOOST_AUTO_TEST_CASE(they_are_those_of_pytorch) {
  each_vocabulary("cov", 20, [](const line& l, const auto& x) {
    if constexpr (rank_of<decltype(x)> < 3) return near(l.result(), bl::cov(x, bl::correction{std::stod(l.parameter)}));
    return false;
  });
  each_vocabulary("corrcoef", 10, [](const line& l, const auto& x) {
    if constexpr (rank_of<decltype(x)> < 3) return near(l.result(), bl::corrcoef(x));
    return false;
  });
}

BOOST_AUTO_TEST_SUITE_END()
