// xtensor's containers and views among arrays, and views as its adaptors.
#include <boost/test/unit_test.hpp>
#include <broadloom/broadloom.hpp>
#include <broadloom/interop/xtensor.hpp>
#include <support/thrown.hpp>
#include <xtensor/xarray.hpp>
#include <xtensor/xfixed.hpp>
#include <xtensor/xview.hpp>

namespace bl = broadloom;

template <class X>
concept takes_from = requires(X&& x) { bl::from(static_cast<X&&>(x)); };

BOOST_AUTO_TEST_SUITE(interop_xtensor)

BOOST_AUTO_TEST_CASE(containers_are_seen_where_they_lie) {
  xt::xtensor<float, 2> x{{1, 2, 3}, {4, 5, 6}};
  auto v = bl::from(x);
  static_assert(std::is_same_v<decltype(v), bl::view<float, bl::dshape<2>, bl::row_major>>);
  BOOST_TEST(v.data() == x.data());
  bl::dtensor<float, 1> row{10, 20, 30};
  bl::tensor r = x + row;
  BOOST_TEST(r(1, 2) == 36.0F);
  v *= 2;
  BOOST_TEST(x(1, 0) == 8.0F);
  xt::xtensor<double, 2, xt::layout_type::column_major> c{{1, 2, 3}, {4, 5, 6}};
  BOOST_TEST(bl::from(c)(1, 2) == 6.0);
  BOOST_TEST(&bl::from(c)(0, 1) == &c(0, 1));
  xt::xtensor_fixed<int, xt::xshape<2, 2>> fixed{{1, 2}, {3, 4}};
  static_assert(std::is_same_v<bl::detail::node_of<decltype(fixed)&>::shape_type, bl::shape<2, 2>>);
  BOOST_TEST(bl::eval(bl::sum(fixed)).item() == 10);
  const auto& constant = x;
  static_assert(!bl::detail::writable<decltype(constant)>);
  static_assert(!takes_from<xt::xtensor<float, 2>>);
}

BOOST_AUTO_TEST_CASE(strided_views_and_ranks_at_run_time) {
  xt::xarray<double> x = xt::arange<double>(24).reshape({2, 3, 4});
  auto v = bl::from_xarray<3>(x);
  BOOST_TEST(v(1, 2, 3) == 23.0);
  BOOST_TEST(v.data() == x.data());
  auto part = xt::strided_view(x, {1, xt::ellipsis(), xt::range(3, xt::placeholders::_, -2)});
  auto p = bl::from_xarray<2>(part);
  BOOST_TEST(p.shape()[1] == 2);
  BOOST_TEST(p(2, 1) == 21.0);
  BOOST_TEST(&p(0, 0) == &part(0, 0));
  BOOST_TEST(thrown<bl::shape_error>([&] { bl::from_xarray<2>(x); }) ==
             "from_xarray: expected an array of rank 2, got rank 3");
}

BOOST_AUTO_TEST_CASE(an_rvalue_moves_into_the_tree) {
  xt::xtensor<float, 1> x{1, 2, 3};
  const float* const first = x.data();
  const auto leaf = bl::detail::capture(std::move(x));
  BOOST_TEST(leaf.data() == first);
  auto e = [] { return bl::add(xt::xtensor<float, 1>{1, 2, 3}, 1); }();
  BOOST_TEST(bl::eval(e)(2) == 4.0F);
}

BOOST_AUTO_TEST_CASE(views_are_adaptors_of_the_same_elements) {
  bl::dtensor<float, 2> t{{1, 2, 3}, {4, 5, 6}};
  auto x = bl::as_xtensor(t.T());
  BOOST_TEST(x.shape()[0] == 3U);
  BOOST_TEST((x.shape()[1] == 2U && x.strides()[0] == 1 && x.strides()[1] == 3));
  BOOST_TEST(x(2, 1) == 6.0F);
  BOOST_TEST(&x(2, 1) == &t(1, 2));
  x(0, 0) = 9;
  BOOST_TEST(t(0, 0) == 9.0F);
  BOOST_TEST(xt::sum(x)() == 29.0F);
  BOOST_CHECK_THROW(bl::as_xtensor(bl::flip(t, 0)), bl::shape_error);
  auto one = bl::as_xtensor(t(bl::range(0, 1), bl::all));
  BOOST_TEST(one(0, 2) == 3.0F);
}

BOOST_AUTO_TEST_SUITE_END()
