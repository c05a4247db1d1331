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

// Whether N x N elements in memory are below small_matrix::moderate(): a quick look, of rows one after the other only.
template <class Leaf, int N, class T>
BROADLOOM_INLINE bool are_moderate(const T* p) {
  constexpr auto s = typename Leaf::layout_type{}.strides(typename Leaf::shape_type{});
  constexpr int w = 16 / static_cast<int>(sizeof(T)), whole = N * N / w * w;
  if constexpr (s[0] != N || s[s.count - 1] != 1 || N < 2)
    return false;
  else {
    constexpr T most = small_matrix<T, N>::moderate();
    auto below = lanes::less(lanes::magnitude(load<T, w>(p)), splat<w>(most));
#pragma GCC unroll 8
    for (int i = w; i < whole; i += w)
      below = lanes::both(below, lanes::less(lanes::magnitude(load<T, w>(p + i)), splat<w>(most)));
    std::uint64_t halves[2];
    __builtin_memcpy(halves, &below, sizeof halves);
    bool all = (halves[0] & halves[1]) == ~std::uint64_t{0};
    if constexpr (whole < N * N) all &= lanes::magnitude(p[whole]) < most;
    return all;
  }
}

// The same, and whether its elements are moderate: most determinants need no closer look.
template <class T, int N>
struct looked_at_matrix {
  small_matrix<T, N> m;
  bool moderate;

  // `Exact`: or where all is exact.
  template <bool Exact = false>
  BROADLOOM_INLINE bool keeps(T d) const {
    if (moderate && m.is_moderate(d)) [[likely]]
      return true;
    return closely<Exact>(m, d);
  }

 private:
  template <bool Exact>
  [[gnu::noinline]] static bool closely(const small_matrix<T, N>& m, T d) {
    return m.keeps(d) || (Exact && m.is_exact());
  }
};
template <int Native, class A>
BROADLOOM_INLINE auto looked_at(const A& a, const runtime::options& how) {
  constexpr int n = static_cast<int>(shape_of<A>::static_extents[0]);
  using input = straight_input<Native, A>;
  const input in(a, how);
  looked_at_matrix<value_of<A>, n> r;
  read_small<typename input::leaf_type, n, n>(in.data(), r.m.v);
  r.moderate = are_moderate<typename input::leaf_type, n>(in.data());
  return r;
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
