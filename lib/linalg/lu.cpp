// The uses of the LU factorisation with row pivots: inverses, determinants, solutions, powers.
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <utility>

#include <broadloom/linalg/factor.hpp>
#include <broadloom/linalg/matrix_forms.hpp>
#include <broadloom/linalg/solve.hpp>

#include "lanes.hpp"
#include "lu.hpp"
#include "run_kernels.hpp"
#include "stack.hpp"

namespace broadloom::runtime {

namespace {

// Small matrices of real numbers are computed by the lane.
template <class T>
bool in_lanes(index n, index cols) {
  return !is_complex_type<T> && n > 0 && n <= max_lane_lu && cols > 0 && cols <= max_lane_lu;
}
double lane_cost(index n, index cols) { return static_cast<double>(n * n * (n + 3 * cols + 6)); }

// Factors of a matrix. What rounding left of a pivot of a singular matrix of whole numbers is 0.
template <class T>
int factor(const matrix<T>& m, const grid<T>& a, int* pivots, int threads) {
  const index n = m.rows;
  copy_to(a, m);
  const int info = factor_lu(a, n, n, pivots, threads);
  if (info != 0) return info;
  const index k = lost_pivot(m, a.read(n, n));
  if (k >= 0) a(k, k) = 0;
  return static_cast<int>(k + 1);
}

template <class T>
void run_inverse(const stack_call& c) {
  const index n = c.sizes[0];
  if constexpr (!is_complex_type<T>)
    if (in_lanes<T>(n, n))
      return each_group<T, 1>(c, lane_cost(n, n), n * n, failure::inverse,
                              [&](const lane_kernels<T>& k, const lane_matrices<T>* in, T* const* to, int* info) {
                                k.solve(in[0], nullptr, to, n, n, info);
                              });
  const index pitch = padded<T>(n);
  each_core<T>(c, 2 * cube(n), 2 * n * pitch + n, failure::inverse, [&](T* work, index number) {
    const grid<T> a = for_lu(work, n, n), x = by_rows(work + n * pitch, pitch);
    int* const pivots = reinterpret_cast<int*>(work + 2 * n * pitch);
    const int threads = threads_within(c);
    if (const int info = factor(matrix_of<T>(c, 0, number, n, n), a, pivots, threads); info != 0) return info;
    invert_factored(a.read(n, n), pivots, x, threads);
    copy_from(result_of<T>(c, 0, number, n * n), x.read(n, n));
    return 0;
  });
}

// Sign and logarithm of the magnitude of the determinant, or the determinant itself.
template <class T, class Out>
void run_determinant(const stack_call& c, const Out& out) {
  const index n = c.sizes[0];
  const index size = n * padded<T>(n);
  each_core<T>(c, cube(n), size + n, failure::inverse, [&](T* work, index number) {
    int* const pivots = reinterpret_cast<int*>(work + size);
    const grid<T> a = for_lu(work, n, n);
    factor(matrix_of<T>(c, 0, number, n, n), a, pivots, threads_within(c));
    bool odd = false;
    for (index i = 0; i < n; ++i) odd ^= pivots[i] != i;
    out(a.read(n, n), odd, number);
    return 0;
  });
}

// Determinants by minors; by elimination those that are 0 or whose terms leave the range.
template <class T>
void run_minors(const stack_call& c, index n) {
  stack_input own[1];
  index loop[detail::max_loop_axes];
  const stack_call m = with_merged_axes(c, 1, own, loop);
  T* const to = static_cast<T*>(c.outputs[0]);
  const lane_kernels<T>& k = lanes<T>();
  each_run(m, block_of(static_cast<double>(n * n)), [&](index first, index count) {
    const matrix_run<T> run{static_cast<const T*>(own->data) + loop_offset(m, *own, first), run_step(m, *own),
                            own->core[0], own->core[1], count};
    if (small_runs<T>().determinant(run, n, to + first)) return;
    lane_matrices<T> left{{}, run.row_stride, run.col_stride};
    T *results[max_lanes], spare;
    int lane = 0;
    for (index i = 0; i < count; ++i) {
      if (to[first + i] == to[first + i]) continue;
      left.at[lane] = run.data + i * run.step;
      results[lane++] = to + first + i;
      if (lane == k.lanes) {
        k.determinant(left, results, n);
        lane = 0;
      }
    }
    if (lane == 0) return;
    for (; lane < k.lanes; ++lane) {
      left.at[lane] = left.at[0];
      results[lane] = &spare;
    }
    k.determinant(left, results, n);
  });
}

template <class T>
void run_solve(const stack_call& c, index n, index cols, bool vector) {
  if constexpr (!is_complex_type<T>)
    if (in_lanes<T>(n, cols))
      return each_group<T, 2>(c, lane_cost(n, cols), n * cols, failure::solve,
                              [&](const lane_kernels<T>& k, lane_matrices<T>* in, T* const* to, int* info) {
                                if (vector) in[1].col_stride = 1;
                                k.solve(in[0], &in[1], to, n, cols, info);
                              });
  const index pitch = padded<T>(n), size = n * (pitch + padded<T>(cols));
  each_core<T>(c, cube(n) + cube(n) / static_cast<double>(n + 1) * static_cast<double>(cols), size + n, failure::solve,
               [&](T* work, index number) {
                 const grid<T> a = for_lu(work, n, n), x = by_rows(work + n * pitch, padded<T>(cols));
                 int* const pivots = reinterpret_cast<int*>(work + size);
                 const int threads = threads_within(c);
                 copy_to(x, vector ? vector_of<T>(c, 1, number, n) : matrix_of<T>(c, 1, number, n, cols));
                 if (const int info = factor(matrix_of<T>(c, 0, number, n, n), a, pivots, threads); info != 0)
                   return info;
                 solve_factored(a.read(n, n), pivots, x, cols, threads);
                 copy_from(result_of<T>(c, 0, number, n * cols), x.read(n, cols));
                 return 0;
               });
}

template <class T>
void run_factor(const stack_call& c, bool must_be_regular) {
  const index m = c.sizes[0], n = c.sizes[1], size = m < n ? m : n;
  each_core<T>(c, cube(size) + static_cast<double>(m * n), m * padded<T>(n), failure::lu, [&](T* work, index number) {
    std::int32_t* const pivots = result_of<std::int32_t>(c, 1, number, size);
    const grid<T> a = for_lu(work, m, n);
    copy_to(a, matrix_of<T>(c, 0, number, m, n));
    const int info = factor_lu(a, m, n, pivots, threads_within(c));
    for (index i = 0; i < size; ++i) ++pivots[i];  // counted from 1, as LAPACK does
    copy_from(result_of<T>(c, 0, number, m * n), a.read(m, n));
    return must_be_regular ? info : 0;
  });
}

// p, l and u with p * l * u = a.
template <class T>
void run_lu(const stack_call& c) {
  const index m = c.sizes[0], n = c.sizes[1], size = m < n ? m : n;
  const index all = m * padded<T>(n);
  each_core<T>(c, cube(size) + static_cast<double>(m * n), all + 2 * m, failure::lu, [&](T* work, index number) {
    int* const pivots = reinterpret_cast<int*>(work + all);
    int* const order = pivots + size;
    const grid<T> a = for_lu(work, m, n);
    copy_to(a, matrix_of<T>(c, 0, number, m, n));
    factor_lu(a, m, n, pivots, threads_within(c));
    for (index i = 0; i < m; ++i) order[i] = static_cast<int>(i);
    for (index i = 0; i < size; ++i) std::swap(order[i], order[pivots[i]]);
    T *p = result_of<T>(c, 0, number, m * m), *l = result_of<T>(c, 1, number, m * size),
      *u = result_of<T>(c, 2, number, size * n);
    std::memset(static_cast<void*>(p), 0, static_cast<std::size_t>(m * m) * sizeof(T));
    for (index i = 0; i < m; ++i) p[order[i] * m + i] = 1;
    for (index i = 0; i < m; ++i)
      for (index j = 0; j < size; ++j) l[i * size + j] = i > j ? a(i, j) : static_cast<T>(i == j);
    for (index i = 0; i < size; ++i)
      for (index j = 0; j < n; ++j) u[i * n + j] = i <= j ? a(i, j) : T(0);
    return 0;
  });
}

// From the factors of lu_factor: operands lu, pivots (as elements of the same type) and b.
template <class T>
void run_lu_solve(const stack_call& c) {
  const index n = c.sizes[0], cols = c.sizes[1];
  first_failure outside;
  const index pitch = padded<T>(n), size = n * (pitch + padded<T>(cols));
  each_core<T>(c, static_cast<double>(n * n * (cols + 1)), size + n, failure::solve, [&](T* work, index number) {
    const grid<T> lu = for_lu(work, n, n), x = by_rows(work + n * pitch, padded<T>(cols));
    int* const pivots = reinterpret_cast<int*>(work + size);
    copy_to(lu, matrix_of<T>(c, 0, number, n, n));
    const auto from = vector_of<T>(c, 1, number, n);
    for (index i = 0; i < n; ++i) {
      const real_of<T> p = real_part(from(i, 0));
      if (!(p >= 1 && p <= static_cast<real_of<T>>(n))) {
        outside.record(number, p > 1 ? 1 : 0);
        return 0;
      }
      pivots[i] = static_cast<int>(p) - 1;
    }
    copy_to(x, matrix_of<T>(c, 2, number, n, cols));
    solve_factored(lu.read(n, n), pivots, x, cols, threads_within(c));
    copy_from(result_of<T>(c, 0, number, n * cols), x.read(n, cols));
    return 0;
  });
  outside.raise_pivots();
}

template <class T>
void run_power(const stack_call& c, std::int64_t exponent) {
  const index n = c.sizes[0];
  auto steps =
      exponent < 0 ? std::uint64_t{0} - static_cast<std::uint64_t>(exponent) : static_cast<std::uint64_t>(exponent);
  const double cost = 2 * cube(n) * (exponent < 0 ? 3 : 1) * (1 + std::log2(static_cast<double>(steps) + 1));
  each_core<T>(c, cost, 5 * n * n, failure::inverse, [&](T* work, index number) {
    T *base = work, *power = work + n * n, *spare = work + 2 * n * n;
    copy_in(base, matrix_of<T>(c, 0, number, n, n));
    if (exponent < 0) {
      int* const pivots = reinterpret_cast<int*>(work + 4 * n * n);
      const grid<T> a = by_columns(base, n);
      if (const int info = factor_lu(a, n, n, pivots, 1); info != 0) return info;
      invert_factored(a.read(n, n), pivots, by_columns(power, n), 1);
      std::swap(base, power);
    }
    bool have = false;
    for (std::uint64_t left = steps; left != 0; left >>= 1) {
      if ((left & 1) != 0) {
        if (have) {
          multiply_square(spare, power, base, n);
          std::swap(spare, power);
        } else
          std::memcpy(static_cast<void*>(power), base, static_cast<std::size_t>(n * n) * sizeof(T));
        have = true;
      }
      if (left > 1) {
        multiply_square(spare, base, base, n);
        std::swap(spare, base);
      }
    }
    if (!have) set_identity(power, n, n);
    copy_out(result_of<T>(c, 0, number, n * n), power, n, n);
    return 0;
  });
}

}  // namespace

BROADLOOM_STACK_FUNCTION(inverse, run_inverse<T>(c))
void determinant(const stack_call& c) {
  by_type(c, [&]<class T>() {
    const index n = c.sizes[0];
    if constexpr (!is_complex_type<T>) {
      if (n >= 2 && n <= 4) return run_minors<T>(c, n);
      if (in_lanes<T>(n, n))
        return each_group<T, 1>(c, lane_cost(n, 0), 1, failure::inverse,
                                [&](const lane_kernels<T>& k, const lane_matrices<T>* in, T* const* to, int*) {
                                  k.determinant(in[0], to, n);
                                });
    }
    run_determinant<T>(c, [&](const matrix<T>& lu, bool odd, index number) {
      T d = odd ? T(-1) : T(1);
      for (index i = 0; i < n; ++i) d *= lu(i, i);
      *result_of<T>(c, 0, number, 1) = d;
    });
  });
}
void log_determinant(const stack_call& c) {
  by_type(c, [&]<class T>() {
    const index n = c.sizes[0];
    run_determinant<T>(c, [&](const matrix<T>& lu, bool odd, index number) {
      using R = real_of<T>;
      T sign = odd ? T(-1) : T(1);
      R log = 0;
      for (index i = 0; i < n; ++i) {
        const T x = lu(i, i);
        if constexpr (is_complex_type<T>)
          sign = x == T(0) ? T(0) : sign * (x / std::abs(x));
        else
          sign = x == 0 ? T(0) : x < 0 ? -sign : x > 0 ? sign : x;
        log += std::log(std::abs(x));
      }
      *result_of<T>(c, 0, number, 1) = sign;
      *result_of<R>(c, 1, number, 1) = log;
    });
  });
}
void logarithm_of_determinant(const stack_call& c) {
  by_type(c, [&]<class T>() {
    const index n = c.sizes[0];
    run_determinant<T>(c, [&](const matrix<T>& lu, bool odd, index number) {
      T sum = 0;
      bool negative = odd;
      for (index i = 0; i < n; ++i) {
        const T x = lu(i, i);
        if constexpr (is_complex_type<T>)
          sum += std::log(x);
        else {
          negative ^= x < 0;
          sum += std::log(std::abs(x));
        }
      }
      if constexpr (is_complex_type<T>) {
        using R = real_of<T>;
        constexpr R pi = static_cast<R>(3.14159265358979323846);
        // the principal value: sums of angles go around
        const R angle = std::remainder(sum.imag() + (odd ? pi : R(0)), 2 * pi);
        sum = T(sum.real(), angle == -pi ? pi : angle);
      } else if (negative && sum != -std::numeric_limits<T>::infinity())
        sum = not_a_number<T>();
      *result_of<T>(c, 0, number, 1) = sum;
    });
  });
}
BROADLOOM_STACK_FUNCTION(solve_matrix, run_solve<T>(c, c.sizes[0], c.sizes[1], false))
BROADLOOM_STACK_FUNCTION(solve_vector, run_solve<T>(c, c.sizes[0], 1, true))
BROADLOOM_STACK_FUNCTION(lu_factor, run_factor<T>(c, true))
BROADLOOM_STACK_FUNCTION(lu, run_lu<T>(c))
BROADLOOM_STACK_FUNCTION(lu_solve, run_lu_solve<T>(c))
BROADLOOM_STACK_FUNCTION(matrix_power, run_power<T>(c, *static_cast<const std::int64_t*>(c.parameters)))

}  // namespace broadloom::runtime
