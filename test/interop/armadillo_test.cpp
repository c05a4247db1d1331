// Armadillo's objects among arrays, and views as its matrices.
// Build: sanitizers-alone
#include <boost/test/unit_test.hpp>
#include <broadloom/broadloom.hpp>
#include <broadloom/interop/armadillo.hpp>
#include <support/thrown.hpp>

namespace bl = broadloom;

template <class X>
concept takes_from = requires(X&& x) { bl::from(static_cast<X&&>(x)); };

BOOST_AUTO_TEST_SUITE(interop_armadillo)

BOOST_AUTO_TEST_CASE(objects_are_seen_where_they_lie) {
  arma::mat m = {{1, 2, 3}, {4, 5, 6}};
  auto v = bl::from(m);
  BOOST_TEST(v.shape()[0] == 2);
  BOOST_TEST(&v(1, 2) == &m(1, 2));
  bl::dtensor<double, 1> row{10, 20, 30};
  bl::tensor r = m + row;
  BOOST_TEST(r(1, 0) == 14.0);
  v += 1;
  BOOST_TEST(m(0, 2) == 4.0);
  arma::fvec column = {1, 2, 3};
  BOOST_TEST(bl::eval(bl::sum(column)).item() == 6.0F);
  BOOST_TEST(bl::from(column).data() == column.memptr());
  static_assert(bl::detail::rank_of<bl::detail::node_of<arma::frowvec&>> == 1);
  arma::cube c(2, 3, 4);
  c(1, 2, 3) = 7;
  BOOST_TEST(&bl::from(c)(1, 2, 3) == &c(1, 2, 3));
  arma::mat::fixed<2, 2> fixed;
  fixed.fill(3);
  BOOST_TEST(bl::eval(bl::sum(fixed)).item() == 12.0);
  const auto& constant = m;
  static_assert(!bl::detail::writable<decltype(constant)>);
  static_assert(!takes_from<arma::mat>);
}

BOOST_AUTO_TEST_CASE(an_rvalue_moves_into_the_tree) {
  arma::mat m(20, 30, arma::fill::ones);
  const double* const first = m.memptr();
  const auto leaf = bl::detail::capture(std::move(m));
  BOOST_TEST(leaf.data() == first);
  auto e = [] { return bl::add(arma::mat(20, 30, arma::fill::ones), 1); }();
  BOOST_TEST(bl::eval(e)(19, 29) == 2.0);
}

BOOST_AUTO_TEST_CASE(views_are_matrices_of_the_same_elements) {
  bl::dtensor<double, 2> t{{1, 2, 3}, {4, 5, 6}};
  arma::mat m = bl::as_arma(t.T());
  auto seen = bl::as_arma(t.T());
  BOOST_TEST(seen.memptr() == t.data());
  BOOST_TEST(seen.n_rows == 3U);
  BOOST_TEST(seen(2, 1) == 6.0);
  seen(0, 0) = 9;
  BOOST_TEST(t(0, 0) == 9.0);
  BOOST_TEST(thrown<bl::shape_error>([&] { bl::as_arma(t); }) ==
             "as_arma: the first axis must be the fastest, without gaps; try the transpose");
  auto row = bl::as_arma(t(1, bl::all));
  BOOST_TEST(row(2) == 6.0);
  BOOST_TEST(row.memptr() == &t(1, 0));
  bl::dtensor<float, 3> c(4, 3, 2);
  const auto cube = bl::as_arma(c.T());
  BOOST_TEST((cube.n_rows == 2U && cube.n_cols == 3U && cube.n_slices == 4U));
  BOOST_TEST(cube.memptr() == c.data());
}

BOOST_AUTO_TEST_SUITE_END()
