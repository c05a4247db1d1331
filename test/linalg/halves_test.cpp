// Factorisations and solutions of sizes that are computed by halves: LAPACK's pivots, small residuals, singular and NaN
// matrices, the same bits for any number of threads, layout and place in a stack.
#include <broadloom/decompositions.hpp>
#include <broadloom/linalg/factor.hpp>
#include <broadloom/linalg/solve.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

#include "matrices.hpp"
#include "thrown.hpp"

using matrices::distance;
using matrices::random;

namespace {

constexpr bl::index sizes[] = {127, 128, 129, 136, 200, 257, 512, 530};

template <class T>
double tolerance(bl::index n) {
  return static_cast<double>(std::numeric_limits<T>::epsilon()) * 40 * static_cast<double>(n);
}

template <class T>
bool same_bits(const bl::dtensor<T, 2>& x, const bl::dtensor<T, 2>& y) {
  return x.size() == y.size() && std::memcmp(x.data(), y.data(), static_cast<std::size_t>(x.size()) * sizeof(T)) == 0;
}

// Elimination by columns in f64: the pivots that LAPACK chooses, where no two candidates are nearly equal.
template <class A>
std::vector<bl::index> pivots_of(const A& a, bl::index rows, bl::index cols) {
  std::vector<double> m(static_cast<std::size_t>(rows * cols));
  const auto at = [&](bl::index i, bl::index j) -> double& { return m[static_cast<std::size_t>(i * cols + j)]; };
  for (bl::index i = 0; i < rows; ++i)
    for (bl::index j = 0; j < cols; ++j) at(i, j) = static_cast<double>(a(i, j));
  std::vector<bl::index> pivots;
  for (bl::index k = 0; k < std::min(rows, cols); ++k) {
    bl::index best = k;
    for (bl::index i = k + 1; i < rows; ++i)
      if (std::abs(at(i, k)) > std::abs(at(best, k))) best = i;
    pivots.push_back(best + 1);
    for (bl::index j = 0; j < cols; ++j) std::swap(at(k, j), at(best, j));
    for (bl::index i = k + 1; i < rows; ++i) {
      at(i, k) /= at(k, k);
      for (bl::index j = k + 1; j < cols; ++j) at(i, j) -= at(i, k) * at(k, j);
    }
  }
  return pivots;
}

template <class T>
void check_lu(bl::index rows, bl::index cols) {
  const bl::dtensor<T, 2> a = random<T>(7, rows, cols);
  const auto [p, l, u] = bl::lu(a);
  BOOST_TEST(distance(bl::eval(bl::matmul(p, bl::eval(bl::matmul(l, u)))), a) <= tolerance<T>(rows));
  for (bl::index i = 0; i < l.shape()[0]; ++i)
    for (bl::index j = 0; j < l.shape()[1]; ++j)
      BOOST_REQUIRE(i == j ? l(i, j) == T(1) : i < j ? l(i, j) == T(0) : std::abs(l(i, j)) <= T(1));
  const auto [lu, pivots] = bl::lu_factor(a);
  const std::vector<bl::index> wanted = pivots_of(a, rows, cols);
  bl::index others = 0;
  for (std::size_t k = 0; k < wanted.size(); ++k) others += pivots(static_cast<bl::index>(k)) != wanted[k];
  BOOST_TEST(others == (std::is_same_v<T, double> ? 0 : others));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(linalg_halves)

BOOST_AUTO_TEST_CASE(lu_of_all_shapes) {
  for (const bl::index n : sizes) {
    check_lu<float>(n, n);
    check_lu<double>(n, n);
  }
  check_lu<double>(300, 140);
  check_lu<double>(140, 300);
  check_lu<float>(600, 128);
  check_lu<float>(128, 600);
}

template <class T>
void check_solutions(bl::index n, bl::index cols) {
  const bl::dtensor<T, 2> a = bl::eval(random<T>(3, n, n) + bl::eye<T>(n) * T(n)), b = random<T>(4, n, cols);
  const double bound = tolerance<T>(n);
  BOOST_TEST(distance(bl::eval(bl::matmul(a, bl::solve(a, b))), b) <= bound);
  BOOST_TEST(distance(bl::eval(bl::matmul(a, bl::inv(a))), bl::eye<T>(n)) <= bound);
  BOOST_TEST(distance(bl::eval(bl::matmul(bl::inv(a), a)), bl::eye<T>(n)) <= bound);
  const bl::dtensor<T, 2> low = bl::eval(bl::tril(a)), up = bl::eval(bl::triu(a));
  BOOST_TEST(distance(bl::eval(bl::matmul(low, bl::solve_triangular(a, b, false))), b) <= bound);
  BOOST_TEST(distance(bl::eval(bl::matmul(up, bl::solve_triangular(a, b, true))), b) <= bound);
  const bl::dtensor<T, 2> spd = bl::eval(bl::matmul(a, a.T()) / T(n)), l = bl::eval(bl::cholesky(spd));
  BOOST_TEST(distance(bl::eval(bl::matmul(l, l.T()) / T(n)), bl::eval(spd / T(n))) <= bound);
  BOOST_TEST(distance(bl::eval(bl::tril(l)), l) == 0);
  BOOST_TEST(distance(bl::eval(bl::matmul(spd, bl::cholesky_solve(b, l))), b) <= bound);
  const bl::dtensor<T, 2> inverse = bl::eval(bl::cholesky_inverse(l));
  BOOST_TEST(distance(bl::eval(bl::matmul(spd, inverse)), bl::eye<T>(n)) <= bound);
  BOOST_TEST(same_bits<T>(inverse, bl::eval(inverse.T())));
  BOOST_TEST(same_bits<T>(bl::eval(bl::cholesky(spd, true)), bl::eval(l.T())));
}

BOOST_AUTO_TEST_CASE(solutions_of_all_sizes) {
  for (const bl::index n : sizes)
    for (const bl::index cols : {1, 3, 70}) {
      check_solutions<float>(n, cols);
      check_solutions<double>(n, cols);
    }
}

void check_complex_solutions(bl::index n, bl::index cols) {
  using T = std::complex<double>;
  const auto numbers = [](int seed, bl::index rows, bl::index width) {
    return bl::eval(bl::complex(random<double>(seed, rows, width), random<double>(seed + 20, rows, width)));
  };
  const auto apart = [](const auto& x, const auto& y) { return bl::eval(bl::amax(bl::abs(x - y)))(); };
  const auto a = bl::eval(numbers(3, n, n) + bl::eye<T>(n) * T(static_cast<double>(n)));
  const auto b = numbers(4, n, cols);
  BOOST_TEST(apart(bl::eval(bl::matmul(a, bl::solve(a, b))), b) <= 1e-11);
  BOOST_TEST(apart(bl::eval(bl::matmul(a, bl::inv(a))), bl::eye<T>(n)) <= 1e-11);
  const auto spd = bl::eval(bl::matmul(a, bl::conj(a.T())) / T(static_cast<double>(n)));
  const auto l = bl::eval(bl::cholesky(spd)), u = bl::eval(bl::cholesky(spd, true));
  BOOST_TEST(apart(bl::eval(bl::matmul(l, bl::conj(l.T()))), spd) <= 1e-11);
  BOOST_TEST(apart(u, bl::conj(l.T())) <= 1e-11);
  BOOST_TEST(apart(bl::eval(bl::matmul(spd, bl::cholesky_solve(b, l))), b) <= 1e-11);
  BOOST_TEST(apart(bl::eval(bl::matmul(spd, bl::cholesky_solve(b, u, true))), b) <= 1e-11);
  BOOST_TEST(apart(bl::eval(bl::matmul(spd, bl::cholesky_inverse(l))), bl::eye<T>(n)) <= 1e-11);
  BOOST_TEST(apart(bl::eval(bl::matmul(spd, bl::cholesky_inverse(u, true))), bl::eye<T>(n)) <= 1e-11);
}

BOOST_AUTO_TEST_CASE(complex_solutions) {
  for (const bl::index n : {128, 150}) check_complex_solutions(n, 9);
  check_complex_solutions(136, 128);
}

BOOST_AUTO_TEST_CASE(threads_layout_and_place_do_not_show) {
  const bl::index n = 530;
  const bl::dtensor<double, 2> a = random<double>(5, n, n), b = random<double>(6, n, 33);
  const bl::dtensor<double, 2> across = bl::eval(a.T());
  const auto all = [&](const auto& how) {
    return std::vector<bl::dtensor<double, 2>>{bl::eval(bl::inv(a), how), bl::eval(bl::solve(a, b), how),
                                               bl::eval(bl::cholesky(bl::matmul(a, a.T())), how)};
  };
  const auto one = all(bl::seq), two = all(bl::par.threads(2)), fixed = all(bl::seq | bl::reproducible);
  for (std::size_t i = 0; i < 2; ++i) BOOST_TEST(same_bits<double>(one[i], fixed[i]));
  for (std::size_t i = 0; i < one.size(); ++i) BOOST_TEST(same_bits<double>(one[i], two[i]));
  BOOST_TEST(same_bits<double>(bl::eval(bl::inv(across.T())), one[0]));
  const auto inverses = bl::eval(bl::inv(bl::stack(0, across, a, a)));
  BOOST_TEST(same_bits<double>(bl::eval(bl::slice(inverses, 1)), one[0]));
  BOOST_TEST(same_bits<double>(bl::eval(bl::slice(inverses, 2)), one[0]));
}

// Sizes between whose rows a cache line is left, and others.
template <class T>
void check_transposed(bl::index n) {
  const bl::dtensor<T, 2> a = random<T>(8, n, n), b = random<T>(9, n, n);
  const bl::dtensor<T, 2> a_across = bl::eval(a.T()), b_across = bl::eval(b.T());
  const auto x = a_across.T();
  const auto y = b_across.T();
  BOOST_TEST(bl::eval(bl::det(x))() == bl::eval(bl::det(a))());
  BOOST_TEST(same_bits<T>(bl::eval(bl::inv(x)), bl::eval(bl::inv(a))));
  BOOST_TEST(same_bits<T>(bl::eval(bl::solve(x, y)), bl::eval(bl::solve(a, b))));
  const auto [lu, pivots] = bl::lu_factor(a);
  BOOST_TEST(same_bits<T>(bl::lu_factor(x).lu, lu));
  BOOST_TEST(same_bits<T>(bl::eval(bl::lu_solve(lu, pivots, y)), bl::eval(bl::lu_solve(lu, pivots, b))));
  const bl::dtensor<T, 2> spd = bl::eval(bl::matmul(a, a.T()) + bl::eye<T>(n) * T(n)), l = bl::eval(bl::cholesky(spd));
  const bl::dtensor<T, 2> u = bl::eval(bl::cholesky(spd, true));
  BOOST_TEST(same_bits<T>(u, bl::eval(l.T())));
  BOOST_TEST(same_bits<T>(bl::eval(bl::cholesky_solve(y, u.T())), bl::eval(bl::cholesky_solve(b, l))));
  BOOST_TEST(same_bits<T>(bl::eval(bl::cholesky_solve(y, u, true)), bl::eval(bl::cholesky_solve(b, l))));
  BOOST_TEST(same_bits<T>(bl::eval(bl::cholesky_inverse(u.T())), bl::eval(bl::cholesky_inverse(l))));
  BOOST_TEST(same_bits<T>(bl::eval(bl::solve_triangular(x, y, true)), bl::eval(bl::solve_triangular(a, b, true))));
}

BOOST_AUTO_TEST_CASE(transposed_matrices) {
  for (const bl::index n : {127, 128, 136, 192, 256, 512}) {
    check_transposed<float>(n);
    check_transposed<double>(n);
  }
}

BOOST_AUTO_TEST_CASE(singular_and_not_finite) {
  const bl::index n = 200;
  bl::dtensor<double, 2> a = bl::eval(bl::eye<double>(n));
  for (const bl::index zero : {0, 47, 150, 199}) {
    bl::dtensor<double, 2> b = a;
    b(zero, zero) = 0;
    BOOST_TEST(bl::eval(bl::det(b))() == 0);
    BOOST_CHECK_THROW(bl::eval(bl::inv(b)), bl::linalg_error);
    BOOST_CHECK_THROW(bl::lu_factor(b), bl::linalg_error);
    BOOST_TEST(bl::lu_factor_ex(b).info() == zero + 1);
  }
  for (const bl::index at : {3, 130, 199}) {
    bl::dtensor<double, 2> b = random<double>(9, n, n);
    b(at, at) = std::numeric_limits<double>::quiet_NaN();
    BOOST_TEST(std::isnan(bl::eval(bl::det(b))()));
    const bl::dtensor<double, 2> x = bl::eval(bl::inv_ex(b).inverse);
    BOOST_TEST(std::any_of(x.data(), x.data() + x.size(), [](double e) { return std::isnan(e); }));
  }
  bl::dtensor<double, 2> negative = bl::eval(bl::eye<double>(600));
  negative(555, 555) = -1;
  BOOST_TEST(bl::cholesky_ex(negative).info() == 556);
  BOOST_CHECK_THROW(bl::eval(bl::cholesky(negative)), bl::linalg_error);
  negative(555, 555) = std::numeric_limits<double>::quiet_NaN();
  BOOST_TEST(bl::cholesky_ex(negative).info() == 556);
}

// Zeros, subnormals and infinities on the diagonal are divided by.
BOOST_AUTO_TEST_CASE(diagonals_of_all_magnitudes) {
  const bl::index n = 140;
  const double infinite = std::numeric_limits<double>::infinity();
  bl::dtensor<double, 2> a = bl::eval(bl::eye<double>(n)), b = bl::eval(bl::ones<double>({n, 2}));
  a(5, 5) = infinite;
  a(70, 70) = 5e-324;
  a(100, 100) = 1e308;
  b(70, 0) = b(70, 1) = 1e-323;
  for (const bool upper : {false, true}) {
    // An infinite element of the result times a zero is NaN: it is the last one.
    const bl::index last = upper ? 0 : n - 1;
    bl::dtensor<double, 2> c = a;
    c(last, last) = 0;
    const bl::dtensor<double, 2> x = bl::eval(bl::solve_triangular(c, b, upper));
    BOOST_TEST(x(last, 0) == infinite);
    BOOST_TEST(x(70, 1) == 2);
    BOOST_TEST(x(100, 0) == 1e-308);
    BOOST_TEST(x(5, 0) == 0);
  }
}

BOOST_AUTO_TEST_SUITE_END()
