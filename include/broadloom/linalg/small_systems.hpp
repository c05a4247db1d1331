// Small matrices and systems of static operands, brought into registers.
#pragma once

#include <broadloom/eval/straight_input.hpp>
#include <broadloom/linalg/constant.hpp>

namespace broadloom::detail {

// One small matrix, as an operand that is computed straight-line.
template <class A, int Most>
inline constexpr bool is_small_square = [] {
  if constexpr (rank_of<A> == 2 && has_small_matrices<A>)
    return shape_of<A>::static_extents[0] <= Most && is_straight_operand<A>;
  else
    return false;
}();

// A small operand, in registers.
template <int Native, class A>
BROADLOOM_INLINE auto straight_matrix(const A& a, const runtime::options& how) {
  constexpr int n = static_cast<int>(shape_of<A>::static_extents[0]);
  const straight_input<Native, A> in(a, how);
  small_matrix<value_of<A>, n> m;
  read_small<typename straight_input<Native, A>::leaf_type, n, n>(in.data(), m.v);
  return m;
}

// One system of few equations and right sides, of static operands.
template <class A, class B>
inline constexpr bool is_small_system = [] {
  if constexpr (is_small_square<A, max_constant_size> && is_straight_operand<B> &&
                __is_same(value_of<A>, value_of<B>) && (rank_of<B> == 1 || rank_of<B> == 2))
    return rank_of<B> == 1 || shape_of<B>::static_extents[rank_of<B> - 1] <= max_constant_size;
  else
    return false;
}();
template <int Native, class T, class A, class B>
BROADLOOM_INLINE bool solve_straight(T* to, const runtime::options& how, const A& a, const B& b) {
  constexpr int n = static_cast<int>(shape_of<A>::static_extents[0]),
                cols = rank_of<B> == 1 ? 1 : static_cast<int>(shape_of<B>::static_extents[rank_of<B> - 1]);
  if constexpr (cols == 0)
    return false;
  else {
    const straight_input<Native, A> left(a, how);
    const straight_input<Native, B> right(b, how);
    T m[n][n], x[n][cols];
    read_small<typename straight_input<Native, A>::leaf_type, n, n>(left.data(), &m[0][0]);
    read_small<typename straight_input<Native, B>::leaf_type, n, cols>(right.data(), &x[0][0]);
    if (!eliminate_small(m, x)) return false;
    if constexpr (n > 4)  // a pivot may be what rounding left of 0
      if (first_lost_pivot<T>(n, [&m](index k) { return m[k][k]; }) != n) {
        T own[n * n];
        read_small<typename straight_input<Native, A>::leaf_type, n, n>(left.data(), own);
        if (is_singular_of_integers(n, [&own](index i, index j) { return own[i * n + j]; })) return false;
      }
#pragma GCC unroll 8
    for (int i = 0; i < n; ++i)
#pragma GCC unroll 8
      for (int j = 0; j < cols; ++j) to[i * cols + j] = x[i][j];
    return true;
  }
}

}  // namespace broadloom::detail
