// Histograms of several coordinates, against NumPy and PyTorch.
#include "index/vocabulary_cases.hpp"

#include <broadloom/index/histogramdd.hpp>

using namespace vocabulary;

namespace {

constexpr const char* table = "test/data/vocabulary_cases.tsv";
template <int R>
auto at(const line& l, std::size_t k) {
  return l.arrays[k].as<double, R>();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(index_histogramdd)

BOOST_AUTO_TEST_CASE(counts_are_those_of_numpy_and_pytorch) {
  each(
      "histogramdd", 60,
      [](const line& l) {
        const auto bins = bl::bins(at<1>(l, 1), at<1>(l, 2), at<1>(l, 3));
        return near(l.result(), bl::histogramdd(at<2>(l, 0), bins, l.parameter == "1").hist);
      },
      table);
  each(
      "histogramdd_weights", 60,
      [](const line& l) {
        const auto bins = bl::bins(at<1>(l, 1), at<1>(l, 2), at<1>(l, 3));
        return near(l.result(), bl::histogramdd(at<2>(l, 0), bins, at<1>(l, 4), l.parameter == "1").hist);
      },
      table);
  each(
      "histogramdd_counts", 72,
      [](const line& l) {
        return near(l.result(), bl::histogramdd(at<2>(l, 0), bl::bins(3, 2, 4), l.parameter == "1").hist);
      },
      table);
  each(
      "histogram2d", 72,
      [](const line& l) {
        const auto x = at<2>(l, 0);
        const auto r = bl::histogram2d(bl::select(x, 1, 0), bl::select(x, 1, 1), 4, at<1>(l, 1), l.parameter == "1");
        return near(l.arrays[2], r.hist) && near(l.arrays[3], r.edges[0]) && near(l.arrays[4], r.edges[1]);
      },
      table);
}

BOOST_AUTO_TEST_CASE(weights_integers_and_errors) {
  const bl::dtensor<int, 1> x{0, 1, 1, 3}, y{0, 0, 1, 5};
  const auto r = bl::histogram2d(x, y, 3, bl::dtensor<int, 1>{0, 1, 2}, bl::dtensor<float, 1>{1, 2, 4, 8});
  BOOST_TEST(equal(r.hist, bl::dtensor<double, 2>{{1, 0}, {2, 4}, {0, 0}}));
  BOOST_TEST(equal(bl::histogram2d(x * 0, x * 0, 1, 1).edges[0], bl::dtensor<double, 1>{-0.5, 0.5}));
  const auto refused = [](const auto& f) { return first_line(text_of<bl::shape_error>(f)); };
  BOOST_TEST(refused([&] { bl::bins(bl::dtensor<int, 1>{1, 0}); }) == "bins must increase monotonically");
  BOOST_TEST(refused([&] { bl::histogram2d(x, y, 0, 1); }) == "bins must be > 0");
  BOOST_TEST(refused([&] { bl::histogram2d(x, bl::arange<int>(3), 1, 1); }) == "x and y must have the same length.");
  BOOST_CHECK_THROW(bl::histogramdd(bl::dtensor<int, 2>(3, 3), bl::bins(1, 2)), bl::shape_error);
  BOOST_CHECK_THROW(bl::histogram2d(bl::dtensor<double, 1>{0, INFINITY}, bl::arange<int>(2), 2, 2), bl::shape_error);
}

BOOST_AUTO_TEST_SUITE_END()
