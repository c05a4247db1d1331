// Reductions without NaN, extremes together, equality, differences and integrals, against PyTorch and NumPy.
#include "index/vocabulary_cases.hpp"

#include <broadloom/index/differences.hpp>
#include <broadloom/reduce/equality.hpp>
#include <broadloom/reduce/nan.hpp>

using namespace vocabulary;
using namespace bl::literals;

BOOST_AUTO_TEST_SUITE(reduce_nan)

BOOST_AUTO_TEST_CASE(without_nan_they_are_those_of_pytorch_and_numpy) {
  each_vocabulary("nansum", 36, [](const line& l, const auto& x) {
    return l.parameter == "all" ? near(l.result(), bl::nansum(x)) : near(l.result(), bl::nansum(x, l.axis));
  });
  each_vocabulary("nanprod", 18, [](const line& l, const auto& x) { return near(l.result(), bl::nanprod(x, l.axis)); });
  each_vocabulary("nanmean", 18, [](const line& l, const auto& x) { return near(l.result(), bl::nanmean(x, l.axis)); });
  each_vocabulary("nanmax", 18, [](const line& l, const auto& x) { return near(l.result(), bl::nanmax(x, l.axis)); });
  each_vocabulary("nanmin", 18, [](const line& l, const auto& x) { return near(l.result(), bl::nanmin(x, l.axis)); });
  each_vocabulary("nanvar", 36, [](const line& l, const auto& x) {
    return near(l.result(), bl::nanvar(x, l.axis, bl::correction{std::stod(l.parameter)}));
  });
  each_vocabulary("nanstd", 36, [](const line& l, const auto& x) {
    return near(l.result(), bl::nanstd(x, l.axis, bl::correction{std::stod(l.parameter)}));
  });
}

BOOST_AUTO_TEST_CASE(extremes_and_equality_are_those_of_pytorch_and_numpy) {
  const auto both = [](const line& l, const auto& r) { return l.arrays[1].is(r.min) && l.arrays[2].is(r.max); };
  each_vocabulary("aminmax", 18, [&](const line& l, const auto& x) { return both(l, bl::aminmax(x, l.axis)); });
  each_vocabulary("aminmax_all", 18, [&](const line& l, const auto& x) { return both(l, bl::aminmax(x)); });
  each_vocabulary("ptp", 18, [](const line& l, const auto& x) { return l.result().is(bl::ptp(x, l.axis)); });
  each_vocabulary("array_equal", 18, [](const line& l, const auto& x) {
    const auto y = l.arrays[1].template as<double, rank_of<decltype(x)>>();
    return bl::array_equal(x, y) == (l.result().elements[0] != 0);
  });
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const bl::dtensor<float, 1> a{1, nan};
  BOOST_TEST(
      (!bl::array_equal(a, a) && bl::array_equal(a, a, bl::equal_nan{}) && !bl::array_equal(a, bl::ones<float>(1, 2))));
  BOOST_TEST((!bl::allclose(a, a).item() && bl::allclose(a, a, 1e-5, 1e-8, bl::equal_nan{}).item()));
  BOOST_TEST((bl::allclose(bl::ones<float>(3, 1), 1 + 1e-6f).item() && !bl::allclose(bl::ones<float>(3), 1.1).item()));
}

BOOST_AUTO_TEST_CASE(neighbours_are_those_of_pytorch_and_numpy) {
  each_vocabulary("diff", 72, [](const line& l, const auto& x) {
    const int n = std::stoi(l.parameter);
    bool ok = l.result().is(bl::diff(x, n, l.axis));
    if (n == 1) ok = ok && l.result().is(bl::diff(x, 1_c, l.axis));
    if (n == 2) ok = ok && l.result().is(bl::diff(x, 2_c, l.axis));
    return ok;
  });
  each_vocabulary("trapezoid", 18,
                  [](const line& l, const auto& x) { return near(l.result(), bl::trapezoid(x, 0.5, l.axis)); });
  each_vocabulary("trapezoid_x", 18, [](const line& l, const auto& x) {
    return near(l.result(), bl::trapezoid(x, l.arrays[1].template as<double, 1>(), l.axis));
  });
  each_vocabulary("cumulative_trapezoid", 18, [](const line& l, const auto& x) {
    return near(l.result(), bl::cumulative_trapezoid(x, 2, l.axis));
  });
  each_vocabulary("cumulative_sum", 18,
                  [](const line& l, const auto& x) { return l.result().is(bl::cumulative_sum(x, l.axis, 3)); });
  each_vocabulary("cumulative_prod", 18,
                  [](const line& l, const auto& x) { return l.result().is(bl::cumulative_prod(x, l.axis, 3)); });
  each_vocabulary("trace", 12, [](const line& l, const auto& x) {
    if constexpr (rank_of<decltype(x)> > 1) return l.result().is(bl::trace(x, l.axis));
    return false;
  });
  BOOST_TEST((equal(bl::diff(bl::dtensor<bool, 1>{true, true, false}), bl::dtensor<bool, 1>{false, true})));
  BOOST_CHECK_THROW(bl::diff(bl::zeros<int>(3), -1), bl::shape_error);
}

BOOST_AUTO_TEST_SUITE_END()
