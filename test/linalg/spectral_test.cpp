// Eigenvalues and singular values by what they must satisfy; ranks, norms, conditions and pseudo-inverses by theirs.
// Build: gcc-alone
#include <broadloom/linalg/spectral.hpp>

#include <boost/test/unit_test.hpp>

#include <limits>

#include <string>

#include "matrices.hpp"

using matrices::distance;
using matrices::positive;
using matrices::random;

BOOST_AUTO_TEST_SUITE(linalg_spectral)

template <class T>
void check_symmetric(bl::index n, double tolerance) {
  const auto half = random<T>(1, 3, n, n);
  const auto a = bl::eval(half + bl::transpose(half, 1, 2));
  const auto [values, vectors] = bl::eigh(a);
  const auto scaled = vectors * bl::unsqueeze(values, 1);
  BOOST_TEST(distance(bl::eval(bl::matmul(a, vectors)), bl::eval(scaled)) <= tolerance);
  BOOST_TEST(distance(bl::eval(bl::matmul(bl::transpose(vectors, 1, 2), vectors)), bl::eye<T>(n)) <= tolerance);
  for (bl::index k = 0; k < 3; ++k)
    for (bl::index i = 1; i < n; ++i) BOOST_TEST(values(k, i - 1) <= values(k, i));
  BOOST_TEST(distance(bl::eval(bl::eigvalsh(a)), values) <= tolerance);
  BOOST_TEST(distance(bl::eval(bl::eigvalsh(a, true)), values) <= tolerance);
  const auto [old_values, old_vectors] = bl::symeig(a);
  BOOST_TEST(distance(old_values, values) <= tolerance);
}
BOOST_AUTO_TEST_CASE(symmetric_matrices) {
  for (const bl::index n : {1, 2, 3, 10, 30}) {
    check_symmetric<double>(n, 1e-12);
    check_symmetric<float>(n, 1e-3);
  }
}

BOOST_AUTO_TEST_CASE(general_matrices) {
  const bl::index n = 7;
  const auto a = random<double>(2, 2, n, n);
  const auto [real, imaginary, vectors] = bl::geev(a);
  for (bl::index k = 0; k < 2; ++k) {
    double trace = 0, sum = 0;
    for (bl::index i = 0; i < n; ++i) {
      trace += a(k, i, i);
      sum += real(k, i);
    }
    BOOST_TEST(std::abs(trace - sum) <= 1e-13);
    for (bl::index j = 0; j < n; ++j) {
      const bool pair = imaginary(k, j) != 0;
      for (bl::index i = 0; i < n; ++i) {
        double re = 0, im = 0;
        for (bl::index c = 0; c < n; ++c) {
          re += a(k, i, c) * vectors(k, c, j);
          if (pair) im += a(k, i, c) * vectors(k, c, j + 1);
        }
        const double x = vectors(k, i, j), y = pair ? vectors(k, i, j + 1) : 0;
        BOOST_TEST(std::abs(re - (real(k, j) * x - imaginary(k, j) * y)) <= 1e-13);
        BOOST_TEST(std::abs(im - (real(k, j) * y + imaginary(k, j) * x)) <= 1e-13);
      }
      if (pair) ++j;
    }
  }
}

template <class T>
void check_svd(bl::index m, bl::index n, double tolerance) {
  const auto a = random<T>(3, 2, m, n);
  const bl::index k = std::min(m, n);
  const auto [u, s, vh] = bl::svd(a, bl::reduced);
  BOOST_TEST((u.shape() == bl::dshape<3>(2, m, k)));
  BOOST_TEST((vh.shape() == bl::dshape<3>(2, k, n)));
  BOOST_TEST(distance(bl::eval(bl::matmul(u * bl::unsqueeze(s, 1), vh)), a) <= tolerance);
  const auto [fu, fs, fvh] = bl::svd(a);
  BOOST_TEST((fu.shape() == bl::dshape<3>(2, m, m)));
  BOOST_TEST((fvh.shape() == bl::dshape<3>(2, n, n)));
  BOOST_TEST(distance(bl::eval(bl::matmul(fu, bl::transpose(fu, 1, 2))), bl::eye<T>(m)) <= tolerance);
  BOOST_TEST(distance(bl::eval(bl::matmul(fvh, bl::transpose(fvh, 1, 2))), bl::eye<T>(n)) <= tolerance);
  BOOST_TEST(distance(fs, s) <= tolerance);
  BOOST_TEST(distance(bl::eval(bl::svdvals(a)), s) <= tolerance);
  for (bl::index i = 1; i < k; ++i) BOOST_TEST((s(0, i - 1) >= s(0, i) && s(0, i) >= 0));
}
BOOST_AUTO_TEST_CASE(singular_values_and_vectors) {
  for (const auto& [m, n] : {std::pair<bl::index, bl::index>{1, 1}, {2, 5}, {5, 2}, {6, 6}, {40, 25}}) {
    check_svd<double>(m, n, 1e-12);
    check_svd<float>(m, n, 2e-4);
  }
}

BOOST_AUTO_TEST_CASE(ranks_and_pseudo_inverses) {
  const auto a = random<double>(4, 3, 6, 2), b = random<double>(5, 3, 2, 5);
  const bl::tensor low = bl::matmul(a, b);
  const bl::tensor rank = bl::matrix_rank(low);
  static_assert(std::is_same_v<decltype(rank)::value_type, std::int64_t>);
  for (bl::index k = 0; k < 3; ++k) BOOST_TEST(rank(k) == 2);
  BOOST_TEST(bl::eval(bl::matrix_rank(bl::eye<double>(4) * 0.1, -1, 0.5)).item() == 0);
  const bl::tensor p = bl::pinv(low);
  BOOST_TEST((p.shape() == bl::dshape<3>(3, 5, 6)));
  BOOST_TEST(distance(bl::eval(bl::matmul(bl::matmul(low, p), low)), low) <= 1e-12);
  BOOST_TEST(distance(bl::eval(bl::matmul(bl::matmul(p, low), p)), p) <= 1e-11);
  const bl::tensor projector = bl::matmul(low, p);
  BOOST_TEST(distance(bl::transpose(projector, 1, 2), projector) <= 1e-12);
}

BOOST_AUTO_TEST_CASE(norms_and_conditions) {
  const double inf = std::numeric_limits<double>::infinity();
  const bl::dtensor<double, 2> a{{1, -2, 3}, {-4, 5, -6}};
  const auto norm = [&](auto... p) { return bl::eval(bl::matrix_norm(a, p...)).item(); };
  BOOST_TEST(norm(1) == 9);
  BOOST_TEST(norm(-1) == 5);
  BOOST_TEST(norm(inf) == 15);
  BOOST_TEST(norm(-inf) == 6);
  BOOST_TEST(std::abs(norm() - std::sqrt(91.0)) <= 1e-14);
  const bl::tensor s = bl::svdvals(a);
  BOOST_TEST(std::abs(norm(2) - s(0)) <= 1e-14);
  BOOST_TEST(std::abs(norm(-2) - s(1)) <= 1e-14);
  BOOST_TEST(std::abs(norm(bl::nuclear) - s(0) - s(1)) <= 1e-14);
  BOOST_CHECK_THROW(bl::matrix_norm(a, 3), bl::shape_error);
  BOOST_TEST(std::abs(bl::eval(bl::cond(a)).item() - s(0) / s(1)) <= 1e-13);
  const auto square = positive<double>(6, 2, 4);
  const bl::tensor c = bl::cond(square, 1);
  const bl::tensor by_hand = bl::matrix_norm(square, 1) * bl::matrix_norm(bl::inv(square), 1);
  BOOST_TEST(distance(c, by_hand) <= 1e-12);
  BOOST_CHECK_THROW(bl::cond(a, 1), bl::shape_error);
  BOOST_TEST(std::isinf(bl::eval(bl::cond(bl::zeros<double>(2, 2), 1)).item()));
}

BOOST_AUTO_TEST_CASE(elements_that_are_not_finite_terminate) {
  const auto nan = bl::full<double>(bl::dshape<3>(2, 20, 20), std::numeric_limits<double>::quiet_NaN());
  const auto message = [](auto f) {
    try {
      f();
    } catch (const bl::linalg_error& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  const std::string sentence = "The algorithm failed to converge because the input matrix contained non-finite values.";
  BOOST_TEST(message([&] { bl::svd(nan); }) == "linalg.svd: (Batch element 0): " + sentence);
  BOOST_TEST(message([&] { bl::eval(bl::svdvals(bl::slice(nan, 0))); }) == "linalg.svdvals: " + sentence);
  BOOST_TEST(message([&] {
               bl::eigh(nan);
             }).rfind("linalg.eigh: (Batch element 0): The algorithm failed to converge", 0) == 0u);
  BOOST_TEST(message([&] { bl::geev(nan); }) == "geev: (Batch element 0): " + sentence);
  BOOST_TEST(message([&] { bl::eval(bl::eigvalsh(nan)); }) == "linalg.eigvalsh: (Batch element 0): " + sentence);
  BOOST_TEST(std::isnan(bl::eval(bl::cond(nan))(0)));
}

BOOST_AUTO_TEST_CASE(empty_matrices) {
  const auto [u, s, vh] = bl::svd(bl::zeros<double>(3, 0));
  BOOST_TEST(distance(u, bl::eye<double>(3)) == 0);
  BOOST_TEST(s.size() == 0);
  const auto [values, vectors] = bl::eigh(bl::zeros<double>(2, 0, 0));
  BOOST_TEST((values.shape() == bl::dshape<2>(2, 0)));
  BOOST_TEST(bl::eval(bl::matrix_rank(bl::zeros<double>(3, 0))).item() == 0);
}

BOOST_AUTO_TEST_SUITE_END()
