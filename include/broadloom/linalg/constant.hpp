// Determinants, inverses and solutions of matrices of static size in constant expressions.
#pragma once

#include <broadloom/core/error.hpp>
#include <broadloom/expr/expression.hpp>
#include <broadloom/linalg/exact.hpp>
#include <broadloom/linalg/small_factors.hpp>
#include <broadloom/shape/shape.hpp>

namespace broadloom::detail {

inline constexpr index max_constant_size = 8;

// A stack of square matrices of real elements, their size known and at most 8.
template <class A>
inline constexpr bool has_small_matrices = [] {
  constexpr int rank = rank_of<A>;
  if constexpr (rank < 2 || !std::is_floating_point_v<value_of<A>>)
    return false;
  else {
    constexpr index n = shape_of<A>::static_extents[rank - 1];
    return n >= 1 && n <= max_constant_size && n == shape_of<A>::static_extents[rank - 2];
  }
}();

// LU with row pivots, the first of the largest elements of a column.
template <class T, int N>
struct constant_lu {
  T a[N][N] = {};
  int pivots[N] = {};
  bool odd = false, singular = false;

  constexpr explicit constant_lu(const small_matrix<T, N>& m) {
    for (int i = 0; i < N * N; ++i) a[i / N][i % N] = m.v[i];
  }

  constexpr void factor() {
    const auto size = [](T x) { return x < 0 ? -x : x; };
    for (int k = 0; k < N; ++k) {
      int p = k;
      for (int i = k + 1; i < N; ++i)
        if (size(a[i][k]) > size(a[p][k])) p = i;
      pivots[k] = p;
      odd = odd != (p != k);
      for (int j = 0; j < N && p != k; ++j) {
        const T x = a[k][j];
        a[k][j] = a[p][j];
        a[p][j] = x;
      }
      if (a[k][k] == 0) {
        singular = true;
        continue;
      }
      for (int i = k + 1; i < N; ++i) {
        a[i][k] /= a[k][k];
        for (int j = k + 1; j < N; ++j) a[i][j] = lanes::minus(a[i][j], lanes::times(a[i][k], a[k][j]));
      }
    }
  }
  // A pivot that is what rounding left of 0, of a singular matrix of whole numbers, is 0.
  constexpr void correct(const small_matrix<T, N>& m) {
    if (singular) return;
    const index k = first_lost_pivot<T>(N, [this](index i) { return a[i][i]; });
    if (k == N || !is_singular_of_integers(N, [&m](index i, index j) { return m.v[i * N + j]; })) return;
    a[k][k] = 0;
    singular = true;
  }
  constexpr void solve(T (&x)[N]) const {
    for (int k = 0; k < N; ++k) {
      const T y = x[k];
      x[k] = x[pivots[k]];
      x[pivots[k]] = y;
    }
    for (int i = 0; i < N; ++i)
      for (int k = 0; k < i; ++k) x[i] -= a[i][k] * x[k];
    for (int i = N; i-- > 0;) {
      for (int k = i + 1; k < N; ++k) x[i] -= a[i][k] * x[k];
      x[i] /= a[i][i];
    }
  }
};

// The matrix of a stack at these indices of the loop axes, of which there are `loops`.
template <class A, int R>
constexpr auto matrix_at(const indices<R>& at, int loops, const A& a) {
  constexpr int rank = rank_of<A>, n = static_cast<int>(shape_of<A>::static_extents[rank - 1]);
  indices<rank> x{};
  for (int i = 0; i < rank - 2; ++i) x[i] = a.shape()[i] == 1 ? 0 : at[loops - (rank - 2) + i];
  small_matrix<value_of<A>, n> r;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      x[rank - 2] = i;
      x[rank - 1] = j;
      r.v[i * n + j] = a.element(x);
    }
  return r;
}

template <class T, int N>
constexpr T constant_determinant(const small_matrix<T, N>& m) {
  if constexpr (N <= 4)
    if (const T d = m.determinant(); m.keeps_determinant(d) || m.is_exact()) return d;
  constant_lu<T, N> lu(m);
  lu.factor();
  lu.correct(m);
  if (lu.singular) return 0;
  T d = lu.odd ? -1 : 1;
  for (int i = 0; i < N; ++i) d *= lu.a[i][i];
  return d;
}
// Element (row, col) of the inverse.
template <class T, int N>
constexpr T constant_inverse(const small_matrix<T, N>& m, index row, index col) {
  if constexpr (N <= 4) {
    T r[N * N] = {};
    if (m.keeps(m.inverse(r))) return r[row * N + col];
    if (m.is_exact() && m.determinant() == 0) throw_linalg_error("linalg.inv: the input matrix is singular.");
  }
  constant_lu<T, N> lu(m);
  lu.factor();
  lu.correct(m);
  if (lu.singular) throw_linalg_error("linalg.inv: the input matrix is singular.");
  T x[N] = {};
  x[col] = 1;
  lu.solve(x);
  return x[row];
}

// Element `row` of the solution for column `column` of b; `vector`: b's last axis is the only one of its core.
template <class A, class B, int R>
constexpr value_of<A> solution_at(const char* singular, const indices<R>& at, int loops, const A& a, const B& b,
                                  bool vector) {
  constexpr int n = static_cast<int>(shape_of<A>::static_extents[rank_of<A> - 1]), rank = rank_of<B>;
  const auto m = matrix_at(at, loops, a);
  value_of<A> left[n][n] = {}, x[n][1] = {};
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) left[i][j] = m.v[i * n + j];
  const int own = rank - (vector ? 1 : 2);
  indices<rank> y{};
  for (int i = 0; i < own; ++i) y[i] = b.shape()[i] == 1 ? 0 : at[loops - own + i];
  if (!vector) y[rank - 1] = at[R - 1];
  for (int i = 0; i < n; ++i) {
    y[own] = i;
    x[i][0] = b.element(y);
  }
  if (!eliminate_small(left, x)) throw_linalg_error(singular);
  if constexpr (n > 4)  // a pivot may be what rounding left of 0
    if (first_lost_pivot<value_of<A>>(n, [&left](index i) { return left[i][i]; }) != n &&
        is_singular_of_integers(n, [&m](index i, index j) { return m.v[i * n + j]; }))
      throw_linalg_error(singular);
  return x[at[loops]][0];
}

}  // namespace broadloom::detail
