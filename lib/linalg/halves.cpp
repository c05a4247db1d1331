#include "halves.hpp"

#include <algorithm>
#include <complex>
#include <utility>

#include "../base/scope.hpp"
#include "kernels.hpp"
#include "product.hpp"

namespace broadloom::runtime {

namespace {

// What is no longer halved: so many columns of LU, rows of a triangle, rows of Cholesky's factor or of a triangle in a
// product.
constexpr index max_panel = 32, max_triangle = 32, max_factor = 64;

// Half of n, in whole cache lines of f64.
index half_of(index n) { return (n / 2 + 7) / 8 * 8; }

// Factors and solutions do not depend on what bl::with says of products.
class any_order {
 public:
  any_order() : before_(scope_here.products) { scope_here.products = product_order::free; }
  any_order(const any_order&) = delete;
  any_order& operator=(const any_order&) = delete;
  ~any_order() { scope_here.products = before_; }

 private:
  product_order before_;
};

template <class T>
matrix<T> part(const matrix<T>& m, index row, index col, index rows, index cols) {
  return {m.data + row * m.row_stride + col * m.col_stride, rows, cols, m.row_stride, m.col_stride};
}

// c := alpha a b, or c + alpha a b.
template <class T>
void add_product(const grid<T>& c, const matrix<T>& a, const matrix<T>& b, T alpha, bool accumulate, int threads) {
  const bool across = c.col != 1;
  product_problem<T> p;
  p.a = across ? b.transposed() : a;
  p.b = across ? a.transposed() : b;
  p.c = c.data;
  p.ldc = across ? c.col : c.row;
  p.alpha = alpha;
  p.accumulate = accumulate;
  p.how.threads = threads;
  multiply(p);
}

// c := alpha a l for a lower triangle l. Products with its upper half, which is 0, are left out.
template <class T>
void multiply_by_lower(const grid<T>& c, const matrix<T>& a, const matrix<T>& l, T alpha, int threads) {
  const index n = l.rows;
  if (n <= max_factor) return add_product(c, a, l, alpha, false, threads);
  const index first = half_of(n), rest = n - first;
  const matrix<T> right = part(a, 0, first, a.rows, rest);
  multiply_by_lower(c, part(a, 0, 0, a.rows, first), part(l, 0, 0, first, first), alpha, threads);
  add_product(c, right, part(l, first, 0, rest, first), alpha, true, threads);
  multiply_by_lower(c.from(0, first), right, part(l, first, first, rest, rest), alpha, threads);
}

template <class T>
void copy_block(const grid<T>& to, const matrix<T>& from) {
  for (index i = 0; i < from.rows; ++i)
    for (index j = 0; j < from.cols; ++j) to(i, j) = from(i, j);
}

// A triangle of few rows. Columns that are not contiguous along rows, and complex ones, are copied some at a time.
template <class T>
void solve_few(triangle_kind kind, const matrix<T>& a, const grid<T>& x, index count) {
  constexpr bool complex = detail::is_complex_type<T>;
  const index n = a.rows;
  T triangle[max_triangle * max_triangle];
  copy_block(by_columns(triangle, n), a);
  if (kind == triangle_kind::unit_lower)
    for (index i = 0; i < n; ++i) triangle[i * (n + 1)] = 1;
  const bool upper = kind == triangle_kind::upper;
  if constexpr (!complex)
    if (x.col == 1) return factors<T>().solve_rows(triangle, n, upper, x.data, x.row, count);
  constexpr index block = 32;
  T own[max_triangle * block];
  for (index j = 0; j < count; j += block) {
    const index cols = std::min(block, count - j);
    const grid<T> here = complex ? by_columns(own, n) : by_rows(own, cols);
    copy_block(here, x.from(0, j).read(n, cols));
    if constexpr (complex)
      factors<T>().solve_triangle(triangle, n, n, upper, own, n, cols);
    else
      factors<T>().solve_rows(triangle, n, upper, own, cols, cols);
    copy_block(x.from(0, j), here.read(n, cols));
  }
}

template <class T>
void solve(triangle_kind kind, const matrix<T>& a, const grid<T>& x, index count, int threads) {
  const index n = a.rows;
  if (n <= max_triangle) return solve_few(kind, a, x, count);
  const index first = half_of(n), rest = n - first;
  const bool upper = kind == triangle_kind::upper;
  const matrix<T> before = part(a, 0, 0, first, first), after = part(a, first, first, rest, rest);
  const grid<T> below = x.from(first, 0);
  solve(kind, upper ? after : before, upper ? below : x, count, threads);
  if (upper)
    add_product(x, part(a, 0, first, first, rest), below.read(rest, count), T(-1), true, threads);
  else
    add_product(below, part(a, first, 0, rest, first), x.read(first, count), T(-1), true, threads);
  solve(kind, upper ? before : after, upper ? x : below, count, threads);
}

template <class T>
void invert(triangle_kind kind, const matrix<T>& a, const grid<T>& x, int threads) {
  const index n = a.rows;
  if (n <= max_triangle) {
    for (index i = 0; i < n; ++i) x(i, i) = 1;
    return solve_few(kind, a, x, n);
  }
  const index first = half_of(n), rest = n - first;
  const matrix<T> after = part(a, first, first, rest, rest);
  invert(kind, part(a, 0, 0, first, first), x, threads);
  multiply_by_lower(x.from(first, 0), part(a, first, 0, rest, first), x.read(first, first), T(-1), threads);
  solve(kind, after, x.from(first, 0), first, threads);
  invert(kind, after, x.from(first, first), threads);
}

// The lower triangle of c := alpha w' w, or c + alpha w' w.
template <class T>
void add_gram(const grid<T>& c, const matrix<T>& w, T alpha, bool accumulate, int threads) {
  const index n = w.cols;
  if (n <= 2 * max_triangle) return add_product(c, w.transposed(), w, alpha, accumulate, threads);
  const index first = half_of(n), rest = n - first;
  const matrix<T> left = part(w, 0, 0, w.rows, first), right = part(w, 0, first, w.rows, rest);
  add_gram(c, left, alpha, accumulate, threads);
  add_product(c.from(first, 0), right.transposed(), left, alpha, accumulate, threads);
  add_gram(c.from(first, first), right, alpha, accumulate, threads);
}

// The lower triangle becomes l with a = l * l'. The result is factor_kernels<T>::cholesky's.
template <class T>
int lower_factor(const grid<T>& a, index n, int threads) {
  if (n <= max_factor) {
    T own[max_factor * max_factor];
    copy_block(by_columns(own, n), a.read(n, n));
    const int info = factors<T>().cholesky(n, own, n);
    copy_block(a, by_columns(own, n).read(n, n));
    return info;
  }
  const index first = half_of(n), rest = n - first;
  if (const int info = lower_factor(a, first, threads); info != 0) return info;
  const grid<T> below = a.from(first, 0), after = a.from(first, first);
  solve(triangle_kind::lower, a.read(first, first), grid<T>{below.data, below.col, below.row}, rest, threads);
  add_gram(after, below.read(rest, first).transposed(), T(-1), true, threads);
  const int info = lower_factor(after, rest, threads);
  return info != 0 ? info + static_cast<int>(first) : 0;
}

// The lower triangle of c := w' w for the lower triangle w.
template <class T>
void gram_of_lower(const grid<T>& c, const matrix<T>& w, int threads) {
  const index n = w.cols;
  if (n <= 2 * max_triangle) return add_gram(c, w, T(1), false, threads);
  const index first = half_of(n), rest = n - first;
  const matrix<T> beside = part(w, first, 0, rest, first), after = part(w, first, first, rest, rest);
  gram_of_lower(c, part(w, 0, 0, first, first), threads);
  add_gram(c, beside, T(1), true, threads);
  const grid<T> below = c.from(first, 0);
  multiply_by_lower(grid<T>{below.data, below.col, below.row}, beside.transposed(), after, T(1), threads);
  gram_of_lower(c.from(first, first), after, threads);
}

// `panel` is memory for max_panel columns of the leading dimension `ld`.
template <class T>
int factor(const grid<T>& a, index rows, index cols, int* pivots, T* panel, index ld, int threads) {
  if (cols <= max_panel) {
    const grid<T> own = by_columns(panel, ld);
    copy_block(own, a.read(rows, cols));
    const int info = factors<T>().lu(rows, cols, panel, ld, pivots);
    copy_block(a, own.read(rows, cols));
    return info;
  }
  const index first = half_of(cols), rest = cols - first;
  const grid<T> beyond = a.from(0, first), below = a.from(first, first);
  const int left = factor(a, rows, first, pivots, panel, ld, threads);
  swap_rows(beyond, rest, pivots, first);
  solve(triangle_kind::unit_lower, a.read(first, first), beyond, rest, threads);
  add_product(below, a.from(first, 0).read(rows - first, first), beyond.read(first, rest), T(-1), true, threads);
  const int right = factor(below, rows - first, rest, pivots + first, panel, ld, threads);
  swap_rows(a.from(first, 0), first, pivots + first, rest);
  for (index i = first; i < cols; ++i) pivots[i] += static_cast<int>(first);
  return left != 0 ? left : right != 0 ? right + static_cast<int>(first) : 0;
}

}  // namespace

template <class T>
void swap_rows(const grid<T>& x, index cols, const int* pivots, index count) {
  if (x.col == 1) {
    for (index k = 0; k < count; ++k)
      if (pivots[k] != k) std::swap_ranges(&x(k, 0), &x(k, 0) + cols, &x(pivots[k], 0));
  } else
    for (index j = 0; j < cols; ++j)
      for (index k = 0; k < count; ++k) std::swap(x(k, j), x(pivots[k], j));
}

template <class T>
int factor_lu(const grid<T>& a, index rows, index cols, int* pivots, int threads) {
  const index square = std::min(rows, cols);
  if (detail::is_complex_type<T> ||
      square < min_halved)  // those of complex numbers are LAPACK's, where there is LAPACK
    return factors<T>().lu(rows, cols, a.data, a.col, pivots);
  if constexpr (!detail::is_complex_type<T>) {
    const any_order scope;
    const index ld = (rows + 15) / 16 * 16 + 8;  // no power of two: columns are in different sets of the caches
    const buffer<T> panel(ld * std::min(max_panel, square));
    const int info = factor(a, rows, square, pivots, panel.data(), ld, threads);
    if (square < cols) {
      const grid<T> beyond = a.from(0, square);
      swap_rows(beyond, cols - square, pivots, square);
      solve(triangle_kind::unit_lower, a.read(square, square), beyond, cols - square, threads);
    }
    return info;
  }
  return 0;
}

template <class T>
void solve_triangle(triangle_kind kind, const matrix<T>& a, const grid<T>& x, index count, int threads) {
  if (a.rows == 0 || count == 0) return;
  const any_order scope;
  solve(kind, a, x, count, threads);
}

template <class T>
void invert_lower(triangle_kind kind, const matrix<T>& a, const grid<T>& x, int threads) {
  if (a.rows == 0) return;
  const any_order scope;
  invert(kind, a, x, threads);
}

template <class T>
void multiply_by_transpose(const matrix<T>& w, const grid<T>& to, int threads) {
  if (w.rows == 0) return;
  const any_order scope;
  gram_of_lower(to, w, threads);
}

template <class T>
int factor_cholesky(const grid<T>& a, index n, int threads) {
  const any_order scope;
  return n == 0 ? 0 : lower_factor(a, n, threads);
}

#define BROADLOOM_HALVES(T)                                                                  \
  template void swap_rows(const grid<T>&, index, const int*, index);                         \
  template int factor_lu(const grid<T>&, index, index, int*, int);                           \
  template void solve_triangle(triangle_kind, const matrix<T>&, const grid<T>&, index, int); \
  template void invert_lower(triangle_kind, const matrix<T>&, const grid<T>&, int);
BROADLOOM_HALVES(float)
BROADLOOM_HALVES(double)
BROADLOOM_HALVES(std::complex<float>)
BROADLOOM_HALVES(std::complex<double>)
#undef BROADLOOM_HALVES
template int factor_cholesky(const grid<float>&, index, int);
template int factor_cholesky(const grid<double>&, index, int);
template void multiply_by_transpose(const matrix<float>&, const grid<float>&, int);
template void multiply_by_transpose(const matrix<double>&, const grid<double>&, int);

}  // namespace broadloom::runtime
