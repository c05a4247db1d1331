// Membership, intervals, functions given by points, and order statistics without NaN, against PyTorch and NumPy.
#include "index/vocabulary_cases.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <broadloom/index/histogram.hpp>
#include <broadloom/index/membership.hpp>
#include <broadloom/index/nan_order.hpp>

using namespace vocabulary;
using namespace bl::literals;

BOOST_AUTO_TEST_SUITE(index_histogram)

BOOST_AUTO_TEST_CASE(intervals_are_those_of_pytorch_and_numpy) {
  const auto second = [](const line& l) { return l.arrays[1].template as<double, 1>(); };
  each_vocabulary("isin", 18, [&](const line& l, const auto& x) {
    return l.result().is(bl::isin(x, second(l), l.parameter == "1"));
  });
  each_vocabulary("digitize", 72, [&](const line& l, const auto& x) {
    return l.result().is(bl::digitize(x, second(l), l.parameter == "1"));
  });
  each_vocabulary("histogram", 30, [&](const line& l, const auto& x) {
    return near(l.result(), bl::histogram(x, second(l), l.parameter == "1").hist);
  });
  each_vocabulary("histogram_weights", 15, [&](const line& l, const auto& x) {
    return near(l.result(), bl::histogram(x, second(l), x * x).hist);
  });
  each_vocabulary("interp", 18, [&](const line& l, const auto& x) {
    return near(l.result(), bl::interp(x, second(l), l.arrays[2].template as<double, 1>()));
  });
  each_vocabulary("interp_ends", 18, [&](const line& l, const auto& x) {
    return near(l.result(), bl::interp(x, second(l), l.arrays[2].template as<double, 1>(), -9, 7));
  });
}

// What NumPy gives; tenths are edges.
BOOST_AUTO_TEST_CASE(a_number_of_intervals_is_over_all_values) {
  const bl::dtensor<double, 1> tenths{0.7, 0, 1, 0.9, 0, 0.3, 0.6};
  BOOST_TEST(bl::array_equal(bl::histogram(tenths, 10).hist, bl::dtensor<double, 1>{2, 0, 1, 0, 0, 1, 1, 0, 0, 2}));
  const bl::dtensor<float, 2> x{{1, 2}, {2, 9}};
  const auto r = bl::histogram(x, 4);
  BOOST_TEST(bl::array_equal(r.hist, bl::dtensor<float, 1>{3, 0, 0, 1}));
  BOOST_TEST(bl::array_equal(r.edges, bl::dtensor<float, 1>{1, 3, 5, 7, 9}));
  BOOST_TEST(bl::array_equal(bl::histogram(x, 4, true).hist, bl::dtensor<float, 1>{0.375f, 0, 0, 0.125f}));
  const bl::dtensor<int, 1> i{3, 3}, weights{1, 5};
  const auto same = bl::histogram(i, 2, weights);
  BOOST_TEST(bl::array_equal(same.hist, bl::dtensor<double, 1>{0, 6}));
  BOOST_TEST(bl::array_equal(same.edges, bl::dtensor<double, 1>{2.5, 3, 3.5}));
  BOOST_TEST(bl::array_equal(bl::histogram(bl::dtensor<double, 1>(0), 2).edges, bl::dtensor<double, 1>{0, 0.5, 1}));
  BOOST_CHECK_THROW(bl::histogram(x, 0), bl::shape_error);
  BOOST_CHECK_THROW(bl::histogram(bl::dtensor<double, 1>{1, NAN}, 2), bl::shape_error);
}

BOOST_AUTO_TEST_CASE(a_number_of_intervals_is_over_a_range) {
  const bl::dtensor<double, 1> x{0.5, 1, 2, 7, 8, 9, -1};
  const auto r = bl::histogram(x, 4, {0, 8});
  BOOST_TEST(bl::array_equal(r.hist, bl::dtensor<double, 1>{2, 1, 0, 2}));
  BOOST_TEST(bl::array_equal(r.edges, bl::dtensor<double, 1>{0, 2, 4, 6, 8}));
  BOOST_TEST(bl::array_equal(bl::histogram(bl::dtensor<int, 1>{1, 2, 3}, 2, {2, 2}).hist,
                             bl::dtensor<double, 1>{0, 1}));  // from 1.5 to 2.5
  const bl::dtensor<float, 1> y{1, 2, 8};
  const float high = 8;
  BOOST_TEST(
      bl::array_equal(bl::histogram(y * 1, 4, {0.0, high}, y).hist, bl::dtensor<float, 1>{1, 2, 0, 8}));  // weights
  BOOST_TEST(bl::array_equal(bl::histogram(y, 2, {0, 16}, true).hist, bl::dtensor<float, 1>{1 / 12.0f, 1 / 24.0f}));
  BOOST_CHECK_THROW(bl::histogram(x, 4, {8, 0}), bl::shape_error);
  BOOST_CHECK_THROW(bl::histogram(x, 4, {0, NAN}), bl::shape_error);
  BOOST_CHECK_THROW(bl::histogram(x, 0, {0, 1}), bl::shape_error);
}

// Points evenly spaced and not, values that ascend beside them and not, few and many of both: each as by itself.
BOOST_AUTO_TEST_CASE(interpolation_of_many_is_that_of_each) {
  for (const bl::index count : {1, 2, 7, 300})
    for (const bool even : {true, false})
      for (const bool ascend : {true, false}) {
        const bl::dtensor<double, 1> i = bl::arange<double>(count);
        bl::dtensor<double, 1> points = i;
        if (!even) points = i + 0.45 * bl::sin(i);
        const bl::dtensor<double, 1> values = bl::cos(3 * i);
        bl::dtensor<double, 1> x = (bl::sin(bl::arange<double>(700) * 7) + 1) * 0.55 * static_cast<double>(count) - 1;
        x(bl::range(0, count)) = points;
        if (ascend)
          x = bl::sort(x).values;
        else
          x(650) = std::numeric_limits<double>::quiet_NaN();
        const bl::dtensor<double, 1> r = bl::interp(x, points, values, -5, 5);
        for (bl::index k = 0; k < x.size(); ++k) {
          const double one = bl::interp(x(k), points, values, -5, 5);
          BOOST_TEST((r(k) == one || (std::isnan(r(k)) && std::isnan(one) && std::isnan(x(k)))));
          if (x(k) < points(0)) BOOST_TEST(one == -5);
        }
      }
}

BOOST_AUTO_TEST_CASE(interpolation_beside_infinite_values_and_nan) {
  const double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  const bl::dtensor<double, 1> points{0, 1, 2}, values{1, inf, 3};
  // A point's value is its own whatever lies beside it.
  BOOST_TEST(bl::array_equal(bl::interp(bl::dtensor<double, 1>{0, 0.5, 1, 2}, points, values),
                             bl::dtensor<double, 1>{1, inf, inf, 3}));
  // NaN before, between and behind values that ascend.
  for (bl::index at = 0; at < 4; ++at) {
    bl::dtensor<double, 1> x{0, 0.5, 1.5, 2};
    x(at) = nan;
    const bl::dtensor<double, 1> r = bl::interp(x, points, points * 2);
    for (bl::index k = 0; k < 4; ++k) BOOST_TEST((k == at ? std::isnan(r(k)) : r(k) == 2 * x(k)));
  }
}

BOOST_AUTO_TEST_CASE(order_statistics_are_those_of_pytorch_and_numpy) {
  each_vocabulary("nanmedian", 18,
                  [](const line& l, const auto& x) { return l.result().is(bl::nanmedian(x, l.axis).values); });
  each_vocabulary("nanmedian_all", 18, [](const line& l, const auto& x) { return l.result().is(bl::nanmedian(x)); });
  each_vocabulary("most_frequent", 18,
                  [](const line& l, const auto& x) { return both_are(l, bl::most_frequent(x, l.axis)); });
  each_vocabulary("percentile", 72, [](const line& l, const auto& x) {
    return near(l.result(), bl::percentile(x, std::stod(l.parameter), l.axis));
  });
  each_vocabulary("percentile_all", 72, [](const line& l, const auto& x) {
    return near(l.result(), bl::percentile(x, std::stod(l.parameter)));
  });
  each_vocabulary("nanpercentile", 72, [](const line& l, const auto& x) {
    return near(l.result(), bl::nanpercentile(x, std::stod(l.parameter), l.axis));
  });
  each_vocabulary("nanquantile", 360, [](const line& l, const auto& x) {
    using kind = bl::interpolation;
    const std::string how = l.parameter.substr(l.parameter.find(',') + 1);
    const kind between = how == "linear"    ? kind::linear
                         : how == "lower"   ? kind::lower
                         : how == "higher"  ? kind::higher
                         : how == "nearest" ? kind::nearest
                                            : kind::midpoint;
    return near(l.result(), bl::nanquantile(x, std::stod(l.parameter), l.axis, between));
  });
}

BOOST_AUTO_TEST_CASE(nanmedian_names_the_equal_element_that_sorting_would_put_in_the_middle) {
  for (bl::index n : {1, 2, 5, 64, 501}) {
    bl::dtensor<float, 1> x(n);
    std::vector<bl::index> order;
    for (bl::index i = 0; i < n; ++i) {
      x(i) = i % 5 == 1 ? std::numeric_limits<float>::quiet_NaN() : static_cast<float>(i * 7 % 11 % 4) * -0.0F;
      if (i % 3 != 0 && i % 5 != 1) x(i) = static_cast<float>(i * i % 7) - 3;
      if (i % 5 != 1) order.push_back(i);
    }
    std::stable_sort(order.begin(), order.end(), [&](bl::index a, bl::index b) { return x(a) < x(b); });
    BOOST_TEST(bl::nanmedian(x, 0).indices() == order[(order.size() - 1) / 2]);
  }
}

BOOST_AUTO_TEST_CASE(classes) {
  each_vocabulary("one_hot", 36,
                  [](const line& l, const auto& x) { return l.result().is(bl::one_hot(bl::cast<int>(x), l.axis)); });
  static_assert(std::is_same_v<decltype(bl::one_hot(bl::tensor<int, bl::shape<2>>{1, 2}, 4_c)),
                               bl::tensor<bl::index, bl::shape<2, 4>>>);
  BOOST_CHECK_THROW(bl::one_hot(bl::dtensor<int, 1>{1, 2}, 2), bl::index_error);
  BOOST_CHECK_THROW(bl::one_hot(bl::dtensor<int, 1>{-1}), bl::index_error);
}

BOOST_AUTO_TEST_CASE(a_number_and_numbers_in_braces) {
  const bl::dtensor<double, 1> points{0, 1, 3}, values{10, 20, 0};
  for (const double x : {-1.0, 0.0, 0.25, 2.0, 7.0}) {
    BOOST_TEST(bl::interp(x, points, values) == bl::interp(bl::dtensor<double, 1>{x}, points, values)(0));
    BOOST_TEST(bl::interp(x, points, values, -1, 9) == bl::interp(bl::dtensor<double, 1>{x}, points, values, -1, 9)(0));
  }
  bl::dtensor<double, 2> x(5, 7);
  double n = 0.25;
  for (double& e : x) e = n = 3.9 * n * (1 - n);
  const bl::dtensor<double, 1> q{2.5, 50, 97.5};
  BOOST_TEST(bl::array_equal(bl::percentile(x, {2.5, 50, 97.5}), bl::percentile(x, q)));
  BOOST_TEST(bl::array_equal(bl::percentile(x, {5, 50}, 1), bl::percentile(x, bl::dtensor<double, 1>{5, 50}, 1)));
  BOOST_TEST(bl::array_equal(bl::quantile(x, {0, 1}), bl::quantile(x, bl::dtensor<double, 1>{0, 1})));
  BOOST_TEST((bl::quantile(x, {0.5}, 0).shape() == bl::dshape<2>(1, 7)));
  BOOST_TEST(bl::array_equal(bl::nanpercentile(x, {2.5, 50, 97.5}, 0), bl::nanpercentile(x, q, 0)));
  BOOST_CHECK_THROW(bl::percentile(x, {5, 101}), std::exception);
}

BOOST_AUTO_TEST_SUITE_END()
