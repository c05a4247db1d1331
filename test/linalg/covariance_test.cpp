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

// The main diagonal of a square of names has their name, by which the rows and columns are divided.
BOOST_AUTO_TEST_CASE(sizes_keep_their_names) {
  const bl::dtensor<double, 2> plain{{1, 2, 4}, {3, 1, 0}};
  const auto x = bl::named<"sensor", "time">(plain);
  const auto r = bl::corrcoef(x);
  static_assert(std::is_same_v<bl::static_shape_of<decltype(r)>, bl::shape<bl::size<"sensor">, bl::size<"sensor">>>);
  BOOST_TEST(bl::array_equal(bl::unnamed(bl::eval(r)), bl::corrcoef(plain)));
}

BOOST_AUTO_TEST_CASE(observations_have_weights) {
  each_vocabulary("cov_weights", 200, [](const line& l, const auto& x) {
    if constexpr (rank_of<decltype(x)> < 3) {
      const bl::correction c{std::stod(l.parameter)};
      const auto f = bl::fweights(l.arrays[1].as<int, 1>());
      const auto a = bl::aweights(l.arrays[2].as<double, 1>());
      const std::string which = l.parameter.substr(l.parameter.find(',') + 1);
      return which == "f"   ? near(l.result(), bl::cov(x, f, c), 64)
             : which == "a" ? near(l.result(), bl::cov(x, a, c), 64)
                            : near(l.result(), bl::cov(x, a, f, c), 64);
    }
    return false;
  });
  const bl::dtensor<double, 2> x{{1, 2, 4}, {3, 0, 1}};
  const auto refused = [&](const auto& w) { return text_of<std::invalid_argument>([&] { bl::cov(x, w); }); };
  BOOST_TEST(refused(bl::fweights(bl::dtensor<int, 1>{1, -1, 1})) == "cov(): fweights cannot be negative");
  BOOST_TEST(refused(bl::aweights(bl::dtensor<double, 1>{0, 0, 0})) ==
             "cov(): weights sum to zero, can't be normalized");
  BOOST_TEST(text_of<bl::shape_error>([&] { bl::cov(x, bl::aweights(bl::ones<double>(2))); }) ==
             "cov(): expected aweights to have the same numel as there are observations in the input but got 2 != 3");
  const bl::dtensor<int, 2> whole{{1, 2, 4}, {3, 0, 1}};
  BOOST_TEST(bl::allclose(bl::cov(whole, bl::fweights(bl::dtensor<int, 1>{1, 1, 1})), bl::cov(whole)).item());
}

BOOST_AUTO_TEST_SUITE_END()
