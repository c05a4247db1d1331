// Every factorisation over all sizes up to 70, wide and tall, in stacks, and over the whole range of exponents: what it
// gives must make up the matrix again.
#include <complex>

#include <broadloom/linalg/factor.hpp>

#include <boost/test/unit_test.hpp>

#include <limits>
#include <string>
#include <vector>

#include "matrices.hpp"

namespace {

template <class T>
using real = bl::detail::real_of<T>;
template <class T>
constexpr bool is_complex = bl::detail::is_complex_type<T>;
template <class T>
using wide = std::conditional_t<is_complex<T>, std::complex<double>, double>;

template <class T>
T number(double re, double im) {
  if constexpr (is_complex<T>)
    return T(static_cast<real<T>>(re), static_cast<real<T>>(im));
  else
    return static_cast<T>(re);
}

// Numbers of (-1, 1), (2, m, n).
template <class T>
bl::dtensor<T, 3> stack(bl::index m, bl::index n) {
  bl::dtensor<T, 3> a(2, m, n);
  const auto seed = static_cast<std::uint64_t>(1000 * m + n) << 20;
  for (bl::index i = 0; i < a.size(); ++i)
    a.data()[i] = number<T>(matrices::noise(seed + static_cast<std::uint64_t>(2 * i)),
                            matrices::noise(seed + static_cast<std::uint64_t>(2 * i + 1)));
  return a;
}

// x times 2^exponent, in double.
template <class A>
auto scaled(const A& x, int exponent) {
  using T = typename A::value_type;
  bl::dtensor<wide<T>, A::shape_type::axes_count> r(x.shape());
  const double factor = std::ldexp(1.0, exponent);
  const T* from = x.data();
  wide<T>* to = r.data();
  const bl::index size = x.size();
  for (bl::index i = 0; i < size; ++i) to[i] = wide<T>(from[i]) * factor;
  return r;
}
template <class T>
bl::dtensor<T, 3> rounded(const bl::dtensor<wide<T>, 3>& x) {
  bl::dtensor<T, 3> r(x.shape());
  const wide<T>* from = x.data();
  T* to = r.data();
  const bl::index size = x.size();
  for (bl::index i = 0; i < size; ++i) to[i] = static_cast<T>(from[i]);
  return r;
}

template <class A>
double largest(const A& a) {
  double most = 0;
  const auto* from = a.data();
  const bl::index size = a.size();
  for (bl::index i = 0; i < size; ++i) {
    const double x = std::abs(from[i]);
    if (!(x <= most)) most = x;
  }
  return most;
}

template <class W>
bl::dtensor<W, 3> adjoint(const bl::dtensor<W, 3>& x) {
  if constexpr (is_complex<W>)
    return bl::conj(bl::transpose(x, 1, 2));
  else
    return bl::transpose(x, 1, 2);
}

// What is left of one case.
template <class T>
struct checker {
  static constexpr double eps = std::numeric_limits<real<T>>::epsilon();
  using W = wide<T>;
  using matrices = bl::dtensor<W, 3>;
  bl::index m, n;
  int exponent;

  void near(const char* what, const matrices& got, const matrices& wanted, double size, double times = 8) const {
    const matrices far = got - wanted;
    const double most = largest(far), bound = times * static_cast<double>(std::max(m, n)) * eps * size;
    if (!(most <= bound))
      BOOST_ERROR(std::string(what) + " of " + std::to_string(m) + " x " + std::to_string(n) + " times 2^" +
                  std::to_string(exponent) + ": off by " + std::to_string(most / (eps * size)) + " epsilon");
  }
  void orthogonal(const char* what, const matrices& q) const {
    const bl::index k = q.shape()[2];
    const matrices one = bl::eye<W>(k) + bl::zeros<W>(2, k, k);
    near(what, bl::matmul(adjoint(q), q), one, 1);
  }

  void rectangle() const {
    const auto whole = stack<T>(m, n);
    const auto a0 = scaled(whole, 0);
    const auto a = rounded<T>(scaled(whole, exponent));
    const double size = largest(a0);
    {
      const auto [p, l, u] = bl::lu(a);
      near("lu", bl::matmul(bl::matmul(scaled(p, 0), scaled(l, 0)), scaled(u, -exponent)), a0, size);
      if (m != n && (m + n) % 4 == 1) {
        const auto [packed, pivots] = bl::lu_factor(a);
        bool same = true;
        for (bl::index s = 0; s < 2; ++s)
          for (bl::index i = 0; i < m; ++i)
            for (bl::index j = 0; j < n; ++j) same &= packed(s, i, j) == (i > j ? l(s, i, j) : u(s, i, j));
        BOOST_TEST(same, "lu_factor of " << m << " x " << n << " is not lu");
      }
    }
    const auto [q, r] = bl::qr(a);
    near("qr", bl::matmul(scaled(q, 0), scaled(r, -exponent)), a0, size);
    orthogonal("q of qr", scaled(q, 0));
    if ((m + n) % 3 == 0) {
      const auto [packed, tau] = bl::geqrf(a);
      const bl::index k = std::min(m, n);
      const bl::dtensor<T, 3> vectors = bl::slice(packed, bl::all, bl::all, bl::range(0, k));
      const bl::dtensor<T, 3> made = bl::householder_product(vectors, tau), back = bl::ormqr(packed, tau, a, true);
      near("orgqr", scaled(made, 0), scaled(q, 0), 1);
      matrices above = bl::zeros<W>(2, m, n);
      const auto factor = scaled(r, -exponent);
      for (bl::index s = 0; s < 2; ++s)
        for (bl::index i = 0; i < k; ++i)
          for (bl::index j = 0; j < n; ++j) above(s, i, j) = factor(s, i, j);
      near("ormqr", scaled(back, -exponent), above, size);
    }
  }

  // By LAPACK, and slower: of fewer sizes.
  void singular() const {
    const auto whole = stack<T>(m, n);
    const auto a0 = scaled(whole, 0);
    const auto a = rounded<T>(scaled(whole, exponent));
    const auto [u, s, vh] = bl::svd(a, bl::reduced);
    orthogonal("u of svd", scaled(u, 0));
    orthogonal("v of svd", adjoint(scaled(vh, 0)));
    matrices us = scaled(u, 0);
    const auto values = scaled(s, -exponent);
    for (bl::index i = 0; i < us.size(); ++i) us.data()[i] *= values(i / (us.size() / 2), i % us.shape()[2]);
    near("svd", bl::matmul(us, scaled(vh, 0)), a0, largest(values));
    // Where a has full rank, lstsq solves or leaves what is orthogonal to a; the residual of a's own columns is 0.
    const bl::dtensor<T, 3> x = bl::lstsq(a, a);
    near("lstsq", bl::matmul(a0, scaled(x, 0)), a0, largest(values) * static_cast<double>(n), 64);
  }

  void square() const {
    const auto whole = stack<T>(n, n);
    const auto a0 = scaled(whole, 0);
    const auto a = rounded<T>(scaled(whole, exponent));
    const double size = largest(a0), many = static_cast<double>(n);
    // Backward stable: the residual is small against |a| |x|.
    const bl::dtensor<T, 3> b0 = stack<T>(n, 3), b = rounded<T>(scaled(b0, exponent)), x = bl::solve(a, b);
    near("solve", bl::matmul(a0, scaled(x, 0)), scaled(b0, 0), many * size * (1 + largest(x)));
    const auto [packed, pivots] = bl::lu_factor(a);
    const bl::dtensor<T, 3> again = bl::lu_solve(packed, pivots, b);
    near("lu_solve", bl::matmul(a0, scaled(again, 0)), scaled(b0, 0), many * size * (1 + largest(x)));
    const bl::dtensor<T, 3> inverse = bl::inv(a);
    const auto inverse0 = scaled(inverse, exponent);
    near("inv", bl::matmul(a0, inverse0), bl::eye<W>(n) + bl::zeros<W>(2, n, n), many * size * largest(inverse0));

    // A positive definite matrix, and what is made of it.
    matrices g0 = bl::matmul(a0, adjoint(a0));
    for (bl::index s = 0; s < 2; ++s)
      for (bl::index i = 0; i < n; ++i) g0(s, i, i) = std::real(g0(s, i, i)) + 1.0;
    const auto g = rounded<T>(scaled(g0, exponent));
    g0 = scaled(g, -exponent);
    const double large = largest(g0);
    const int half = exponent / 2;  // even exponents: l has half of it
    const bl::dtensor<T, 3> lower = bl::cholesky(g), upper = bl::cholesky(g, true);
    const auto l0 = scaled(lower, -half), u0 = scaled(upper, -half);
    near("cholesky", bl::matmul(l0, adjoint(l0)), g0, large);
    near("upper cholesky", bl::matmul(adjoint(u0), u0), g0, large);
    const bl::dtensor<T, 3> y = bl::cholesky_solve(b, lower);
    near("cholesky_solve", bl::matmul(g0, scaled(y, 0)), scaled(b0, 0), many * large * (1 + largest(y)));
    {
      const auto [factor, order, rank] = bl::pstrf(g);
      const auto f0 = scaled(factor, -half);
      const matrices product = bl::matmul(adjoint(f0), f0);
      matrices wanted = g0;
      for (bl::index s = 0; s < 2; ++s)
        for (bl::index i = 0; i < n; ++i)
          for (bl::index j = 0; j < n; ++j) wanted(s, i, j) = g0(s, order(s, i), order(s, j));
      near("pstrf", product, wanted, large);
    }
    const auto [values, vectors] = bl::eigh(g);
    const auto v0 = scaled(vectors, 0);
    const auto w0 = scaled(values, -exponent);
    orthogonal("vectors of eigh", v0);
    matrices vw = v0;
    for (bl::index i = 0; i < vw.size(); ++i) vw.data()[i] *= w0(i / (n * n), i % n);
    near("eigh", bl::matmul(g0, v0), vw, large * many);
    if constexpr (!is_complex<T>) {
      const auto [eigenvalues, right] = bl::eig(a);
      const auto e0 = scaled(eigenvalues, -exponent);
      const auto r0 = scaled(right, 0);
      auto re = r0;
      for (bl::index i = 0; i < re.size(); ++i) re.data()[i] *= e0(i / (n * n), i % n);
      const bl::dtensor<std::complex<double>, 3> left = bl::matmul(bl::cast<std::complex<double>>(a0), r0) - re;
      if (!(largest(left) <= 32 * many * eps * size * many)) BOOST_ERROR("eig of " + std::to_string(n));
    } else {
      const auto [eigenvalues, right] = bl::eig(a);
      const auto e0 = scaled(eigenvalues, -exponent);
      auto re = scaled(right, 0);
      for (bl::index i = 0; i < re.size(); ++i) re.data()[i] *= e0(i / (n * n), i % n);
      near("eig", bl::matmul(a0, scaled(right, 0)), re, size * many, 32);
    }
  }
};

// Even exponents over the type's range, in turn. Squares of the outer ones are beyond it.
template <class T>
int exponent_of(bl::index i) {
  static constexpr int f32[] = {0, 66, -66, 100, -100, 40, -40, 116, -116};
  static constexpr int f64[] = {0, 530, -530, 700, -700, 60, -60, 300, -300, 1000, -1000};
  if constexpr (sizeof(real<T>) == 4)
    return f32[i % 9];
  else
    return f64[i % 11];
}

// A part where every access is checked.
#ifdef BROADLOOM_ADDRESS_SANITIZER
constexpr bl::index every = 7;
#else
constexpr bl::index every = 1;
#endif

template <class T>
void check_rectangles() {
  for (bl::index m = 1; m <= 70; ++m)
    for (bl::index n = 1 + m % every; n <= 70; n += every) {
      // Complex ones take several times as long.
      if (is_complex<T> && (m + 2 * n) % 4 != 0) continue;
      checker<T>{m, n, exponent_of<T>(m * 5 + n)}.rectangle();
    }
}
template <class T>
void check_squares() {
  for (bl::index n = 1; n <= 70; n += every) {
    checker<T>{n, n, exponent_of<T>(n)}.square();
    for (const bl::index m : {n, 71 - n, n / 2 + 1})
      if (!is_complex<T> || n % 3 == 0) checker<T>{m, n, exponent_of<T>(n + m)}.singular();
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(linalg_factor_scales)

BOOST_AUTO_TEST_CASE(rectangles_f32) { check_rectangles<float>(); }
BOOST_AUTO_TEST_CASE(rectangles_f64) { check_rectangles<double>(); }
BOOST_AUTO_TEST_CASE(rectangles_c64) { check_rectangles<std::complex<float>>(); }
BOOST_AUTO_TEST_CASE(rectangles_c128) { check_rectangles<std::complex<double>>(); }
BOOST_AUTO_TEST_CASE(squares_f32) { check_squares<float>(); }
BOOST_AUTO_TEST_CASE(squares_f64) { check_squares<double>(); }
BOOST_AUTO_TEST_CASE(squares_c64) { check_squares<std::complex<float>>(); }
BOOST_AUTO_TEST_CASE(squares_c128) { check_squares<std::complex<double>>(); }

// Columns of very different sizes: each has the digits of its own norm.
template <class T>
void check_graded() {
  using R = real<T>;
  constexpr bl::index m = 40, n = 30;
  auto a = stack<T>(m, n);
  const auto a0 = scaled(a, 0);
  constexpr int most = std::numeric_limits<R>::max_exponent - 12;
  const auto exponent = [](bl::index j) { return static_cast<int>(j * 7919 % (2 * most)) - most; };
  for (bl::index i = 0; i < a.size(); ++i) a.data()[i] *= std::ldexp(R(1), exponent(i % n));
  const auto [q, r] = bl::qr(a);
  auto r0 = scaled(r, 0);
  for (bl::index i = 0; i < r.size(); ++i) {
    const int e = -exponent(i % n);
    if constexpr (is_complex<T>)
      r0.data()[i] = {std::ldexp(r0.data()[i].real(), e), std::ldexp(r0.data()[i].imag(), e)};
    else
      r0.data()[i] = std::ldexp(r0.data()[i], e);
  }
  const checker<T> by{m, n, most};
  by.orthogonal("q of graded columns", scaled(q, 0));
  by.near("qr of graded columns", bl::matmul(scaled(q, 0), r0), a0, largest(a0));
}
BOOST_AUTO_TEST_CASE(columns_of_different_sizes) {
  check_graded<float>();
  check_graded<double>();
  check_graded<std::complex<float>>();
  check_graded<std::complex<double>>();
}

// Diagonals whose inverses overflow or lose digits.
template <class T>
void check_triangles() {
  using limits = std::numeric_limits<T>;
  for (const T scale : {limits::denorm_min() * 8, limits::min(), limits::max() / 2})
    for (const bl::index n : {1, 3, 9, 20, 40}) {
      bl::dtensor<T, 2> a = bl::zeros<T>(n, n);
      for (bl::index i = 0; i < n; ++i) {
        a(i, i) = scale;
        if (i > 0) a(i, i - 1) = scale / 2;
        if (i > 1) a(i, 0) = scale / 4;
      }
      bl::dtensor<T, 1> x = bl::dtensor<T, 1>(n), b = bl::zeros<T>(n);
      for (bl::index i = 0; i < n; ++i) {
        x(i) = static_cast<T>(i % 2);
        for (bl::index k = 0; k <= i; ++k) b(i) += a(i, k) * x(k);
      }
      const bl::dtensor<T, 2> got = bl::solve_triangular(a, bl::unsqueeze(b, 1), false);
      const bl::dtensor<T, 1> solved = bl::solve(a, b);
      for (bl::index i = 0; i < n; ++i) {
        BOOST_TEST(std::abs(got(i, 0) - x(i)) <= 4 * limits::epsilon());
        BOOST_TEST(std::abs(solved(i) - x(i)) <= 4 * limits::epsilon());
      }
    }
}
BOOST_AUTO_TEST_CASE(diagonals_without_an_inverse_that_fits) {
  check_triangles<float>();
  check_triangles<double>();
}

BOOST_AUTO_TEST_CASE(nan_is_not_positive_definite) {
  for (const bl::index n : {1, 5, 16, 17, 40}) {
    bl::dtensor<double, 2> a = bl::eye<double>(n);
    a(n / 2, n / 2) = std::numeric_limits<double>::quiet_NaN();
    BOOST_CHECK_THROW(bl::eval(bl::cholesky(a)), bl::linalg_error);
    BOOST_CHECK_THROW(bl::eval(bl::cholesky(bl::cast<std::complex<double>>(a))), bl::linalg_error);
  }
}

BOOST_AUTO_TEST_SUITE_END()
