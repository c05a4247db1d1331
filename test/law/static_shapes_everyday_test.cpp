// The law of static shapes for the everyday functions of NumPy and PyTorch: names of views, parts, joins, statistics
// that leave NaN out, differences, membership, histograms, and reductions by callables.
// Build: unoptimised, seldom, parsed-by-gcc
#include <boost/test/unit_test.hpp>

#include "static_shapes.hpp"

#include <broadloom/expr/view_names.hpp>
#include <broadloom/half.hpp>
#include <broadloom/index/column_stack.hpp>
#include <broadloom/index/differences.hpp>
#include <broadloom/index/histogram.hpp>
#include <broadloom/index/membership.hpp>
#include <broadloom/index/nan_order.hpp>
#include <broadloom/index/tensor_split.hpp>
#include <broadloom/linalg/covariance.hpp>
#include <broadloom/reduce/equality.hpp>
#include <broadloom/reduce/nan.hpp>
#include <broadloom/reduce/own.hpp>
#include <broadloom/tensor/flatten.hpp>

using law::axis_of, law::dyn, law::keeps, law::of;
namespace bl = broadloom;
using namespace bl::literals;

BOOST_AUTO_TEST_CASE(views) {
  keeps<of<float, 2, 3>>("expand_dims", {axis_of(3)}, [](auto x, auto c) { return bl::expand_dims(x, c[0]); });
  keeps<of<float, 2, 3>>("swapaxes", {axis_of(2), axis_of(2)},
                         [](auto x, auto c) { return bl::swapaxes(x, c[0], c[1]); });
  keeps<of<float, 2, 3>>("swapdims", {}, [](auto x, auto) { return bl::swapdims(x, 0_c, 1_c); });
  keeps<of<float, 2, 3, 4>>("moveaxis", {axis_of(3), axis_of(3)},
                            [](auto x, auto c) { return bl::moveaxis(x, c[0], c[1]); });
  keeps<of<float, 2, 3>>("fliplr", {}, [](auto x, auto) { return bl::fliplr(x); });
  keeps<of<float, 2, 3>>("flipud", {}, [](auto x, auto) { return bl::flipud(x); });
  keeps<of<float>>("atleast_1d", {}, [](auto x, auto) { return bl::atleast_1d(x); });
  keeps<of<float, 3>>("atleast_2d", {}, [](auto x, auto) { return bl::atleast_2d(x); });
  keeps<of<float, 3>>("atleast_3d", {}, [](auto x, auto) { return bl::atleast_3d(x); });
  keeps<of<float, 2, 3, 4>>("flatten", {}, [](auto x, auto) { return bl::flatten(x); });
  keeps<of<float, 2, dyn, 4>>("flatten", {}, [](auto x, auto) { return bl::flatten(x, 1_c, 2_c); });
  keeps<of<float, 2, 3>>("ravel", {}, [](auto x, auto) { return bl::ravel(x); });
  keeps<of<float, 2, 3>>("round_once", {}, [](auto x, auto) { return bl::round_once(bl::cast<bl::float16>(x) * 3); });
  keeps<of<float, 2, 12>>("unflatten", {}, [](auto x, auto) { return bl::unflatten(x, 1_c, 3_c, 4_c); });
}

BOOST_AUTO_TEST_CASE(parts_and_joins) {
  keeps<of<float, 2, 3>>("unbind", {}, [](auto x, auto) { return bl::unbind(x, 1_c); });
  keeps<of<float, 2, 3>>("bit_cast", {}, [](auto x, auto) { return bl::bit_cast<std::int16_t>(x); });
  keeps<of<float, 6, 2>>("tensor_split", {}, [](auto x, auto) { return bl::tensor_split(x, 3_c); });
  keeps<of<float, 6, 2>>("array_split", {}, [](auto x, auto) { return bl::array_split(x, 3_c); });
  keeps<of<float, 2, 6>>("hsplit", {}, [](auto x, auto) { return bl::hsplit(x, 2_c); });
  keeps<of<float, 6, 2>>("vsplit", {}, [](auto x, auto) { return bl::vsplit(x, 2_c); });
  keeps<of<float, 2, 3, 6>>("dsplit", {}, [](auto x, auto) { return bl::dsplit(x, 2_c); });
  keeps<of<float, 2, 3>, of<float, 2, 3>>("dstack", {}, [](auto x, auto y, auto) { return bl::dstack(x, y); });
  keeps<of<float, 3>, of<float, 3, 2>>("column_stack", {}, [](auto x, auto y, auto) { return bl::column_stack(x, y); });
  keeps<of<float, 3>, of<float, 2, 3>>("row_stack", {}, [](auto x, auto y, auto) { return bl::row_stack(x, y); });
}

BOOST_AUTO_TEST_CASE(statistics) {
  const auto along = [](auto f) { return [f](auto x, auto c) { return f(x, c[0]); }; };
  keeps<of<float, 2, 3>>("nansum", {axis_of(2)}, along(bl::nansum));
  keeps<of<float, 2, 3>>("nanprod", {axis_of(2)}, along(bl::nanprod));
  keeps<of<float, 2, 3>>("nanmean", {axis_of(2)}, along(bl::nanmean));
  keeps<of<float, 2, 3>>("nanvar", {axis_of(2)}, along(bl::nanvar));
  keeps<of<float, 2, 3>>("nanstd", {axis_of(2)}, along(bl::nanstd));
  keeps<of<float, 2, 3>>("nanmax", {axis_of(2)}, along(bl::nanmax));
  keeps<of<float, 2, 3>>("nanmin", {axis_of(2)}, along(bl::nanmin));
  keeps<of<float, 2, 3>>("ptp", {axis_of(2)}, along(bl::ptp));
  keeps<of<float, 3, 3>>("nanmedian", {axis_of(2)}, [](auto x, auto c) { return bl::nanmedian(x, c[0]).values; });
  keeps<of<float, 3, 3>>("most_frequent", {axis_of(2)},
                         [](auto x, auto c) { return bl::most_frequent(x, c[0]).values; });
  keeps<of<float, 2, 3>>("nanquantile", {}, [](auto x, auto) { return bl::nanquantile(x, 0.5, 1_c); });
  keeps<of<float, 2, 3>>("percentile", {}, [](auto x, auto) { return bl::percentile(x, 50, 1_c); });
  keeps<of<float, 2, 3>>("nanpercentile", {}, [](auto x, auto) { return bl::nanpercentile(x, 50, 1_c); });
  keeps<of<float, 2, 3>>("aminmax", {}, [](auto x, auto) { return bl::aminmax(x, 1_c).min; });
  keeps<of<double, 3, 4>>("cov", {}, [](auto x, auto) { return bl::cov(x); });
  keeps<of<double, 3, 4>>("corrcoef", {}, [](auto x, auto) { return bl::corrcoef(x); });
}

BOOST_AUTO_TEST_CASE(differences_and_sums) {
  keeps<of<float, 2, 3>>("diff", {}, [](auto x, auto) { return bl::diff(x, 1_c, 1_c); });
  keeps<of<float, 2, 3>>("trapezoid", {}, [](auto x, auto) { return bl::trapezoid(x, 1.0, 1_c); });
  keeps<of<float, 2, 3>>("trapz", {}, [](auto x, auto) { return bl::trapz(x, 1.0, 1_c); });
  keeps<of<float, 2, 3>>("cumulative_trapezoid", {},
                         [](auto x, auto) { return bl::cumulative_trapezoid(x, 1.0, 1_c); });
  keeps<of<float, 3, 3, 4>>("trace", {}, [](auto x, auto) { return bl::trace(x); });
  keeps<of<float, 2, 3>>("cumulative_sum", {}, [](auto x, auto) { return bl::cumulative_sum(x, 1_c, 0.0f); });
  keeps<of<float, 2, 3>>("cumulative_prod", {}, [](auto x, auto) { return bl::cumulative_prod(x, 1_c, 1.0f); });
  keeps<of<float, 2, 3>>("reduce", {}, [](auto x, auto) {
    return bl::reduce(x, bl::axes<1>, 0.0f, [](auto a, auto b) { return a + b; });
  });
  keeps<of<float, 2, 3>>("scan", {},
                         [](auto x, auto) { return bl::scan(x, 1_c, 0.0f, [](auto a, auto b) { return a + b; }); });
}

BOOST_AUTO_TEST_CASE(membership_and_intervals) {
  keeps<of<float, 2, 3>, of<float, 4>>("isin", {}, [](auto x, auto y, auto) { return bl::isin(x, y); });
  keeps<of<bl::index, 2, 3>>("one_hot", {}, [](auto x, auto) { return bl::one_hot(x * 0, 5_c); });
  keeps<of<float, 2, 3>>("digitize", {},
                         [](auto x, auto) { return bl::digitize(x, bl::tensor<float, bl::shape<3>>{0, 1, 2}); });
  keeps<of<double, 2, 3>>("interp", {}, [](auto x, auto) {
    return bl::interp(x, bl::tensor<double, bl::shape<2>>{0, 1}, bl::tensor<double, bl::shape<2>>{0, 1});
  });
  keeps<of<double, 2, 3>>(
      "histogram", {}, [](auto x, auto) { return bl::histogram(x, bl::tensor<double, bl::shape<3>>{0, 1, 2}).hist; });
}
