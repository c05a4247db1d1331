// The law of static shapes for functions of matrices and stacks of them: linalg/ but its products.
// Build: unoptimised, seldom
#include <complex>

#include <broadloom/linalg.hpp>

#include "static_shapes.hpp"

using law::dyn, law::keeps, law::of;
namespace bl = broadloom;

namespace {

template <class F>
auto one(F f) {
  return [f](auto x, auto) { return f(x); };
}
template <class F>
auto two(F f) {
  return [f](auto x, auto y, auto) { return f(x, y); };
}
template <class F>
auto three(F f) {
  return [f](auto x, auto y, auto z, auto) { return f(x, y, z); };
}

}  // namespace

BOOST_AUTO_TEST_CASE(one_matrix) {
  keeps<of<float, 2, dyn, 3>>("inv", {}, one(bl::inv));
  keeps<of<float, 3, 3>>("inverse", {}, one(bl::inverse));
  keeps<of<float, 2, dyn, 3>>("det", {}, one(bl::det));
  keeps<of<float, 2, 3, 3>>("slogdet", {}, [](auto x, auto) { return bl::slogdet(x).sign; });
  keeps<of<float, 2, 3>>("lu_factor", {}, [](auto x, auto) { return bl::lu_factor(x).pivots; });
  keeps<of<float, 2, 3>>("btrifact", {}, [](auto x, auto) { return bl::btrifact(x).lu; });
  keeps<of<float, 4, 3>>("lu", {}, [](auto x, auto) { return bl::lu(x).p; });
  keeps<of<float, 4, dyn>>("lu", {}, [](auto x, auto) { return bl::lu(x).u; });
  keeps<of<float, 3, 3>>("matrix_power", {{-1, 3}}, [](auto x, auto c) { return bl::matrix_power(x, c[0]); });
  keeps<of<float, dyn, 3>>("matrix_exp", {}, one(bl::matrix_exp));
  keeps<of<float, dyn, 3>>("cholesky", {}, one(bl::cholesky));
  keeps<of<float, 3, 3>>("potrf", {}, one(bl::potrf));
  keeps<of<float, dyn, 3>>("cholesky_inverse", {}, one(bl::cholesky_inverse));
  keeps<of<float, 3, 3>>("potri", {}, one(bl::potri));
  keeps<of<float, 3, 3>>("pstrf", {}, [](auto x, auto) { return bl::pstrf(x).pivots; });
  keeps<of<float, 3, 3>>("pstrf", {}, [](auto x, auto) { return bl::pstrf(x).rank; });
  keeps<of<float, 4, 3>>("geqrf", {}, [](auto x, auto) { return bl::geqrf(x).tau; });
  keeps<of<float, 4, 3>>("qr", {}, [](auto x, auto) { return bl::qr(x).q; });
  keeps<of<float, 4, dyn>>("qr", {}, [](auto x, auto) { return bl::qr(x, bl::complete).q; });
}

BOOST_AUTO_TEST_CASE(values_of_matrices) {
  keeps<of<float, 2, 3, 3>>("eigh", {}, [](auto x, auto) { return bl::eigh(x).values; });
  keeps<of<float, 3, 3>>("symeig", {}, [](auto x, auto) { return bl::symeig(x).vectors; });
  keeps<of<float, dyn, 3>>("eigvalsh", {}, one(bl::eigvalsh));
  keeps<of<float, dyn, 3>>("eigvals", {}, one(bl::eigvals));
  keeps<of<float, 3, 3>>("eig", {}, [](auto x, auto) { return bl::eig(x).vectors; });
  keeps<of<float, 3, 3>>("geev", {}, [](auto x, auto) { return bl::geev(x).real; });
  keeps<of<float, 2, 4, 3>>("svdvals", {}, one(bl::svdvals));
  keeps<of<float, 4, 3>>("svd", {}, [](auto x, auto) { return bl::svd(x).u; });
  keeps<of<float, 4, 3>>("svd", {}, [](auto x, auto) { return bl::svd(x, bl::reduced).vh; });
  keeps<of<float, 2, 4, 3>>("matrix_rank", {}, one(bl::matrix_rank));
  keeps<of<float, 2, 4, dyn>>("pinv", {}, one(bl::pinv));
  keeps<of<float, 2, 4, 3>>("matrix_norm", {}, one(bl::matrix_norm));
  keeps<of<float, 2, 3, 3>>("cond", {}, one(bl::cond));
}

BOOST_AUTO_TEST_CASE(systems) {
  keeps<of<float, 2, dyn, 3>, of<float, 3, 4>>("solve", {}, two(bl::solve));
  keeps<of<float, 3, 3>, of<float, dyn>>("solve", {}, two(bl::solve));
  keeps<of<float, 3, 3>, of<float, dyn>>("gesv", {}, two(bl::gesv));
  keeps<of<float, 3, 3>, of<float, 2, dyn>>("gesv1", {}, two(bl::gesv1));
  keeps<of<float, 3, 3>, of<float, 2, 3>>("solve_vec", {}, two(bl::solve_vec));
  keeps<of<float, 3, dyn>, of<float, 3, 2>>("solve_triangular", {},
                                            [](auto x, auto y, auto) { return bl::solve_triangular(x, y, true); });
  keeps<of<float, 3, 3>, of<float, 2, 3>>("solve_triangular_right", {},
                                          [](auto x, auto y, auto) { return bl::solve_triangular_right(x, y, true); });
  keeps<of<float, 4, 3>, of<float, dyn, 2>>("lstsq", {}, two(bl::lstsq));
  keeps<of<float, 4, 3>, of<float, 2, 4>>("lstsq_vec", {}, two(bl::lstsq_vec));
  keeps<of<float, 4, 3>, of<float, 4>>("gels", {}, two(bl::gels));
  keeps<of<float, 3, dyn>, of<float, 3, 3>>("cholesky_solve", {}, two(bl::cholesky_solve));
  keeps<of<float, 3, 2>, of<float, 3, 3>>("potrs", {}, two(bl::potrs));
  keeps<of<float, 4, 3>, of<float, 3>>("householder_product", {}, two(bl::householder_product));
  keeps<of<float, 4, 3>, of<float, dyn>>("orgqr", {}, two(bl::orgqr));
  keeps<of<float, 4, 3>, of<float, 3>, of<float, 4, dyn>>("ormqr", {}, three(bl::ormqr));
  keeps<of<float, 4, 3>, of<float, 3>, of<float, dyn, 4>>("ormqr_right", {}, three(bl::ormqr_right));
  keeps<of<float, 3, 3>, of<float, 3>, of<float, 3, dyn>>(
      "lu_solve", {}, [](auto a, auto p, auto b, auto) { return bl::lu_solve(a, bl::cast<int>(p), b); });
  keeps<of<float, 3, 2>, of<float, 3, 3>, of<float, 3>>(
      "btrisolve", {}, [](auto b, auto a, auto p, auto) { return bl::btrisolve(b, a, bl::cast<int>(p)); });
}
