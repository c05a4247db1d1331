// Decompositions by LAPACK beside those of eigenvalues and singular values, banded systems, and LU with full pivoting.
#include <broadloom/linalg/decompositions.hpp>
#include <broadloom/linalg/schur.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <exception>
#include <limits>
#include <string>
#include <utility>

#include "../base/vectors.hpp"
#include "errors.hpp"
#include "kernels.hpp"
#include "lapack_stack.hpp"

namespace broadloom::runtime {

namespace {

// What LAPACK's select functions ask, which are given no context. An exception waits until LAPACK has returned.
struct asked_choice {
  const eigenvalue_choice* choice = nullptr;
  std::exception_ptr thrown;

  bool operator()(double re, double im) {
    if (thrown) return false;
    try {
      return choice->chooses(choice->by, re, im);
    } catch (...) {
      thrown = std::current_exception();
      return false;
    }
  }
};
thread_local asked_choice* current_choice = nullptr;

template <class R>
lapack_logical chooses_real(const R* re, const R* im) {
  return (*current_choice)(static_cast<double>(*re), static_cast<double>(*im));
}
template <class T>
lapack_logical chooses_complex(const T* x) {
  return (*current_choice)(static_cast<double>(x->real()), static_cast<double>(x->imag()));
}

// Eigenvalues in the order in which they come, or those of `choice` first.
template <class T>
void run_schur(const stack_call& c, const eigenvalue_choice* choice) {
  const index n = c.sizes[0];
  if (n == 0) {
    if (choice != nullptr)
      for (index number = 0; number < c.count(); ++number) *result_of<index>(c, 2, number, 1) = 0;
    return;
  }
  const auto select = [choice] {
    if constexpr (is_complex_type<T>)
      return choice == nullptr ? nullptr : chooses_complex<T>;
    else
      return choice == nullptr ? nullptr : chooses_real<T>;
  }();
  const auto gees = [=](T* a, int* count, T* values, T* imaginary, T* z, T* memory, int work, real_of<T>* more,
                        int* marks) {
    return run_lapack<T>(lapack<T>::gees, column_major, 'V', choice == nullptr ? 'N' : 'S', select, whole(n), a,
                         whole(n), count, values, only_real{imaginary}, z, whole(n), memory, work, only_complex{more},
                         marks);
  };
  T size{};
  int sorted = 0;
  gees(nullptr, &sorted, nullptr, nullptr, nullptr, &size, -1, nullptr, nullptr);
  const int work = asked(size);
  each_matrix<T>(c, spectral_cost(n, n), 2 * n * n + 2 * n + work + room_for<T>(n), n, failure::eigen,
                 [&](T* a, int* marks, index number) {
                   T *const z = a + n * n, *const values = z + n * n, *const memory = values + 2 * n;
                   copy_in(a, matrix_of<T>(c, 0, number, n, n));
                   if (!all_finite(a, n * n)) return not_finite;
                   int count = 0;
                   asked_choice by{choice, nullptr};
                   asked_choice* const before = std::exchange(current_choice, &by);
                   const int info = gees(a, &count, values, values + n, z, memory, work, parts(memory + work), marks);
                   current_choice = before;
                   if (by.thrown) std::rethrow_exception(by.thrown);
                   if (info != 0) return info;
                   copy_out(result_of<T>(c, 0, number, n * n), a, n, n);
                   copy_out(result_of<T>(c, 1, number, n * n), z, n, n);
                   if (choice != nullptr) *result_of<index>(c, 2, number, 1) = count;
                   return 0;
                 });
}

template <class T>
void run_pivoted_qr(const stack_call& c) {
  const index m = c.sizes[0], n = c.sizes[1], k = std::min(m, n);
  const index cols = *static_cast<const bool*>(c.parameters) ? m : k;
  const auto geqp3 = [m, n](T* a, int* order, T* tau, T* memory, int work, real_of<T>* more) {
    run_lapack<T>(lapack<T>::geqp3, column_major, whole(m), whole(n), a, whole(m), order, tau, memory, work,
                  only_complex{more});
  };
  T size{};
  if (k > 0) geqp3(nullptr, nullptr, nullptr, &size, -1, nullptr);
  const int work = asked(size);
  each_matrix<T>(c, 4 * cube(std::max(m, n)), m * n + m * cols + k + work + room_for<T>(2 * n), n, failure::solve,
                 [&](T* a, int* order, index number) {
                   T *const q = a + m * n, *const tau = q + m * cols, *const memory = tau + k;
                   copy_in(a, matrix_of<T>(c, 0, number, m, n));
                   std::fill_n(order, n, 0);
                   if (k > 0)
                     geqp3(a, order, tau, memory, work, parts(memory + work));
                   else
                     for (index j = 0; j < n; ++j) order[j] = whole(j + 1);
                   set_identity(q, m, cols);
                   if (k > 0) factors<T>().apply_q(m, k, a, m, tau, false, q, m, cols);
                   copy_out(result_of<T>(c, 0, number, m * cols), q, m, cols);
                   T* const r = result_of<T>(c, 1, number, cols * n);
                   for (index i = 0; i < cols; ++i)
                     for (index j = 0; j < n; ++j) r[i * n + j] = i <= j ? a[i + j * m] : T(0);
                   index* const to = result_of<index>(c, 2, number, n);
                   for (index j = 0; j < n; ++j) to[j] = order[j] - 1;
                   return 0;
                 });
}

// The search for the next pivot goes along with the elimination of the one before.
template <class T>
void run_full_pivot_lu(const stack_call& c) {
  using R = real_of<T>;
  const index m = c.sizes[0], n = c.sizes[1], k = std::min(m, n);
  each_matrix<T>(c, 2 * cube(std::max(m, n)), m * n, 0, failure::lu, [&](T* a, int*, index number) {
    copy_in(a, matrix_of<T>(c, 0, number, m, n));
    index* const rows = result_of<index>(c, 1, number, m);
    index* const cols = result_of<index>(c, 2, number, n);
    for (index i = 0; i < m; ++i) rows[i] = i;
    for (index j = 0; j < n; ++j) cols[j] = j;
    index row = 0, col = 0;
    R largest = -1;
    const auto consider = [&](index i, index j) {
      if (const R x = pivot_size(a[i + j * m]); x > largest) {
        largest = x;
        row = i;
        col = j;
      }
    };
    for (index j = 0; j < n; ++j)
      for (index i = 0; i < m; ++i) consider(i, j);
    R first = 0;
    index rank = 0;
    for (index s = 0; s < k; ++s) {
      if (!(largest > 0)) break;  // what is left is zero, or NaN
      if (s == 0) first = largest;
      if (largest > std::numeric_limits<R>::epsilon() * static_cast<R>(k) * first) ++rank;
      if (row != s) {
        for (index j = 0; j < n; ++j) std::swap(a[s + j * m], a[row + j * m]);
        std::swap(rows[s], rows[row]);
      }
      if (col != s) {
        std::swap_ranges(a + s * m, a + (s + 1) * m, a + col * m);
        std::swap(cols[s], cols[col]);
      }
      T* const pivot = a + s * m;
      for (index i = s + 1; i < m; ++i) pivot[i] /= pivot[s];
      largest = -1;
      for (index j = s + 1; j < n; ++j) {
        T* const own = a + j * m;
        const T factor = own[s];
        for (index i = s + 1; i < m; ++i) own[i] -= pivot[i] * factor;
        for (index i = s + 1; i < m; ++i) consider(i, j);
      }
    }
    copy_out(result_of<T>(c, 0, number, m * n), a, m, n);
    *result_of<index>(c, 3, number, 1) = rank;
    return 0;
  });
}

template <class T>
void run_ldl_factor(const stack_call& c) {
  const index n = c.sizes[0];
  if (n == 0) return;
  const bool hermitian = *static_cast<const bool*>(c.parameters);
  const auto factor = hermitian ? lapack<T>::hetrf : lapack<T>::sytrf;
  T size{};
  factor(column_major, 'L', whole(n), nullptr, whole(n), nullptr, &size, -1);
  const int work = asked(size);
  each_matrix<T>(c, cube(n), n * n + work, 0, failure::lu, [&](T* a, int*, index number) {
    copy_in(a, matrix_of<T>(c, 0, number, n, n));
    factor(column_major, 'L', whole(n), a, whole(n), result_of<std::int32_t>(c, 1, number, n), a + n * n, work);
    for (index j = 0; j < n; ++j)
      for (index i = 0; i < j; ++i) a[i + j * n] = 0;
    copy_out(result_of<T>(c, 0, number, n * n), a, n, n);
    return 0;
  });
}

// Pivots are those of ldl_factor; one that is none would let LAPACK leave the matrix.
bool pivots_fit(const int* pivots, index n) {
  for (index i = 0; i < n; ++i) {
    if (pivots[i] < 0 && (i + 1 == n || pivots[i + 1] != pivots[i])) return false;
    const index row = pivots[i] < 0 ? -index{pivots[i]} : index{pivots[i]};
    if (row < i + 1 || row > n) return false;
    if (pivots[i] < 0) ++i;
  }
  return true;
}
template <class T>
void run_ldl_solve(const stack_call& c) {
  const index n = c.sizes[0], wanted = c.sizes[1];
  if (n == 0 || wanted == 0) return;
  const bool hermitian = *static_cast<const bool*>(c.parameters);
  const auto solve = hermitian ? lapack<T>::hetrs : lapack<T>::sytrs;
  first_failure outside;
  each_matrix<T>(c, static_cast<double>(2 * n * n * (wanted + 1)), n * n + n * wanted, n, failure::solve,
                 [&](T* a, int* pivots, index number) {
                   T* const x = a + n * n;
                   copy_in(a, matrix_of<T>(c, 0, number, n, n));
                   const auto from = vector_of<T>(c, 1, number, n);
                   bool fits = true;
                   for (index i = 0; i < n; ++i) {
                     const real_of<T> p = real_part(from(i, 0));
                     fits = fits && p >= -static_cast<real_of<T>>(n) && p <= static_cast<real_of<T>>(n);
                     pivots[i] = fits ? static_cast<int>(p) : 0;
                   }
                   if (!fits || !pivots_fit(pivots, n)) {
                     outside.record(number, 1);
                     return 0;
                   }
                   copy_in(x, matrix_of<T>(c, 2, number, n, wanted));
                   solve(column_major, 'L', whole(n), whole(wanted), a, whole(n), pivots, x, whole(n));
                   copy_out(result_of<T>(c, 0, number, n * wanted), x, n, wanted);
                   return 0;
                 });
  if (outside.any()) throw index_error("ldl_solve: pivots must be those that ldl_factor gives");
}

template <class T>
void run_subset(const stack_call& c) {
  using R = real_of<T>;
  const auto& s = *static_cast<const subset*>(c.parameters);
  const index n = c.sizes[0], k = s.count;
  if (n == 0 || k == 0) return;
  const char triangle = s.upper ? 'U' : 'L';
  const int low = whole(s.first + 1), high = whole(s.first + k);
  const auto syevr = [&](T* a, R* values, T* z, int* support, T* memory, int work, R* more, int real_work, int* numbers,
                         int integers) {
    int found = 0;
    return run_lapack<T>(lapack<T>::syevr, column_major, 'V', 'I', triangle, whole(n), a, whole(n), 0, 0, low, high, 0,
                         &found, values, z, whole(n), support, memory, work, only_complex{more},
                         only_complex{real_work}, numbers, integers);
  };
  T size{};
  R reals{};
  int integers = 0;
  syevr(nullptr, nullptr, nullptr, nullptr, &size, -1, &reals, -1, &integers, -1);
  const int work = asked(size), real_work = is_complex_type<T> ? asked(reals) : 0;
  each_matrix<T>(c, spectral_cost(n, n), n * n + n * k + work + room_for<T>(real_work + n), integers + 2 * n,
                 failure::eigen, [&](T* a, int* numbers, index number) {
                   copy_in(a, matrix_of<T>(c, 0, number, n, n));
                   for (index j = 0; j < n; ++j)
                     for (index i = j + 1; i < n; ++i) (s.upper ? a[i + j * n] : a[j + i * n]) = 0;
                   if (!all_finite(a, n * n)) return not_finite;
                   T *const z = a + n * n, *const memory = z + n * k;
                   R *const more = parts(memory + work), *const values = more + real_work;
                   const int info =
                       syevr(a, values, z, numbers + integers, memory, work, more, real_work, numbers, integers);
                   if (info != 0) return info;
                   std::copy_n(values, k, result_of<R>(c, 0, number, k));
                   copy_out(result_of<T>(c, 1, number, n * k), z, n, k);
                   return 0;
                 });
}

// The sum of the squares of column j of b - a x, where a is (m, n) by columns: rows of a are in registers together.
template <class T, class From>
real_of<T> squared_residual(const From& b, index j, const T* a, const T* x, index m, index n) {
  real_of<T> sum = 0;
  index i = 0;
  if constexpr (!is_complex_type<T>) {
    constexpr int vectors = 4, lanes = 16 / static_cast<int>(sizeof(T)), together = vectors * lanes;
    using V = vec<T, 16>;
    for (; i + together <= m; i += together) {
      V left[vectors];
      for (int r = 0; r < together; ++r) left[r / lanes][r % lanes] = b(i + r, j);
      const T* from = a + i;
      for (index l = 0; l < n; ++l, from += m) {
        const V factor = V{} + x[l];
#pragma GCC unroll 4
        for (int v = 0; v < vectors; ++v) {
          V own;
          std::memcpy(&own, from + v * lanes, sizeof own);
          left[v] -= own * factor;
        }
      }
      for (int r = 0; r < together; ++r) sum += std::norm(left[r / lanes][r % lanes]);
    }
  }
  for (; i < m; ++i) {
    T left = b(i, j);
    for (index l = 0; l < n; ++l) left -= a[i + l * m] * x[l];
    sum += std::norm(left);
  }
  return sum;
}

template <class T>
void run_least_squares(const stack_call& c) {
  using R = real_of<T>;
  const index m = c.sizes[0], n = c.sizes[1], wanted = c.sizes[2], tall = std::max(m, n), k = std::min(m, n);
  const double relative = *static_cast<const double*>(c.parameters);
  const R least = relative >= 0 ? static_cast<R>(relative)
                                : std::numeric_limits<R>::epsilon() * static_cast<R>(std::max<index>(tall, 1));
  const index right = std::max<index>(wanted, 1);
  const auto gelsd = [&](T* a, T* b, R* values, int* rank, T* memory, int work, R* more, int* numbers) {
    return run_lapack<T>(lapack<T>::gelsd, column_major, whole(m), whole(n), whole(right), a, whole(m), b, whole(tall),
                         values, least, rank, memory, work, only_complex{more}, numbers);
  };
  T size{};
  R reals{};
  int integers = 1, found = 0;
  if (k > 0) gelsd(nullptr, nullptr, nullptr, &found, &size, -1, &reals, &integers);
  const int work = asked(size), real_work = is_complex_type<T> ? asked(reals) : 0;
  each_matrix<T>(c, spectral_cost(m, n), 2 * m * n + tall * right + work + room_for<T>(real_work + k), integers,
                 failure::svd, [&](T* a, int* numbers, index number) {
                   T *const b = a + m * n, *const own = b + tall * right, *const memory = own + m * n;
                   R *const more = parts(memory + work), *const values = more + real_work;
                   copy_in(a, matrix_of<T>(c, 0, number, m, n));
                   if (!all_finite(a, m * n)) return not_finite;
                   std::copy_n(a, m * n, own);
                   const auto from = matrix_of<T>(c, 1, number, m, wanted);
                   std::fill_n(b, tall * right, T(0));
                   for (index j = 0; j < wanted; ++j)
                     for (index i = 0; i < m; ++i) b[i + j * tall] = from(i, j);
                   int rank = 0;
                   if (k > 0) {
                     if (const int info = gelsd(a, b, values, &rank, memory, work, more, numbers); info != 0)
                       return info;
                   } else
                     std::fill_n(b, tall * right, T(0));
                   T* const to = result_of<T>(c, 0, number, n * wanted);
                   for (index i = 0; i < n; ++i)
                     for (index j = 0; j < wanted; ++j) to[i * wanted + j] = b[i + j * tall];
                   R* const residuals = result_of<R>(c, 1, number, wanted);
                   for (index j = 0; j < wanted; ++j) residuals[j] = squared_residual(from, j, own, b + j * tall, m, n);
                   *result_of<index>(c, 2, number, 1) = rank;
                   std::copy_n(values, k, result_of<R>(c, 3, number, k));
                   return 0;
                 });
}

template <class T>
void run_banded(const stack_call& c) {
  const auto& s = *static_cast<const bands*>(c.parameters);
  const index rows = c.sizes[0], n = c.sizes[1], wanted = c.sizes[2], height = rows + s.lower;
  if (n == 0 || wanted == 0) return;
  each_matrix<T>(c, static_cast<double>(n * (rows + wanted) * (s.lower + 1)), height * n + n * wanted, n,
                 failure::solve, [&](T* a, int* pivots, index number) {
                   T* const x = a + height * n;
                   const auto from = matrix_of<T>(c, 0, number, rows, n);
                   for (index j = 0; j < n; ++j)
                     for (index i = 0; i < height; ++i) a[i + j * height] = i < s.lower ? T(0) : from(i - s.lower, j);
                   copy_in(x, matrix_of<T>(c, 1, number, n, wanted));
                   const int info = lapack<T>::gbsv(column_major, whole(n), whole(s.lower), whole(s.upper),
                                                    whole(wanted), a, whole(height), pivots, x, whole(n));
                   if (info != 0) return info;
                   copy_out(result_of<T>(c, 0, number, n * wanted), x, n, wanted);
                   return 0;
                 });
}

}  // namespace

BROADLOOM_STACK_FUNCTION(schur, run_schur<T>(c, nullptr))
BROADLOOM_STACK_FUNCTION(sorted_schur, run_schur<T>(c, static_cast<const eigenvalue_choice*>(c.parameters)))
BROADLOOM_STACK_FUNCTION(pivoted_qr, run_pivoted_qr<T>(c))
BROADLOOM_STACK_FUNCTION(full_pivot_lu, run_full_pivot_lu<T>(c))
BROADLOOM_STACK_FUNCTION(ldl_factor, run_ldl_factor<T>(c))
BROADLOOM_STACK_FUNCTION(ldl_solve, run_ldl_solve<T>(c))
BROADLOOM_STACK_FUNCTION(symmetric_subset, run_subset<T>(c))
BROADLOOM_STACK_FUNCTION(least_squares_full, run_least_squares<T>(c))
BROADLOOM_STACK_FUNCTION(solve_banded, run_banded<T>(c))

void raise_subset(index first, index count, index n) {
  throw shape_error("eigh_subset: numbers " + std::to_string(first) + " to " + std::to_string(first) + " + " +
                    std::to_string(count) + " are not among the " + std::to_string(n) + " eigenvalues");
}

void raise_bands(index rows, index lower, index upper) {
  throw shape_error("solve_banded: a matrix with " + std::to_string(lower) + " diagonals below and " +
                    std::to_string(upper) + " above the main one has " + std::to_string(lower + upper + 1) +
                    " rows of diagonals, not " + std::to_string(rows));
}

}  // namespace broadloom::runtime
