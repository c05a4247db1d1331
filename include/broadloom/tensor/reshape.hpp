// reshape(x, 4, -1): the same elements in row-major order, with other extents.
#pragma once

#include <broadloom/eval/let.hpp>

namespace broadloom {

namespace detail {

[[noreturn]] void throw_reshape(const index* wanted, index rank, index size);

// The extents that are wanted, with the one that is -1 found from the number of elements.
template <int R>
constexpr indices<R> resolved_extents(indices<R> wanted, index size) {
  index product = 1;
  int free = -1;
  bool ok = true;
  for (int i = 0; i < R; ++i) {
    if (wanted[i] >= 0)
      ok = ok && !__builtin_mul_overflow(product, wanted[i], &product);
    else {
      ok = ok && wanted[i] == -1 && free < 0;
      free = i;
    }
  }
  if (!ok || (free < 0 ? product != size : product == 0 || size % product != 0)) throw_reshape(wanted.v, R, size);
  if (free >= 0) wanted[free] = size / product;
  return wanted;
}

template <class N>
constexpr index known_extent() {
  if constexpr (constant<N>)
    return static_cast<index>(N::value);
  else
    return dyn;
}

// Whether extents that are all known have as many elements as the array, when that is known too. -1 stands for any one.
template <class In, class... N>
constexpr bool reshape_is_possible() {
  index product = 1;
  int free = 0;
  bool ok = true;
  for (index n : indices<sizeof...(N)>{{known_extent<N>()...}}) {
    free += n < 0;
    ok = ok && n >= -1;
    if (n >= 0) product *= n;
  }
  if constexpr (!(constant<N> && ...))
    return ok;
  else if constexpr (!In::is_static)
    return ok && free <= 1;
  else
    return ok && free <= 1 && (free == 0 ? product == In{}.size() : product != 0 && In{}.size() % product == 0);
}
template <class In, class... N>
constexpr auto reshaped_static_extents() {
  constexpr indices<sizeof...(N)> known{{known_extent<N>()...}};
  if constexpr (In::is_static && (constant<N> && ...))
    return resolved_extents(known, In{}.size());
  else
    return known;
}

// Whether the type says that elements lie in row-major order without gaps.
template <class E>
constexpr bool lies_row_major() {
  using S = typename E::shape_type;
  if constexpr (!leaf<E>)
    return false;
  else if constexpr (__is_same(typename E::layout_type, row_major))
    return true;
  else if constexpr (E::layout_type::template is_static<S>) {
    constexpr auto dense = row_major_strides(S::static_extents), own = typename E::layout_type{}.strides(S{});
    bool same = true;
    for (int i = 0; i < S::axes_count; ++i) same = same && (S::static_extents[i] == 1 || dense[i] == own[i]);
    return same;
  } else
    return false;
}

template <class E, class S>
constexpr auto seen_in_order(const E& e, const S& s) {
  if constexpr (lies_row_major<E>())
    return e.seen_as(0, s, row_major{});
  else {
    const auto& held = read_only(e);
    using source = computed<std::remove_cvref_t<decltype(held)>>;
    return deferred<source, S, row_major>(source(held), 0, s, row_major{});
  }
}

}  // namespace detail

// reshape(x, extents ...), reshape(x, shape): x's elements in row-major order with other extents, one of which may be
// -1: what remains. A view, writable as x is, where x's type says that its elements lie in that order (a tensor, a
// row-major view); else the elements are computed once, when the result is evaluated. Constants (4_c) keep extents
// static. Throws shape_error where the number of elements differs (static ones do not compile). PyTorch's reshape.
inline constexpr struct reshape_t {
  template <array A, detail::integer_like... N>
  constexpr auto operator()(A&& a, N... n) const {
    using in = typename detail::node_of<A>::shape_type;
    constexpr bool possible = detail::reshape_is_possible<in, N...>();
    static_assert(
        possible,
        "shape is invalid for input of this size: a reshape keeps the number of elements, at most one extent is -1");
    if constexpr (possible) {
      decltype(auto) e = detail::as_node(static_cast<A&&>(a));
      using shape = detail::shape_from<detail::reshaped_static_extents<in, N...>()>;
      return detail::seen_in_order(
          e, shape::unchecked(detail::resolved_extents(detail::indices<sizeof...(N)>{{static_cast<index>(n)...}},
                                                       e.shape().size())));
    }
  }
  template <array A, shape_type S>
  constexpr auto operator()(A&& a, const S& s) const {
    using in = typename detail::node_of<A>::shape_type;
    constexpr bool possible = !in::is_static || !S::is_static || [] {
      if constexpr (in::is_static && S::is_static) return in{}.size() == S{}.size();
      return true;
    }();
    static_assert(possible, "shape is invalid for input of this size: a reshape keeps the number of elements");
    if constexpr (possible) {
      decltype(auto) e = detail::as_node(static_cast<A&&>(a));
      if (s.size() != e.shape().size()) detail::throw_reshape(s.extents().v, S::axes_count, e.shape().size());
      return detail::seen_in_order(e, s);
    }
  }
} reshape{};

}  // namespace broadloom
