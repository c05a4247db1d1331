// Cholesky factors, and solutions and inverses from them.
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

// The lower triangle of a's factor: l itself, or of u'; 0 elsewhere. A dash is the conjugate transpose.
template <class T>
void copy_in_lower(T* to, const matrix<T>& a, bool upper) {
  const index n = a.rows;
  for (index j = 0; j < n; ++j)
    for (index i = 0; i < n; ++i) to[i + j * n] = i < j ? T(0) : upper ? conjugated(a(j, i)) : a(i, j);
}
template <class T>
void transpose(T* to, const T* from, index n) {
  for (index j = 0; j < n; ++j)
    for (index i = 0; i < n; ++i) to[i + j * n] = conjugated(from[j + i * n]);
}

// The result from l, which is column-major: l itself, or u = l'.
template <class T>
void write_factor(T* to, const T* l, index n, bool upper) {
  if (upper)  // column-major memory read by rows is transposed
    for (index i = 0; i < n * n; ++i) to[i] = conjugated(l[i]);
  else
    copy_out(to, l, n, n);
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
  each_core<T>(c, cube(n) / 3, n * n, failure::cholesky, [&](T* work, index number) {
    copy_in_lower(work, matrix_of<T>(c, 0, number, n, n), upper);
    if (const int info = factors<T>().cholesky(n, work, n); info != 0) return info;
    T* const to = result_of<T>(c, 0, number, n * n);
    write_factor(to, work, n, upper);
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
  each_core<T>(c, static_cast<double>(2 * n * n * (cols + 1)), 2 * n * n + n * cols, failure::solve,
               [&](T* work, index number) {
                 T *l = work, *u = work + n * n, *x = u + n * n;
                 copy_in_lower(l, matrix_of<T>(c, 1, number, n, n), upper);
                 transpose(u, l, n);
                 copy_in(x, matrix_of<T>(c, 0, number, n, cols));
                 factors<T>().solve_triangle(l, n, n, false, x, n, cols);
                 factors<T>().solve_triangle(u, n, n, true, x, n, cols);
                 copy_out(result_of<T>(c, 0, number, n * cols), x, n, cols);
                 return 0;
               });
}

template <class T>
void run_cholesky_inverse(const stack_call& c) {
  const index n = c.sizes[0];
  const bool upper = wants_upper(c);
  each_core<T>(c, 2 * cube(n), 3 * n * n, failure::inverse, [&](T* work, index number) {
    T *l = work, *u = work + n * n, *x = u + n * n;
    copy_in_lower(l, matrix_of<T>(c, 0, number, n, n), upper);
    for (index i = 0; i < n; ++i)
      if (l[i + i * n] == T(0)) return static_cast<int>(i + 1);
    transpose(u, l, n);
    set_identity(x, n, n);
    factors<T>().solve_triangle(l, n, n, false, x, n, n);
    factors<T>().solve_triangle(u, n, n, true, x, n, n);
    copy_out(result_of<T>(c, 0, number, n * n), x, n, n);
    return 0;
  });
}

// a^-1 b for a triangular a.
template <class T>
void run_solve_triangular(const stack_call& c) {
  const index n = c.sizes[0], cols = c.sizes[1];
  const auto& how = *static_cast<const triangle*>(c.parameters);
  each_core<T>(c, static_cast<double>(n * n * (cols + 1)), n * n + n * cols, failure::solve,
               [&](T* work, index number) {
                 T *a = work, *x = work + n * n;
                 copy_in(a, matrix_of<T>(c, 0, number, n, n));
                 if (how.unit)
                   for (index i = 0; i < n; ++i) a[i + i * n] = 1;
                 copy_in(x, matrix_of<T>(c, 1, number, n, cols));
                 factors<T>().solve_triangle(a, n, n, how.upper, x, n, cols);
                 copy_out(result_of<T>(c, 0, number, n * cols), x, n, cols);
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
    copy_in_lower(work, matrix_of<T>(c, 0, number, n, n), how.upper);
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
    write_factor(to, work, n, how.upper);
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
