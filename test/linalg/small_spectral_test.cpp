// Eigenvalues and singular values of static 2 x 2 and 3 x 3 matrices, against their definitions and the library's.
#include <broadloom/linalg/small_spectral.hpp>

#include <boost/test/unit_test.hpp>

#include <limits>

#include "matrices.hpp"

namespace {

template <class T, int N>
using square = bl::tensor<T, bl::shape<N, N>>;

// Elements without a pattern, small integers (so that values are equal or 0), and of very different sizes.
template <class T, int N>
square<T, N> some(int k) {
  square<T, N> a;
  for (bl::index i = 0; i < a.size(); ++i) {
    const double x = matrices::noise(static_cast<std::uint64_t>(i + 9 * k));
    a.data()[i] = static_cast<T>(k % 3 == 0 ? x : k % 3 == 1 ? std::round(2 * x) : x * std::pow(10.0, (k + i) % 9 - 4));
  }
  return a;
}
template <class A>
bl::dtensor<double, 2> wide(const A& a) {
  return bl::cast<double>(a);
}

template <class T, int N>
void check() {
  const double eps = static_cast<double>(std::numeric_limits<T>::epsilon());
  const bl::dtensor<double, 2> one = bl::eye<double>(N);
  double far = 0;
  for (int k = 0; k < 3000; ++k) {
    const auto a = some<T, N>(k);
    const double size = bl::matrix_norm(wide(a)).item() + 1e-300;
    const auto [u, s, vh] = bl::svd(a);
    const auto du = wide(u), dv = wide(vh);
    const bl::dtensor<double, 1> ds = bl::cast<double>(s);
    const auto distance = [&](const auto& x, const auto& y) { far = std::max(far, matrices::distance(x, y)); };
    distance(bl::eval(bl::matmul(du * ds, dv) / size), bl::eval(wide(a) / size));
    distance(bl::eval(bl::matmul(du.T(), du)), one);
    distance(bl::eval(bl::matmul(dv, dv.T())), one);
    distance(bl::eval(ds / size), bl::eval(bl::svdvals(wide(a)) / size));
    const square<T, N> b = a + a.T();
    const double width = bl::matrix_norm(wide(b)).item() + 1e-300;
    const auto [values, vectors] = bl::eigh(b);
    const auto w = wide(vectors);
    const bl::dtensor<double, 1> d = bl::cast<double>(values);
    distance(bl::eval(bl::matmul(wide(b), w) / width), bl::eval(w * d / width));
    distance(bl::eval(bl::matmul(w.T(), w)), one);
    distance(bl::eval(d / width), bl::eval(bl::eigvalsh(wide(b)) / width));
    if (!(far <= 16 * eps)) {
      BOOST_TEST(far <= 16 * eps, "matrix " << k);
      return;
    }
  }
  BOOST_TEST(far > 0);
}

constexpr square<double, 3> matrix{{4, 1, 0.3}, {1, 3, 0.7}, {0.3, 0.7, 5}};

}  // namespace

BOOST_AUTO_TEST_SUITE(linalg_small_spectral)

BOOST_AUTO_TEST_CASE(are_what_they_are_defined_by) {
  check<float, 2>();
  check<float, 3>();
  check<double, 2>();
  check<double, 3>();
}

BOOST_AUTO_TEST_CASE(one_triangle_is_read) {
  const square<float, 2> a{{2, 100}, {1, 2}};
  const auto lower = bl::eigh(a), upper = bl::eigh(a, true);
  BOOST_TEST(std::abs(lower.values(1) - 3) < 1e-5);
  BOOST_TEST(std::abs(upper.values(1) - 102) < 1e-4);
  BOOST_CHECK_THROW(bl::eigh(square<float, 2>{{1, 0}, {std::numeric_limits<float>::infinity(), 1}}), bl::linalg_error);
  const square<double, 2> huge{{1e300, 0}, {0, 1e-300}};
  BOOST_TEST(std::abs(bl::eigh(huge).values(1) / 1e300 - 1) < 1e-15);
  BOOST_TEST(std::abs(bl::svd(huge).s(0) / 1e300 - 1) < 1e-15);
}

BOOST_AUTO_TEST_CASE(constants_are_what_the_run_gives) {
  constexpr auto early = bl::eigh(matrix);
  constexpr auto parts = bl::svd(matrix);
  auto same = matrix;
  const auto now = bl::eigh(same);
  const auto parts_now = bl::svd(same);
  BOOST_TEST(matrices::distance(early.values, now.values) == 0);
  BOOST_TEST(matrices::distance(early.vectors, now.vectors) == 0);
  BOOST_TEST(matrices::distance(parts.u, parts_now.u) == 0);
  BOOST_TEST(matrices::distance(parts.s, parts_now.s) == 0);
}

BOOST_AUTO_TEST_SUITE_END()
