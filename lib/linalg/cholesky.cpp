// Cholesky factors, and solutions and inverses from them.
#include <algorithm>
#include <cstdint>

#include <broadloom/linalg/factor.hpp>
#include <broadloom/linalg/solve.hpp>

#include "kernels.hpp"
#include "lanes.hpp"
#include "lapacke.hpp"
#include "stack.hpp"

namespace broadloom::runtime {

namespace {

bool wants_upper(const stack_call& c) { return *static_cast<const bool*>(c.parameters); }

// Zeros above the diagonal.
template <class T>
void clear_above(const grid<T>& l, index n) {
  for (index i = 0; i < n; ++i)
    if (l.col == 1)
      std::fill_n(&l(i, i) + 1, n - i - 1, T(0));
    else
      std::fill_n(&l(0, i), i, T(0));
}
template <class T>
void conjugate(const grid<T>& a, index n) {
  for (index i = 0; i < n; ++i)
    for (index j = 0; j < n; ++j) {
      T& x = a.col == 1 ? a(i, j) : a(j, i);
      x = conjugated(x);
    }
}
// The lower triangle of a's factor: l itself, or of u'; 0 elsewhere. A dash is the conjugate transpose.
template <class T>
void copy_in_lower(const grid<T>& to, const matrix<T>& a, bool upper) {
  const index n = a.rows;
  copy_to(to, upper ? a.transposed() : a);
  if (is_complex_type<T> && upper) conjugate(to, n);
  clear_above(to, n);
}
// x := l'^-1 x; l becomes its conjugate.
template <class T>
void solve_adjoint(const grid<T>& l, index n, const grid<T>& x, index cols, int threads) {
  if constexpr (is_complex_type<T>) conjugate(l, n);
  solve_triangle(triangle_kind::upper, l.read(n, n).transposed(), x, cols, threads);
}

// Smaller factors are Eigen's, which takes up to 1.2 times less there in f64 (AVX2, Zen 3); in f32 halves take 0.71 to
// 0.89 of its time from 128 rows to 512.
template <class T>
constexpr index min_halved_cholesky = sizeof(T) == sizeof(float) ? min_halved : 512;

// The result from l: l itself, or u = l'.
template <class T>
void write_factor(T* to, const matrix<T>& l, bool upper) {
  copy_from(to, upper ? l.transposed() : l);
  if (is_complex_type<T> && upper)
    for (index i = 0; i < l.rows * l.rows; ++i) to[i] = conjugated(to[i]);
}

template <class T>
void run_cholesky(const stack_call& c) {
  const index n = c.sizes[0];
  const bool upper = wants_upper(c);
  if constexpr (!is_complex_type<T>)
    if (n > 0 && n <= max_lane_cholesky)
      return each_group<T, 1>(c, 2 * cube(n), n * n, failure::cholesky,
                              [&](const lane_kernels<T>& k, const lane_matrices<T>* in, T* const* to, int* info) {
                                k.cholesky(in[0], to, n, upper, info);
                              });
  const index pitch = padded<T>(n);
  each_core<T>(c, cube(n) / 3, n * pitch, failure::cholesky, [&](T* work, index number) {
    const bool halves = !is_complex_type<T> && n >= min_halved_cholesky<T>;
    const grid<T> l = halves ? by_rows(work, pitch) : by_columns(work, n);
    copy_in_lower(l, matrix_of<T>(c, 0, number, n, n), upper);
    if (!halves) {
      if (const int info = factors<T>().cholesky(n, work, n); info != 0) return info;
    } else if constexpr (!is_complex_type<T>) {
      if (const int info = factor_cholesky(l, n, threads_within(c)); info != 0) return info;
      clear_above(l, n);
    }
    T* const to = result_of<T>(c, 0, number, n * n);
    write_factor(to, l.read(n, n), upper);
    return 0;
  });
}

// (l l')^-1 x; operands b and the factor.
template <class T>
void run_cholesky_solve(const stack_call& c) {
  const index n = c.sizes[0], cols = c.sizes[1];
  const bool upper = wants_upper(c);
  if constexpr (!is_complex_type<T>)
    if (n > 0 && cols > 0 && n <= max_lane_cholesky && cols <= max_lane_cholesky)
      return each_group<T, 2>(c, static_cast<double>(4 * n * n * (cols + 2)), n * cols, failure::solve,
                              [&](const lane_kernels<T>& k, const lane_matrices<T>* in, T* const* to, int*) {
                                k.cholesky_solve(in[0], in[1], to, n, cols, upper);
                              });
  const index pitch = padded<T>(n), x_pitch = padded<T>(cols);
  each_core<T>(c, static_cast<double>(2 * n * n * (cols + 1)), n * (pitch + x_pitch), failure::solve,
               [&](T* work, index number) {
                 const grid<T> l = by_rows(work, pitch), x = by_rows(work + n * pitch, x_pitch);
                 copy_in_lower(l, matrix_of<T>(c, 1, number, n, n), upper);
                 copy_to(x, matrix_of<T>(c, 0, number, n, cols));
                 solve_triangle(triangle_kind::lower, l.read(n, n), x, cols, threads_within(c));
                 solve_adjoint(l, n, x, cols, threads_within(c));
                 copy_from(result_of<T>(c, 0, number, n * cols), x.read(n, cols));
                 return 0;
               });
}

// Copies the transpose of the lower triangle to the upper one, by squares of few cache lines.
template <class T>
void mirror_lower(T* a, index n) {
  constexpr index side = 64 / sizeof(T);
  for (index i = 0; i < n; i += side)
    for (index j = i; j < n; j += side)
      for (index r = i; r < std::min(i + side, n); ++r)
        for (index c = std::max(j, r + 1); c < std::min(j + side, n); ++c) a[r * n + c] = a[c * n + r];
}

template <class T>
void run_cholesky_inverse(const stack_call& c) {
  const index n = c.sizes[0];
  const bool upper = wants_upper(c);
  const index pitch = padded<T>(n);
  each_core<T>(c, cube(n), 2 * n * pitch, failure::inverse, [&](T* work, index number) {
    const grid<T> l = by_rows(work, pitch), x = by_rows(work + n * pitch, pitch);
    const int threads = threads_within(c);
    copy_in_lower(l, matrix_of<T>(c, 0, number, n, n), upper);
    for (index i = 0; i < n; ++i)
      if (l(i, i) == T(0)) return static_cast<int>(i + 1);
    std::fill_n(x.data, n * pitch, T(0));
    invert_lower(triangle_kind::lower, l.read(n, n), x, threads);
    T* const to = result_of<T>(c, 0, number, n * n);
    if constexpr (is_complex_type<T>) {
      solve_adjoint(l, n, x, n, threads);
      copy_from(to, x.read(n, n));
    } else {
      multiply_by_transpose(x.read(n, n), l, threads);
      for (index i = 0; i < n; ++i) std::copy_n(&l(i, 0), i + 1, to + i * n);
      mirror_lower(to, n);
    }
    return 0;
  });
}

// a^-1 b for a triangular a.
template <class T>
void run_solve_triangular(const stack_call& c) {
  const index n = c.sizes[0], cols = c.sizes[1];
  const auto& how = *static_cast<const triangle*>(c.parameters);
  const index pitch = padded<T>(n), x_pitch = padded<T>(cols);
  each_core<T>(c, static_cast<double>(n * n * (cols + 1)), n * (pitch + x_pitch), failure::solve,
               [&](T* work, index number) {
                 const grid<T> a = by_rows(work, pitch), x = by_rows(work + n * pitch, x_pitch);
                 copy_to(a, matrix_of<T>(c, 0, number, n, n));
                 if (how.unit)
                   for (index i = 0; i < n; ++i) a(i, i) = 1;
                 copy_to(x, matrix_of<T>(c, 1, number, n, cols));
                 solve_triangle(how.upper ? triangle_kind::upper : triangle_kind::lower, a.read(n, n), x, cols,
                                threads_within(c));
                 copy_from(result_of<T>(c, 0, number, n * cols), x.read(n, cols));
                 return 0;
               });
}

// LAPACK's pstrf: u (or l), the order of rows and columns, the rank. Rows of the factor beyond the rank are 0.
template <class T>
void run_pstrf(const stack_call& c) {
  const index n = c.sizes[0];
  const auto& how = *static_cast<const pivoting*>(c.parameters);
  each_core<T>(c, cube(n) / 3, n * n + 2 * n, failure::cholesky, [&](T* work, index number) {
    std::int32_t* const pivots = result_of<std::int32_t>(c, 1, number, n);
    std::int32_t* const rank = result_of<std::int32_t>(c, 2, number, 1);
    copy_in_lower(by_columns(work, n), matrix_of<T>(c, 0, number, n, n), how.upper);
    int found = 0;
    const auto size = static_cast<int>(n);
    if (n > 0)
      lapack<T>::pstrf(column_major, 'L', size, work, size, pivots, &found, static_cast<real_of<T>>(how.tolerance),
                       reinterpret_cast<real_of<T>*>(work + n * n));
    *rank = found;
    for (index i = 0; i < n; ++i) --pivots[i];
    for (index j = 0; j < n; ++j)
      for (index i = j >= found ? 0 : n; i < n; ++i) work[i + j * n] = 0;
    T* const to = result_of<T>(c, 0, number, n * n);
    write_factor(to, by_columns(work, n).read(n, n), how.upper);
    return 0;
  });
}

}  // namespace

BROADLOOM_STACK_FUNCTION(cholesky, run_cholesky<T>(c))
BROADLOOM_STACK_FUNCTION(cholesky_solve, run_cholesky_solve<T>(c))
BROADLOOM_STACK_FUNCTION(cholesky_inverse, run_cholesky_inverse<T>(c))
BROADLOOM_STACK_FUNCTION(solve_triangular, run_solve_triangular<T>(c))
BROADLOOM_STACK_FUNCTION(pstrf, run_pstrf<T>(c))

}  // namespace broadloom::runtime
