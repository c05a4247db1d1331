// Random linear algebra: products against sums by hand, exact where the elements are small integers, in fixed order bit
// for bit; factorisations by what they must make up again, over sizes, scales, strides, stacks and special values.
// Build: seldom, uninstrumented
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <complex>
#include <cstring>
#include <vector>

#include <broadloom/broadloom.hpp>
#include <broadloom/linalg.hpp>

#include "fuzz/fuzz.hpp"

namespace bl = broadloom;

namespace {

template <class T>
using real = bl::detail::real_of<T>;
template <class T>
constexpr bool is_complex = bl::detail::is_complex_type<T>;
template <class T>
constexpr const char* name = "f32";
template <>
constexpr const char* name<double> = "f64";
template <>
constexpr const char* name<std::complex<float>> = "c64";
template <>
constexpr const char* name<std::complex<double>> = "c128";

template <class T>
T of_parts(real<T> re, real<T> im) {
  if constexpr (is_complex<T>)
    return {re, im};
  else
    return re;
}
template <class T>
long double re(const T& x) {
  if constexpr (is_complex<T>)
    return x.real();
  else
    return x;
}
template <class T>
long double im(const T& x) {
  if constexpr (is_complex<T>)
    return x.imag();
  else
    return 0;
}

// Whether two numbers are the same to the last bit, but for the bits of NaN.
template <class T>
bool same_bits(const T& x, const T& y) {
  if constexpr (is_complex<T>)
    return same_bits(x.real(), y.real()) && same_bits(x.imag(), y.imag());
  else
    return (x != x && y != y) || std::memcmp(&x, &y, sizeof x) == 0;
}

// A stack of matrices (count, rows, cols), somewhere in memory of its own.
template <class T>
struct operand {
  using view = bl::view<const T, bl::dshape<3>, bl::dyn_strides<3>>;
  std::vector<T> memory;
  bl::index at = 0, extents[3] = {}, strides[3] = {};

  operand(fuzz::choices& c, bl::index count, bl::index rows, bl::index cols) {
    extents[0] = count, extents[1] = rows, extents[2] = cols;
    const bool column_major = c.chance(3);
    const int inner = column_major ? 1 : 2, outer = column_major ? 2 : 1;
    strides[inner] = c.chance(4) ? 2 : 1;
    strides[outer] = strides[inner] * extents[inner] + c.between(0, c.chance(3) ? 7 : 0);
    strides[0] = strides[outer] * extents[outer] + c.between(0, 1);
    if (c.chance(8)) strides[0] = 0;
    if (c.chance(12)) strides[c.between(1, 2)] = 0;
    at = c.between(0, 3);
    bl::index size = at + 1;
    for (int i = 0; i < 3; ++i) {
      size += strides[i] * (extents[i] > 0 ? extents[i] - 1 : 0);
      if (c.chance(8)) {
        at += strides[i] * (extents[i] > 0 ? extents[i] - 1 : 0);
        strides[i] = -strides[i];
      }
    }
    memory.resize(static_cast<std::size_t>(size));
    c.note(count, " x ", rows, " x ", cols, " at strides ", strides[0], " ", strides[1], " ", strides[2]);
  }
  template <class Value>
  void fill(const Value& value) {
    for (T& x : memory) x = value();
  }
  T& operator()(bl::index s, bl::index i, bl::index j) {
    return memory[static_cast<std::size_t>(at + s * strides[0] + i * strides[1] + j * strides[2])];
  }
  const T& operator()(bl::index s, bl::index i, bl::index j) const { return const_cast<operand&>(*this)(s, i, j); }
  view array() const {
    return view(memory.data() + at, bl::dshape<3>(extents[0], extents[1], extents[2]),
                bl::dyn_strides<3>{{strides[0], strides[1], strides[2]}});
  }
  // The matrix of this number, which does not broadcast.
  bl::view<const T, bl::dshape<2>, bl::dyn_strides<2>> matrix(bl::index s) const {
    return {memory.data() + at + s * strides[0], bl::dshape<2>(extents[1], extents[2]),
            bl::dyn_strides<2>{{strides[1], strides[2]}}};
  }
};

bl::index size_of_matrix(fuzz::choices& c) {
  switch (c.below(8)) {
    case 7: return c.between(1, 70);
    case 6: return c.between(1, 33);
    default: return c.between(1, 9);
  }
}
bl::policy threads_of(fuzz::choices& c) { return bl::par.threads(static_cast<int>(c.between(0, 3))); }

// Compares what is the sum of products over k with a sum by hand.
template <class T, class Got, class A, class B>
void compare_exactly(const char* what, const Got& got, bl::index rows, bl::index cols, bl::index depth, const A& a,
                     const B& b) {
  for (bl::index i = 0; i < rows; ++i)
    for (bl::index j = 0; j < cols; ++j) {
      T sum{};
      for (bl::index k = 0; k < depth; ++k) sum = sum + a(i, k) * b(k, j);
      fuzz::require(same_bits(got(i, j), sum), what, " (", i, ", ", j, ") is ", got(i, j), ", not ", sum);
    }
}

// Small integers, and seldom something infinite or NaN: in any order the same, and never -0.
template <class T>
void products(fuzz::choices& c) {
  const bl::index stack = c.between(1, 3), rows = size_of_matrix(c), depth = c.chance(8) ? 0 : size_of_matrix(c),
                  cols = size_of_matrix(c);
  operand<T> a(c, c.chance(3) ? 1 : stack, rows, depth), b(c, c.chance(3) ? 1 : stack, depth, cols);
  const bool special = !is_complex<T> && c.chance(4);
  auto values = c.values();
  const auto value = [&] {
    if (special && values.bits().below(40) == 0) {
      const real<T> list[] = {std::numeric_limits<real<T>>::infinity(), -std::numeric_limits<real<T>>::infinity(),
                              std::numeric_limits<real<T>>::quiet_NaN(), -real<T>(0)};
      return of_parts<T>(list[values.bits().below(4)], 0);
    }
    const auto x = values.small<real<T>>();
    return of_parts<T>(x, is_complex<T> ? values.small<real<T>>() : real<T>(0));
  };
  a.fill(value);
  b.fill(value);
  const bl::policy how = threads_of(c);
  const auto product = bl::matmul(a.array(), b.array());
  const bl::dtensor<T, 3> got = bl::eval(product, how), ordered = bl::eval(product, how | bl::reproducible);
  const bl::index count = got.shape()[0];
  fuzz::require(got.shape() == bl::dshape<3>(std::max(a.extents[0], b.extents[0]), rows, cols), "the shape");
  for (bl::index s = 0; s < count; ++s) {
    const bl::index at_a = a.extents[0] == 1 ? 0 : s, at_b = b.extents[0] == 1 ? 0 : s;
    const auto left = [&](bl::index i, bl::index k) { return a(at_a, i, k); };
    const auto right = [&](bl::index k, bl::index j) { return b(at_b, k, j); };
    compare_exactly<T>(
        "matmul", [&](bl::index i, bl::index j) { return got(s, i, j); }, rows, cols, depth, left, right);
    for (bl::index i = 0; i < rows * cols; ++i) {
      const bl::index e = s * rows * cols + i;
      const T one = of_parts<T>(1, 0), x = ordered.data()[e] + (one - one);  // -0 is 0 in any other order
      fuzz::require(same_bits(got.data()[e], x), "element ", e, " in fixed order is ", ordered.data()[e], ", not ",
                    got.data()[e]);
    }
  }
  // The last matrix by other functions.
  const bl::index s = count - 1, at_a = a.extents[0] == 1 ? 0 : s, at_b = b.extents[0] == 1 ? 0 : s;
  const auto x = a.matrix(at_a), y = b.matrix(at_b);
  const auto expect = [&](const char* what, const auto& other) {
    for (bl::index i = 0; i < rows * cols; ++i)
      fuzz::require(same_bits(other.data()[i], got.data()[s * rows * cols + i]), what, ": element ", i, " is ",
                    other.data()[i], ", not ", got.data()[s * rows * cols + i]);
  };
  switch (c.below(5)) {
    case 0: return expect("einsum", bl::dtensor<T, 2>(bl::einsum<"ij,jk->ik">(x, y)));
    case 1: return expect("einsum to (k, i)", bl::dtensor<T, 2>(bl::eval(bl::einsum<"ij,jk->ki">(x, y)).T()));
    case 2: return expect("addmm", bl::dtensor<T, 2>(bl::addmm(bl::zeros<T>(rows, cols), x, y)));
    case 3: {
      bl::dtensor<T, 2> columns(rows, cols);
      for (bl::index j = 0; j < cols; ++j) {
        const bl::dtensor<T, 1> column = bl::mv(x, bl::slice(y, bl::all, j));
        for (bl::index i = 0; i < rows; ++i) columns(i, j) = column(i);
      }
      return expect("mv", columns);
    }
    default: {
      bl::dtensor<T, 2> each(rows, cols);
      for (bl::index i = 0; i < rows; ++i)
        for (bl::index j = 0; j < cols; ++j)
          each(i, j) = bl::eval(bl::dot(bl::slice(x, i), bl::slice(y, bl::all, j))).item();
      return expect("dot", each);
    }
  }
}

// The order of bl::reproducible by hand.
template <class T>
T in_order(const operand<T>& a, const operand<T>& b, bl::index s, bl::index i, bl::index j) {
  const bl::index at_a = a.extents[0] == 1 ? 0 : s, at_b = b.extents[0] == 1 ? 0 : s;
  if constexpr (is_complex<T>) {
    using R = real<T>;
    volatile R sum_re = -R(0), sum_im = -R(0);
    for (bl::index k = 0; k < a.extents[2]; ++k) {
      const T x = a(at_a, i, k), y = b(at_b, k, j);
      volatile R ac = x.real() * y.real(), bd = x.imag() * y.imag(), ad = x.real() * y.imag(), bc = x.imag() * y.real();
      volatile R up = ac - bd, down = ad + bc;
      sum_re = sum_re + up;
      sum_im = sum_im + down;
    }
    return {sum_re, sum_im};
  } else {
    volatile T sum = -T(0);
    for (bl::index k = 0; k < a.extents[2]; ++k) {
      volatile T product = a(at_a, i, k) * b(at_b, k, j);
      sum = sum + product;
    }
    return sum;
  }
}

// Elements of all kinds: in fixed order to the last bit, in any order as near as roundings allow, and with the bits
// that threads, alignment and position in a stack do not change.
template <class T>
void roundings(fuzz::choices& c) {
  const bl::index stack = c.between(1, 3), rows = size_of_matrix(c),
                  depth = c.chance(16) ? c.between(1, 600) : size_of_matrix(c), cols = size_of_matrix(c);
  operand<T> a(c, c.chance(3) ? 1 : stack, rows, depth), b(c, c.chance(3) ? 1 : stack, depth, cols);
  auto values = c.values();
  const bool any = c.chance(4);
  const auto value = [&] {
    const auto x = [&] { return any ? values.any<real<T>>() : static_cast<real<T>>(values.between(-1, 1)); };
    const real<T> first = x();
    return of_parts<T>(first, is_complex<T> ? x() : real<T>(0));
  };
  a.fill(value);
  b.fill(value);
  const auto product = bl::matmul(a.array(), b.array());
  const bl::dtensor<T, 3> fixed = bl::eval(product, threads_of(c) | bl::reproducible),
                          free = bl::eval(product, bl::seq);
  const bl::index count = fixed.shape()[0];
  for (bl::index s = 0; s < count; ++s)
    for (bl::index i = 0; i < rows; ++i)
      for (bl::index j = 0; j < cols; ++j) {
        const T wanted = in_order(a, b, s, i, j);
        fuzz::require(same_bits(fixed(s, i, j), wanted), "in fixed order (", s, ", ", i, ", ", j, ") is ",
                      fixed(s, i, j), ", not ", wanted);
        if (any) continue;
        const long double far = std::hypot(re(free(s, i, j)) - re(wanted), im(free(s, i, j)) - im(wanted));
        // Each order is within depth * epsilon / 2 of the sum of absolute values, complex parts within twice that.
        long double size = 0;
        for (bl::index k = 0; k < depth; ++k) {
          const T &x = a(a.extents[0] == 1 ? 0 : s, i, k), &y = b(b.extents[0] == 1 ? 0 : s, k, j);
          size += std::hypot(re(x), im(x)) * std::hypot(re(y), im(y));
        }
        fuzz::require(far <= 2 * static_cast<long double>(depth + 1) * std::numeric_limits<real<T>>::epsilon() * size,
                      "in any order (", s, ", ", i, ", ", j, ") is ", free(s, i, j), ", not ", wanted);
      }
  // Part of it: rows, columns or matrices, turned.
  const bl::index r = c.between<bl::index>(0, rows - 1), q = c.between<bl::index>(0, cols - 1);
  const auto x = bl::slice(a.array(), bl::all, bl::range(r, rows)),
             y = bl::slice(b.array(), bl::all, bl::all, bl::range(0, q + 1));
  const bl::dtensor<T, 3> part = bl::eval(bl::matmul(x, y), threads_of(c) | bl::reproducible),
                          turned =
                              bl::eval(bl::transpose(bl::matmul(bl::transpose(y, 1, 2), bl::transpose(x, 1, 2)), 1, 2),
                                       bl::par | bl::reproducible),
                          again = bl::eval(product, threads_of(c));
  for (bl::index s = 0; s < count; ++s)
    for (bl::index i = 0; i < rows - r; ++i)
      for (bl::index j = 0; j <= q; ++j) {
        const T whole = fixed(s, i + r, j);
        fuzz::require(same_bits(part(s, i, j), whole), "of a slice (", s, ", ", i, ", ", j, ")");
        fuzz::require(same_bits(turned(s, i, j), whole), "turned (", s, ", ", i, ", ", j, ")");
      }
  // The same in memory that begins elsewhere.
  operand<T> moved = a;
  moved.memory.insert(moved.memory.begin(), T{});
  ++moved.at;
  const bl::dtensor<T, 3> elsewhere = bl::matmul(moved.array(), b.array());
  for (bl::index i = 0; i < free.size(); ++i) {
    fuzz::require(same_bits(free.data()[i], again.data()[i]), "element ", i, " depends on threads");
    fuzz::require(same_bits(free.data()[i], elsewhere.data()[i]), "element ", i, " depends on alignment");
  }
}

// --- factorisations
// ---------------------------------------------------------------------------------------------------

// A matrix of wide numbers.
template <class T>
struct dense {
  using W = long double;
  struct number {
    W re = 0, im = 0;
  };
  bl::index rows, cols;
  std::vector<number> at;
  dense(bl::index m, bl::index n) : rows(m), cols(n), at(static_cast<std::size_t>(m * n)) {}
  // The matrix s of a row-major stack, or a whole matrix, times 2^exponent.
  template <class A>
  dense(const A& a, bl::index s, bl::index m, bl::index n, int exponent = 0) : dense(m, n) {
    for (bl::index i = 0; i < m * n; ++i) {
      const auto& x = a.data()[s * m * n + i];
      at[static_cast<std::size_t>(i)] = {std::ldexp(re(x), exponent), std::ldexp(im(x), exponent)};
    }
  }
  number& operator()(bl::index i, bl::index j) { return at[static_cast<std::size_t>(i * cols + j)]; }
  const number& operator()(bl::index i, bl::index j) const { return at[static_cast<std::size_t>(i * cols + j)]; }

  dense adjoint() const {
    dense r(cols, rows);
    for (bl::index i = 0; i < rows; ++i)
      for (bl::index j = 0; j < cols; ++j) r(j, i) = {(*this)(i, j).re, -(*this)(i, j).im};
    return r;
  }
  friend dense operator*(const dense& a, const dense& b) {
    dense r(a.rows, b.cols);
    for (bl::index i = 0; i < a.rows; ++i)
      for (bl::index k = 0; k < a.cols; ++k) {
        const number x = a(i, k);
        const number* from = &b.at[static_cast<std::size_t>(k * b.cols)];
        number* to = &r.at[static_cast<std::size_t>(i * b.cols)];
        for (bl::index j = 0; j < b.cols; ++j, ++from, ++to) {
          to->re += x.re * from->re;
          if constexpr (is_complex<T>) {
            to->re -= x.im * from->im;
            to->im += x.re * from->im + x.im * from->re;
          }
        }
      }
    return r;
  }
  static dense identity(bl::index n) {
    dense r(n, n);
    for (bl::index i = 0; i < n; ++i) r(i, i).re = 1;
    return r;
  }
  W largest() const {
    W most = 0;
    for (const number& x : at) {
      const W size = std::max(std::abs(x.re), std::abs(x.im));
      if (!(size <= most)) most = size;
    }
    return most;
  }
};

template <class T>
void near(const char* what, const dense<T>& got, const dense<T>& wanted, long double size, long double times = 8) {
  constexpr long double eps = std::numeric_limits<real<T>>::epsilon();
  long double most = 0;
  for (std::size_t i = 0; i < got.at.size(); ++i) {
    const long double far =
        std::max(std::abs(got.at[i].re - wanted.at[i].re), std::abs(got.at[i].im - wanted.at[i].im));
    if (!(far <= most)) most = far;
  }
  const auto n = static_cast<long double>(std::max({got.rows, got.cols, bl::index{4}}));
  fuzz::require(most <= times * n * eps * size, what, " is off by ", most / (eps * size), " epsilon");
}
template <class T>
void orthogonal(const char* what, const dense<T>& q) {
  near(what, q.adjoint() * q, dense<T>::identity(q.cols), 1);
}

enum class kind { lu, qr, reflections, cholesky, pivoted, solve, inverse, svd, symmetric, general, least, triangular };
constexpr kind kinds[] = {kind::lu,      kind::qr,  kind::reflections, kind::cholesky, kind::pivoted, kind::solve,
                          kind::inverse, kind::svd, kind::symmetric,   kind::general,  kind::least,   kind::triangular};
constexpr const char* titles[] = {"lu",  "qr",  "geqrf", "cholesky", "pstrf", "solve",
                                  "inv", "svd", "eigh",  "eig",      "lstsq", "solve_triangular"};

// An even exponent of the type's range, within which sums of as many elements as there are do not overflow.
template <class T>
int exponent_of(fuzz::choices& c) {
  constexpr int most = std::numeric_limits<real<T>>::max_exponent - 16;
  if (c.chance(2)) return 0;
  const int size = 2 * static_cast<int>(c.between(0, most / 2));
  return c.chance(2) ? -size : size;
}

template <class T>
dense<T> of_operand(const operand<T>& a, bl::index s, int exponent) {
  dense<T> r(a.extents[1], a.extents[2]);
  for (bl::index i = 0; i < r.rows; ++i)
    for (bl::index j = 0; j < r.cols; ++j)
      r(i, j) = {std::ldexp(re(a(s, i, j)), -exponent), std::ldexp(im(a(s, i, j)), -exponent)};
  return r;
}

template <class T>
void check_factors(kind k, const operand<T>& a, const operand<T>& b, int e, const bl::policy& how) {
  const bl::index count = a.extents[0], m = a.extents[1], n = a.extents[2], small = std::min(m, n), p = b.extents[2];
  const auto x = a.array();
  using D = dense<T>;
  const auto each = [&](const auto& check) {
    for (bl::index s = 0; s < count; ++s) {
      const D x0 = of_operand(a, s, e);
      check(s, x0, x0.largest());
    }
  };
  switch (k) {
    case kind::lu: {
      const auto [p1, l, u] = bl::lu(x);
      return each([&](bl::index s, const D& x0, long double size) {
        near("lu", D(p1, s, m, m) * D(l, s, m, small) * D(u, s, small, n, -e), x0, size);
      });
    }
    case kind::qr: {
      const auto [q, r] = bl::qr(x);
      return each([&](bl::index s, const D& x0, long double size) {
        const D q0(q, s, m, small);
        orthogonal("q", q0);
        near("qr", q0 * D(r, s, small, n, -e), x0, size);
      });
    }
    case kind::reflections: {
      const auto [packed, tau] = bl::geqrf(x);
      const bl::dtensor<T, 3> vectors = bl::slice(packed, bl::all, bl::all, bl::range(0, small)),
                              q = bl::householder_product(vectors, tau), back = bl::ormqr(packed, tau, x, true);
      return each([&](bl::index s, const D& x0, long double size) {
        D r(m, n);
        const D factor(packed, s, m, n, -e);
        for (bl::index i = 0; i < small; ++i)
          for (bl::index j = i; j < n; ++j) r(i, j) = factor(i, j);
        const D q0(q, s, m, small);
        orthogonal("orgqr", q0);
        near("ormqr", D(back, s, m, n, -e), r, size);
        D top(small, n);
        for (bl::index i = 0; i < small; ++i)
          for (bl::index j = 0; j < n; ++j) top(i, j) = r(i, j);
        near("geqrf", q0 * top, x0, size);
      });
    }
    case kind::cholesky: {
      const bl::dtensor<T, 3> l = bl::eval(bl::cholesky(x), how), u = bl::eval(bl::cholesky(x, true), how);
      return each([&](bl::index s, const D& x0, long double size) {
        const D l0(l, s, n, n, -e / 2), u0(u, s, n, n, -e / 2);
        near("cholesky", l0 * l0.adjoint(), x0, size);
        near("upper cholesky", u0.adjoint() * u0, x0, size);
      });
    }
    case kind::pivoted: {
      const auto [f, order, rank] = bl::pstrf(x);
      return each([&](bl::index s, const D& x0, long double size) {
        const D f0(f, s, n, n, -e / 2);
        D turned(n, n);
        for (bl::index i = 0; i < n; ++i)
          for (bl::index j = 0; j < n; ++j) turned(i, j) = x0(order(s, i), order(s, j));
        near("pstrf", f0.adjoint() * f0, turned, size, 64);
        fuzz::require(rank(s) == n, "the rank is ", rank(s));
      });
    }
    case kind::solve: {
      const bl::dtensor<T, 3> y = bl::eval(bl::solve(x, b.array()), how);
      const auto [lu, pivots] = bl::lu_factor(x);
      const bl::dtensor<T, 3> z = bl::eval(bl::lu_solve(lu, pivots, b.array()), how);
      return each([&](bl::index s, const D& x0, long double size) {
        const D b0 = of_operand(b, s, e), y0(y, s, n, p), z0(z, s, n, p);
        const auto many = static_cast<long double>(n);
        near("solve", x0 * y0, b0, many * size * (1 + y0.largest()));
        near("lu_solve", x0 * z0, b0, many * size * (1 + z0.largest()));
      });
    }
    case kind::inverse: {
      const bl::dtensor<T, 3> y = bl::eval(bl::inv(x), how);
      return each([&](bl::index s, const D& x0, long double size) {
        const D y0(y, s, n, n, e);
        near("inv", x0 * y0, D::identity(n), static_cast<long double>(n) * size * y0.largest());
      });
    }
    case kind::svd: {
      const auto [u, w, v] = bl::svd(x, bl::reduced);
      const bl::dtensor<real<T>, 2> values = bl::svdvals(x);
      return each([&](bl::index s, const D& x0, long double) {
        D uw(u, s, m, small);
        orthogonal("u", uw);
        const D v0(v, s, small, n);
        orthogonal("v", v0.adjoint());
        const long double first = std::ldexp(re(w(s, 0)), -e);
        for (bl::index j = 0; j < small; ++j) {
          const long double value = std::ldexp(re(w(s, j)), -e);
          fuzz::require(w(s, j) >= 0 && (j == 0 || w(s, j) <= w(s, j - 1)), "singular value ", j, " is ", w(s, j));
          fuzz::require(
              std::abs(std::ldexp(re(values(s, j)), -e) - value) <=
                  64 * static_cast<long double>(std::max(m, n)) * std::numeric_limits<real<T>>::epsilon() * first,
              "svdvals: ", values(s, j), ", not ", w(s, j));
          for (bl::index i = 0; i < m; ++i) uw(i, j) = {uw(i, j).re * value, uw(i, j).im * value};
        }
        near("svd", uw * v0, x0, first);
      });
    }
    case kind::symmetric: {
      const auto [w, v] = bl::eigh(x);
      return each([&](bl::index s, const D& x0, long double size) {
        D vw(v, s, n, n);
        orthogonal("eigh", vw);
        const D v0 = vw;
        for (bl::index j = 0; j < n; ++j) {
          const long double value = std::ldexp(re(w(s, j)), -e);
          for (bl::index i = 0; i < n; ++i) vw(i, j) = {vw(i, j).re * value, vw(i, j).im * value};
        }
        near("eigh", x0 * v0, vw, size * static_cast<long double>(n));
      });
    }
    case kind::general: {
      const auto [w, v] = bl::eig(x);
      using C = dense<std::complex<real<T>>>;
      return each([&](bl::index s, const D& x0, long double size) {
        C from(n, n), vw(v, s, n, n);
        const C v0 = vw;
        for (std::size_t i = 0; i < x0.at.size(); ++i) from.at[i] = {x0.at[i].re, x0.at[i].im};
        for (bl::index j = 0; j < n; ++j) {
          const long double wr = std::ldexp(re(w(s, j)), -e), wi = std::ldexp(im(w(s, j)), -e);
          for (bl::index i = 0; i < n; ++i) {
            const auto y = vw(i, j);
            vw(i, j) = {y.re * wr - y.im * wi, y.re * wi + y.im * wr};
          }
        }
        near("eig", from * v0, vw, size * static_cast<long double>(n), 32);
      });
    }
    case kind::least: {
      const bl::dtensor<T, 3> y = bl::eval(bl::lstsq(x, b.array()), how);
      // What is left is orthogonal to the columns of x.
      return each([&](bl::index s, const D& x0, long double size) {
        const D b0 = of_operand(b, s, e), y0(y, s, n, p);
        D left = x0 * y0;
        for (std::size_t i = 0; i < left.at.size(); ++i) {
          left.at[i].re -= b0.at[i].re;
          left.at[i].im -= b0.at[i].im;
        }
        const auto many = static_cast<long double>(std::max(m, n));
        near("lstsq", x0.adjoint() * left, D(n, p), many * size * (b0.largest() + many * size * y0.largest()), 64);
      });
    }
    case kind::triangular: {
      const bl::dtensor<T, 3> y = bl::eval(bl::solve_triangular(x, b.array(), true), how);
      return each([&](bl::index s, const D& x0, long double size) {
        D upper = x0;
        for (bl::index i = 0; i < n; ++i)
          for (bl::index j = 0; j < i; ++j) upper(i, j) = {};
        const D y0(y, s, n, p);
        near("solve_triangular", upper * y0, of_operand(b, s, e),
             static_cast<long double>(n) * size * (1 + y0.largest()));
      });
    }
  }
}

constexpr bool is_square(kind k) {
  return k != kind::lu && k != kind::qr && k != kind::reflections && k != kind::svd && k != kind::least;
}
constexpr bool is_hermitian(kind k) { return k == kind::cholesky || k == kind::pivoted || k == kind::symmetric; }

template <class T>
void factorisations(fuzz::choices& c) {
  using R = real<T>;
  const kind k = c.one_of(kinds);
  const bl::index count = c.between(1, 3), m = size_of_matrix(c), n = is_square(k) ? m : size_of_matrix(c);
  c.note(titles[static_cast<int>(k)], " of ", name<T>);
  operand<T> a(c, count, m, n), b(c, count, m, c.between(1, 3));
  const int e = exponent_of<T>(c);
  c.note("times 2^", e);
  const bl::policy how = threads_of(c);
  auto values = c.values();
  const auto value = [&] {
    const R x = static_cast<R>(std::ldexp(values.between(-1, 1), e));
    return of_parts<T>(x, is_complex<T> ? static_cast<R>(std::ldexp(values.between(-1, 1), e)) : R(0));
  };
  a.fill(value);
  b.fill(value);
  for (int i = 1; i < 3; ++i)
    if (a.strides[i] == 0) fuzz::discard();
  const R one = std::ldexp(R(1), e);
  for (bl::index s = 0; s < (a.strides[0] == 0 ? 1 : count); ++s) {
    if (is_hermitian(k))
      for (bl::index i = 0; i < n; ++i) {
        for (bl::index j = 0; j < i; ++j)
          a(s, j, i) = of_parts<T>(std::real(a(s, i, j)), static_cast<R>(-im(a(s, i, j))));
        a(s, i, i) = of_parts<T>(static_cast<R>(std::real(a(s, i, i)) + 2 * static_cast<R>(n) * one), 0);
      }
    // A diagonal that keeps solutions small.
    if (k == kind::triangular || k == kind::solve || k == kind::inverse)
      for (bl::index i = 0; i < n; ++i) a(s, i, i) = a(s, i, i) + of_parts<T>(static_cast<R>(n) * one, 0);
  }
  check_factors<T>(k, a, b, e, how);
}

// Zeros, equal rows, infinities and NaN: nothing hangs or crashes, what is singular is said to be, and an output keeps
// what it had where nothing was written.
template <class T>
void special_matrices(fuzz::choices& c) {
  using R = real<T>;
  const kind k = c.one_of(kinds);
  const bl::index count = c.between(1, 3), m = size_of_matrix(c), n = is_square(k) ? m : size_of_matrix(c);
  c.note(titles[static_cast<int>(k)], " of ", name<T>);
  operand<T> a(c, count, m, n), b(c, count, m, c.between(1, 3));
  auto values = c.values();
  const int what = static_cast<int>(c.between(0, 4));
  const bool right_too = c.chance(3);
  const auto any = [&] {
    const R x = what == 0   ? R(0)
                : what == 1 ? values.small<R>()
                : what == 2 ? values.any<R>()
                : what == 3 ? std::numeric_limits<R>::quiet_NaN()
                            : R(values.bits().below(6) == 0 ? std::numeric_limits<R>::infinity() : R(1));
    return of_parts<T>(x, is_complex<T> && what == 2 ? values.any<R>() : R(0));
  };
  a.fill(any);
  const auto one = [&] { return of_parts<T>(values.small<R>(), 0); };
  if (right_too)
    b.fill(any);
  else
    b.fill(one);
  c.note("elements of kind ", what, ", ", right_too ? "also" : "not", " on the right");
  const bl::policy how = threads_of(c);
  const auto x = a.array();
  const auto y = b.array();
  // Elements that an output keeps, or all of a matrix are written.
  const auto into = [&](const auto& expression) {
    using V = typename std::remove_cvref_t<decltype(expression)>::value_type;
    const auto shape = expression.shape();
    bl::dtensor<V, 3> out(shape[0], shape[1], shape[2]);
    for (bl::index i = 0; i < out.size(); ++i) out.data()[i] = V(77);
    try {
      bl::assign(out, expression, how);
    } catch (const bl::linalg_error& error) {
      // The one that it names, and with one matrix all, is as before.
      const std::string said = error.what();
      const auto at = said.find("(Batch element ");
      const bl::index s = at == std::string::npos ? 0 : std::atoll(said.c_str() + at + 15), each = shape[1] * shape[2];
      fuzz::require(s >= 0 && s < count, said);
      for (bl::index i = s * each; i < (s + 1) * each; ++i)
        fuzz::require(out.data()[i] == V(77), said, ", but element ", i, " is written");
      throw;
    }
  };
  bool threw = false;
  try {
    switch (k) {
      case kind::lu: static_cast<void>(bl::lu(x)); break;
      case kind::qr: static_cast<void>(bl::qr(x)); break;
      case kind::reflections: static_cast<void>(bl::geqrf(x)); break;
      case kind::cholesky: into(bl::cholesky(x)); break;
      case kind::pivoted: static_cast<void>(bl::pstrf(x)); break;
      case kind::solve: into(bl::solve(x, y)); break;
      case kind::inverse: into(bl::inv(x)); break;
      case kind::svd: static_cast<void>(bl::svd(x)); break;
      case kind::symmetric: static_cast<void>(bl::eigh(x)); break;
      case kind::general: static_cast<void>(bl::eig(x)); break;
      case kind::least: into(bl::lstsq(x, y)); break;
      case kind::triangular: into(bl::solve_triangular(x, y, true)); break;
    }
  } catch (const bl::linalg_error&) {
    threw = true;
  }
  const bool must = what == 0 && (k == kind::solve || k == kind::inverse || k == kind::cholesky);
  fuzz::require(!must || threw, "a zero matrix has no factors or solution");
}

}  // namespace

BOOST_AUTO_TEST_SUITE(linalg_fuzz)

BOOST_AUTO_TEST_CASE(products_f32) { fuzz::check("products_f32", 1500, products<float>); }
BOOST_AUTO_TEST_CASE(products_f64) { fuzz::check("products_f64", 1500, products<double>); }
BOOST_AUTO_TEST_CASE(products_c64) { fuzz::check("products_c64", 300, products<std::complex<float>>); }
BOOST_AUTO_TEST_CASE(products_c128) { fuzz::check("products_c128", 300, products<std::complex<double>>); }
BOOST_AUTO_TEST_CASE(roundings_f32) { fuzz::check("roundings_f32", 500, roundings<float>); }
BOOST_AUTO_TEST_CASE(roundings_f64) { fuzz::check("roundings_f64", 500, roundings<double>); }
BOOST_AUTO_TEST_CASE(roundings_c128) { fuzz::check("roundings_c128", 200, roundings<std::complex<double>>); }
BOOST_AUTO_TEST_CASE(factorisations_f32) { fuzz::check("factorisations_f32", 1000, factorisations<float>); }
BOOST_AUTO_TEST_CASE(factorisations_f64) { fuzz::check("factorisations_f64", 1000, factorisations<double>); }
BOOST_AUTO_TEST_CASE(factorisations_c64) {
  fuzz::check("factorisations_c64", 300, factorisations<std::complex<float>>);
}
BOOST_AUTO_TEST_CASE(factorisations_c128) {
  fuzz::check("factorisations_c128", 300, factorisations<std::complex<double>>);
}
BOOST_AUTO_TEST_CASE(special_matrices_f32) { fuzz::check("special_matrices_f32", 500, special_matrices<float>); }
BOOST_AUTO_TEST_CASE(special_matrices_f64) { fuzz::check("special_matrices_f64", 500, special_matrices<double>); }
BOOST_AUTO_TEST_CASE(special_matrices_c128) {
  fuzz::check("special_matrices_c128", 200, special_matrices<std::complex<double>>);
}

BOOST_AUTO_TEST_SUITE_END()
