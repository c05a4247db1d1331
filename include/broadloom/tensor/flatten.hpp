// Several axes as one, and one as several: flatten, ravel, unflatten.
#pragma once

#include <broadloom/expr/axis_op.hpp>
#include <broadloom/tensor/reshape.hpp>

namespace broadloom {

namespace detail {

// Extents with axes [first, last] as one, dyn where one of them is (0 makes it 0).
template <int First, int Last, int R>
constexpr auto flattened_extents(const indices<R>& x) {
  if constexpr (R == 0)
    return indices<1>{{1}};
  else {
    indices<R - (Last - First)> r{};
    for (int i = 0; i < First; ++i) r[i] = x[i];
    index n = 1;
    bool later = false;
    for (int i = First; i <= Last; ++i) {
      later = later || x[i] == dyn;
      if (n != dyn && x[i] != dyn && __builtin_mul_overflow(n, x[i], &n)) n = dyn;
    }
    r[First] = n == 0 ? 0 : later ? dyn : n;
    for (int i = Last + 1; i < R; ++i) r[i - (Last - First)] = x[i];
    return r;
  }
}

// A shape with an axis as these extents, each a size, dyn, or -2 for the one that is left to the rest.
template <int N>
constexpr indices<N> known_parts(indices<N> wanted, index whole) {
  index product = 1;
  int open = 0;
  for (index n : wanted) {
    open += n < 0;
    if (n >= 0 && __builtin_mul_overflow(product, n, &product)) product = 0;
  }
  for (index& n : wanted)
    if (n < 0) n = open == 1 && whole != dyn && product > 0 && whole % product == 0 ? whole / product : dyn;
  return wanted;
}
template <class A, int R, int N>
constexpr auto unflattened_extents(const indices<R>& x, const indices<N>& wanted) {
  common_extents<R - 1 + N> r;
  for_each_axis<A>(R, [&](int axis) {
    indices<R - 1 + N> to{};
    const auto parts = known_parts(wanted, x[axis]);
    for (int i = 0; i < R - 1 + N; ++i) to[i] = i < axis ? x[i] : i < axis + N ? parts[i - axis] : x[i - N + 1];
    r.add(to);
  });
  return r.extents;
}

}  // namespace detail

// flatten(x): all axes as one, in row-major order; () is (1). flatten(x, 1_c), flatten(x, 1_c, -2_c): axes from the
// first to the second as one; they are constants, as the result's rank depends on them. A view where reshape gives one
// (PyTorch's flatten).
inline constexpr struct flatten_t {
  template <array A, detail::integer_like First = detail::integer_constant<0>,
            detail::integer_like Last = detail::integer_constant<-1>>
  constexpr auto operator()(A&& a, First = {}, Last = {}) const {
    constexpr bool constants = detail::constant<First> && detail::constant<Last>;
    static_assert(
        constants,
        "the result's rank depends on these axes: write constants, flatten(x, 1_c) [errors.md#rank-must-be-static]");
    constexpr int rank = detail::rank_of<detail::node_of<A>>, axes = rank == 0 ? 1 : rank;
    if constexpr (constants) {
      constexpr bool fits = detail::is_axis(First::value, axes) && detail::is_axis(Last::value, axes);
      static_assert(fits, "Dimension out of range: an axis must lie in [-rank, rank) [errors.md#axis-out-of-range]");
      if constexpr (fits) {
        constexpr int first = detail::normal_axis(First::value, axes), last = detail::normal_axis(Last::value, axes);
        static_assert(first <= last,
                      "flatten() has invalid args: start_dim cannot come after end_dim [errors.md#flatten]");
        if constexpr (first <= last) {
          decltype(auto) e = detail::as_node(static_cast<A&&>(a));
          const auto x = detail::flattened_extents<first, last>(e.shape().extents());
          using known = detail::shape_from<detail::flattened_extents<first, last>(
              detail::shape_of<detail::node_of<A>>::static_extents)>;
          return reshape(e, known::unchecked(x));
        }
      }
    }
  }
} flatten{};

// ravel(x) = flatten(x) (NumPy's and PyTorch's).
inline constexpr struct ravel_t {
  template <array A>
  constexpr auto operator()(A&& a) const {
    return flatten(static_cast<A&&>(a));
  }
} ravel{};

// unflatten(x, axis, n, m, ...): the axis as several of these extents, one of which may be -1: what remains. Constants
// (4_c) stay static, and what they leave of a static extent is static too. Throws shape_error where the extents do not
// make up the axis', index_error for the axis (PyTorch's unflatten).
inline constexpr struct unflatten_t {
  template <array A, detail::integer_like Index, detail::integer_like... N>
    requires(sizeof...(N) > 0)
  constexpr auto operator()(A&& a, Index axis, N... n) const {
    constexpr int rank = detail::rank_of<detail::node_of<A>>, parts = sizeof...(N);
    static_assert(rank > 0, "unflatten: an array without axes has none to split [errors.md#flatten]");
    decltype(auto) e = detail::as_node(static_cast<A&&>(a));
    const int at = detail::normal_axis(static_cast<index>(axis), rank, "unflatten");
    const auto own = e.shape().extents();
    const auto into = detail::resolved_extents(detail::indices<parts>{{static_cast<index>(n)...}}, own[at]);
    detail::indices<rank - 1 + parts> x{};
    for (int i = 0; i < at; ++i) x[i] = own[i];
    for (int i = 0; i < parts; ++i) x[at + i] = into[i];
    for (int i = at + 1; i < rank; ++i) x[i + parts - 1] = own[i];
    constexpr detail::indices<parts> wanted{{detail::known_extent<N>()...}};
    using known = detail::shape_from<detail::unflattened_extents<Index>(
        detail::shape_of<detail::node_of<A>>::static_extents, wanted)>;
    return reshape(e, known::unchecked(x));
  }
} unflatten{};

}  // namespace broadloom
