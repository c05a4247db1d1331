// The law of static shapes for <broadloom/decompositions.hpp>.
// Build: unoptimised, clang-alone
#include <boost/test/unit_test.hpp>

#include <complex>

#include "static_shapes.hpp"

#include <broadloom/decompositions.hpp>

using law::dyn, law::keeps, law::of;
namespace bl = broadloom;
using namespace bl::literals;

namespace {

template <class F>
auto one(F f) {
  return [f](auto x, auto) { return f(x); };
}
template <class F>
auto two(F f) {
  return [f](auto x, auto y, auto) { return f(x, y); };
}

}  // namespace

BOOST_AUTO_TEST_CASE(one_matrix) {
  keeps<of<float, 2, dyn, 3>>("mT", {}, one(bl::mT));
  keeps<of<float, 2, 3>>("mH", {}, one(bl::mH));
  keeps<of<float, 2, 3>>("matrix_transpose", {}, one(bl::matrix_transpose));
  keeps<of<float, 2, 3>>("adjoint", {}, one(bl::adjoint));
  keeps<of<float, 2, dyn, 3>>("logdet", {}, one(bl::logdet));
  keeps<of<float, 3, 3>>("schur", {}, [](auto x, auto) { return bl::schur(x).z; });
  keeps<of<float, 4, 3>>("pivoted_qr", {}, [](auto x, auto) { return bl::pivoted_qr(x).q; });
  keeps<of<float, 4, 3>>("pivoted_qr", {}, [](auto x, auto) { return bl::pivoted_qr(x, bl::complete).order; });
  keeps<of<float, 4, 3>>("full_pivot_lu", {}, [](auto x, auto) { return bl::full_pivot_lu(x).rows; });
  keeps<of<float, 3, 3>>("ldl_factor", {}, [](auto x, auto) { return bl::ldl_factor(x).pivots; });
  keeps<of<float, 2, 3, 3>>("eigh_subset", {{0, 1}},
                            [](auto x, auto c) { return bl::eigh_subset(x, 1, c[0]).vectors; });
  keeps<of<float, 2, 3, 3>>("eigh_subset", {}, [](auto x, auto) { return bl::eigh_subset(x, 1, 2_c).values; });
  keeps<of<float, 2, 3, 3>>("inv_ex", {}, [](auto x, auto) { return bl::inv_ex(x).info; });
  keeps<of<float, 3, 3>>("cholesky_ex", {}, [](auto x, auto) { return bl::cholesky_ex(x).l; });
  keeps<of<float, 2, 3>>("lu_factor_ex", {}, [](auto x, auto) { return bl::lu_factor_ex(x).pivots; });
  keeps<of<float, 3, 3>>("sqrtm", {},
                         [](auto x, auto) { return bl::sqrtm(bl::cast<std::complex<float>>(x) + bl::eye<float>(3)); });
  keeps<of<float, 3, 3>>(
      "logm", {}, [](auto x, auto) { return bl::logm(bl::cast<std::complex<float>>(x) + bl::eye<float>(3) * 100.0f); });
  keeps<of<float, 2, 3>>("vector_norm", {}, one(bl::vector_norm));
  keeps<of<float, 2, 3>>("vector_norm", {}, [](auto x, auto) { return bl::vector_norm(x, 1, bl::axes<0>); });
  keeps<of<float, 2, 3>>("vander", {{0, 3}}, [](auto x, auto c) { return bl::vander(x, c[0]); });
  keeps<of<float, 2, 3>>("vander", {}, [](auto x, auto) { return bl::vander(x, 4_c); });
  keeps<of<float, 3, 2, 6>>("tensorinv", {}, [](auto x, auto) {
    return bl::tensorinv(x + bl::reshape(bl::eye<float>(6) * 200.0f, bl::shape<3, 2, 6>{}));
  });
}

BOOST_AUTO_TEST_CASE(several_arrays) {
  keeps<of<float, 2, 3>, of<float, 4>>("block_diag", {}, two(bl::block_diag));
  keeps<of<float, 2, 3>, of<float, dyn>>("block_diag", {}, two(bl::block_diag));
  keeps<of<float, 2, 1, 3>, of<float, dyn, 4, 3>>("cdist", {}, two(bl::cdist));
  keeps<of<float, 2, 3>, of<float, 3, dyn>>("multi_dot", {},
                                            [](auto x, auto y, auto) { return bl::multi_dot(x, y, bl::mT(y)); });
  keeps<of<float, 2, 3, 4>, of<float, 3, 4, dyn>>("tensordot", {}, two(bl::tensordot));
  keeps<of<float, 2, 3, 4>, of<float, 2, 5>>(
      "tensordot", {}, [](auto x, auto y, auto) { return bl::tensordot(x, y, bl::axes<0>, bl::axes<0>); });
  keeps<of<float, 2, 3, 3, 2>, of<float, 2, 3>>("tensorsolve", {}, [](auto x, auto y, auto) {
    return bl::tensorsolve(x + bl::reshape(bl::eye<float>(6) * 200.0f, bl::shape<2, 3, 3, 2>{}), y);
  });
  keeps<of<float, 3, 3>, of<float, 3, dyn>>("solve_ex", {},
                                            [](auto x, auto y, auto) { return bl::solve_ex(x, y).result; });
  keeps<of<float, 3, 3>, of<float, 3, dyn>>("ldl_solve", {}, [](auto x, auto y, auto) {
    const auto f = bl::ldl_factor(x);
    return bl::eval(bl::ldl_solve(f.ld, f.pivots, y));
  });
  keeps<of<float, 5, 3>, of<float, 5, 2>>("lstsq_full", {},
                                          [](auto x, auto y, auto) { return bl::lstsq_full(x, y).singular_values; });
  keeps<of<float, 1, 3>, of<float, 3, dyn>>("solve_banded", {},
                                            [](auto x, auto y, auto) { return bl::solve_banded(x, y, 0, 0); });
}
