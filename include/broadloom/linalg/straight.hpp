// Sums of products of few elements, whose sizes the compiler knows: unrolled where they stand in a tree.
#pragma once

#include <broadloom/core/simd_vec.hpp>
#include <broadloom/eval/straight_input.hpp>
#include <broadloom/fn/complex.hpp>
#include <broadloom/linalg/contraction_plan.hpp>

#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wpsabi"
#endif

namespace broadloom::detail {

// At most this many results, terms of each, and products in all.
inline constexpr index max_straight_results = 64, max_straight_terms = 16, max_straight_products = 512;

// The steps of a contraction in its operands: result (row, col) is the sum over terms of a[a_row[row] + col * a_col +
// a_term[term]] * b[...]; the last axis that is kept is `col`.
struct straight_steps {
  int rows = 1, cols = 1, terms = 1;
  index a_col = 0, b_col = 0;
  index a_row[max_straight_results] = {}, b_row[max_straight_results] = {};
  index a_term[max_straight_terms] = {}, b_term[max_straight_terms] = {};
};

// The number of results, and of terms of each.
template <contraction_plan P, class A, class B>
constexpr index straight_count_of(bool kept) {
  index n = 1;
  for (int i = kept ? 0 : P.kept; i < (kept ? P.kept : P.count); ++i)
    n *= contracted_extent<P>(i, A::static_extents, B::static_extents);
  return n;
}
template <contraction_plan P, class A, class B>
inline constexpr bool is_straight_product = [] {
  if constexpr (is_straight_operand<A> && is_straight_operand<B> && __is_same(value_of<A>, value_of<B>) &&
                !is_half_type<value_of<A>> && !__is_same(value_of<A>, bool)) {
    const index results = straight_count_of<P, shape_of<A>, shape_of<B>>(true),
                terms = straight_count_of<P, shape_of<A>, shape_of<B>>(false);
    return results > 0 && terms > 0 && results <= max_straight_results && terms <= max_straight_terms &&
           results * terms <= max_straight_products;
  } else
    return false;
}();

template <contraction_plan P, class A, class B>
inline constexpr straight_steps steps_of_contraction = [] {
  constexpr auto a = typename A::layout_type{}.strides(typename A::shape_type{});
  constexpr auto b = typename B::layout_type{}.strides(typename B::shape_type{});
  const auto& x = A::shape_type::static_extents;
  const auto& y = B::shape_type::static_extents;
  straight_steps r;
  // Offsets for the indices [first, last) of the contraction, row-major.
  const auto list = [&](int first, int last, index* in_a, index* in_b) {
    int n = 1;
    for (int i = first; i < last; ++i) n *= static_cast<int>(contracted_extent<P>(i, x, y));
    for (int k = 0; k < n; ++k) {
      index rest = k;
      for (int i = last; i-- > first;) {
        const index extent = contracted_extent<P>(i, x, y), at = rest % extent;
        rest /= extent;
        const int in_left = P.list[i].a, in_right = P.list[i].b;
        if (in_left >= 0 && x[in_left] != 1) in_a[k] += at * a[in_left];
        if (in_right >= 0 && y[in_right] != 1) in_b[k] += at * b[in_right];
      }
    }
    return n;
  };
  r.terms = list(P.kept, P.count, r.a_term, r.b_term);
  if constexpr (P.kept > 0) {
    r.rows = list(0, P.kept - 1, r.a_row, r.b_row);
    constexpr int last = P.kept - 1;
    r.cols = static_cast<int>(contracted_extent<P>(last, x, y));
    if (P.list[last].a >= 0 && x[P.list[last].a] != 1) r.a_col = a[P.list[last].a];
    if (P.list[last].b >= 0 && y[P.list[last].b] != 1) r.b_col = b[P.list[last].b];
  }
  return r;
}();

template <class T, int W, index Step>
BROADLOOM_INLINE auto straight_lanes(const T* p) {
  if constexpr (W == 1)
    return *p;
  else if constexpr (Step == 0)
    return splat<W>(*p);
  else
    return load<T, W>(p);
}
// What the sums are computed in: integers wrap.
template <class T>
using straight_arithmetic =
    typename std::conditional_t<std::is_integral_v<T>,
                                std::make_unsigned<std::conditional_t<sizeof(T) == 8, std::int64_t, std::int32_t>>,
                                std::type_identity<T>>::type;

// W results from `Col` on of a row, each a sum in the order of the index, without fused products.
template <class Steps, int W, int Col, class T>
BROADLOOM_INLINE void straight_sums(const T* a, const T* b, index row, T* to) {
  constexpr const straight_steps& s = Steps::value;
  const T *const x = a + s.a_row[row] + Col * s.a_col, *const y = b + s.b_row[row] + Col * s.b_col;
  const auto product = [&](int k) __attribute__((always_inline)) {
    const auto left = straight_lanes<T, W, s.a_col>(x + s.a_term[k]);
    const auto right = straight_lanes<T, W, s.b_col>(y + s.b_term[k]);
    if constexpr (std::is_integral_v<T>) {
      using wide = straight_arithmetic<T>;
      return static_cast<wide>(static_cast<wide>(left) * static_cast<wide>(right));
    } else
      return lanes::times(left, right);
  };
  auto sum = product(0);
#pragma GCC unroll 16
  for (int k = 1; k < s.terms; ++k) {
    if constexpr (std::is_integral_v<T>)
      sum = static_cast<decltype(sum)>(sum + product(k));
    else
      sum = lanes::plus(sum, product(k));
  }
  if constexpr (W == 1)
    to[Col] = static_cast<T>(sum);
  else
    store<T>(to + Col, sum);
}
// The columns from `Col` on of a row, by the widest vectors and what is left by narrower ones.
template <class Steps, int W, int Col, class T>
BROADLOOM_INLINE void straight_row(const T* a, const T* b, index row, T* to) {
  if constexpr (Col < Steps::value.cols) {
    if constexpr (W > 1 && Col + W > Steps::value.cols)
      straight_row<Steps, W / 2, Col>(a, b, row, to);
    else {
      straight_sums<Steps, W, Col>(a, b, row, to);
      straight_row<Steps, W, Col + W>(a, b, row, to);
    }
  }
}

// Sums over terms that lie side by side in both operands, such as those of a matrix with a vector: products by vectors
// of 16 bytes, of as many rows as these have lanes, which are then transposed; or of one row, for one result.
template <class Steps, class T>
inline constexpr bool has_terms_in_vectors = [] {
  constexpr const straight_steps& s = Steps::value;
  constexpr int w = 16 / static_cast<int>(sizeof(T));
  bool ok = std::is_floating_point_v<T> && s.rows == 1 && s.b_col == 0 && (s.cols == 1 || s.cols % w == 0) &&
            s.terms % w == 0;
  for (int k = 0; k < s.terms; ++k) ok = ok && s.a_term[k] == k && s.b_term[k] == k;
  return ok;
}();
template <class V, int W>
BROADLOOM_INLINE void transpose_lanes(V (&x)[W]) {
  if constexpr (W == 2) {
    const V first = shuffled<0, 2>(x[0], x[1]);
    x[1] = shuffled<1, 3>(x[0], x[1]);
    x[0] = first;
  } else {
    const V a = shuffled<0, 4, 1, 5>(x[0], x[1]), b = shuffled<2, 6, 3, 7>(x[0], x[1]);
    const V c = shuffled<0, 4, 1, 5>(x[2], x[3]), d = shuffled<2, 6, 3, 7>(x[2], x[3]);
    x[0] = shuffled<0, 1, 4, 5>(a, c);
    x[1] = shuffled<2, 3, 6, 7>(a, c);
    x[2] = shuffled<0, 1, 4, 5>(b, d);
    x[3] = shuffled<2, 3, 6, 7>(b, d);
  }
}
template <class Steps, class T>
BROADLOOM_INLINE void straight_terms(const T* a, const T* b, T* to) {
  constexpr const straight_steps& s = Steps::value;
  constexpr int w = 16 / static_cast<int>(sizeof(T));
  if constexpr (s.cols == 1) {
    T sum{};
#pragma GCC unroll 16
    for (int k = 0; k < s.terms; k += w) {
      const auto x = lanes::times(load<T, w>(a + k), load<T, w>(b + k));
      sum = k == 0 ? x[0] : sum + x[0];
#pragma GCC unroll 4
      for (int j = 1; j < w; ++j) sum += x[j];
    }
    *to = sum;
  } else {
#pragma GCC unroll 16
    for (int i = 0; i < s.cols; i += w) {
      simd_vec<T, w> sum{};
#pragma GCC unroll 16
      for (int k = 0; k < s.terms; k += w) {
        const auto y = load<T, w>(b + k);
        simd_vec<T, w> x[w];
#pragma GCC unroll 4
        for (int j = 0; j < w; ++j) x[j] = lanes::times(load<T, w>(a + (i + j) * s.a_col + k), y);
        transpose_lanes(x);
        sum = k == 0 ? x[0] : lanes::plus(sum, x[0]);
#pragma GCC unroll 4
        for (int j = 1; j < w; ++j) sum = lanes::plus(sum, x[j]);
      }
      store<T>(to + i, sum);
    }
  }
}

// All results, row-major.
template <contraction_plan P, class A, class B>
struct steps_between {
  static constexpr straight_steps value = steps_of_contraction<P, A, B>;
};
template <class Steps, int Native, class T>
BROADLOOM_INLINE void straight_products(const T* a, const T* b, T* to) {
  constexpr const straight_steps& s = Steps::value;
  constexpr bool in_vectors =
      std::is_floating_point_v<T> && s.a_col >= 0 && s.a_col <= 1 && s.b_col >= 0 && s.b_col <= 1;
  constexpr int w = in_vectors ? native_bytes(Native) / static_cast<int>(sizeof(T)) : 1;
  if constexpr (has_terms_in_vectors<Steps, T>)
    straight_terms<Steps>(a + s.a_row[0], b + s.b_row[0], to);
  else if constexpr (s.rows * s.cols * s.terms <= 64 * (w > 4 ? 4 : w)) {
#pragma GCC unroll 64
    for (int i = 0; i < s.rows; ++i) straight_row<Steps, w, 0>(a, b, i, to + i * s.cols);
  } else
    for (int i = 0; i < s.rows; ++i) straight_row<Steps, w, 0>(a, b, i, to + i * s.cols);
}

template <contraction_plan P, int Native, class A, class B>
BROADLOOM_INLINE void straight_contraction(const A& a, const B& b, value_of<A>* to, const runtime::options& how) {
  const straight_input<Native, A> left(a, how);
  const straight_input<Native, B> right(b, how);
  straight_products<
      steps_between<P, typename straight_input<Native, A>::leaf_type, typename straight_input<Native, B>::leaf_type>,
      Native>(left.data(), right.data(), to);
}

}  // namespace broadloom::detail

#if defined(__clang__)
#pragma clang diagnostic pop
#endif
