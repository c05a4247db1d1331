// reshape(x, 4, -1): the same elements in row-major order, with other extents.
#pragma once

#include <broadloom/core/throw_error.hpp>
#include <broadloom/eval/let.hpp>
#include <broadloom/shape/axes.hpp>
#include <broadloom/shape/braced.hpp>

namespace broadloom {

namespace detail {

[[noreturn, gnu::cold, gnu::noinline]] inline void throw_reshape(const index* wanted, index rank, index size) {
  throw_error(error_kind::reshape, {wanted, rank, size});
}

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

// What the compiler knows of a reshape to these extents, each a size, dyn, or -2 for the one that is left to the rest.
template <int R>
struct known_reshape {
  bool possible = true;
  indices<R> extents{};
};
template <class In, int R>
constexpr known_reshape<R> reshape_to(const indices<R>& wanted) {
  known_reshape<R> r{true, wanted};
  index product = 1;
  int left = 0, later = 0;
  for (index n : wanted) {
    left += n == -2;
    later += is_dyn(n);
    if (n >= 0 && __builtin_mul_overflow(product, n, &product)) r.possible = false;
  }
  r.possible = r.possible && left <= 1;
  index size = dyn;
  if constexpr (In::is_static) size = In{}.size();
  // What the others must make together: known unless they may be anything.
  const index rest = !is_dyn(size) && product > 0 && size % product == 0 ? size / product : dyn;
  if (!is_dyn(size) && product > 0 && (size % product != 0 || (left + later == 0 && rest != 1))) r.possible = false;
  if (!is_dyn(size) && product == 0 && (size != 0 || left > 0)) r.possible = false;
  for (index& n : r.extents)
    if (n < 0 && !is_named(n)) n = !is_dyn(rest) && (left + later == 1 || rest == 1) ? rest : dyn;
  return r;
}
template <class In, class... N>
inline constexpr auto reshape_to_numbers = [] {
  indices<sizeof...(N)> wanted{{known_extent<N>()...}};
  bool ok = true;
  constexpr bool given[sizeof...(N) == 0 ? 1 : sizeof...(N)] = {constant<N>...};
  for (int i = 0; i < int(sizeof...(N)); ++i)
    if (given[i] && wanted[i] < 0) {
      ok = ok && wanted[i] == -1;
      wanted[i] = -2;
    }
  auto r = reshape_to<In>(wanted);
  r.possible = r.possible && ok;
  return r;
}();
template <class In, class S>
inline constexpr auto reshape_to_shape = reshape_to<In>(S::static_extents);

// Whether the type says that elements are row-major and contiguous.
template <class E>
constexpr bool lies_row_major() {
  if constexpr (leaf<E>)
    return is_contiguous_layout<typename E::layout_type, typename E::shape_type>;
  else
    return false;
}

template <class E, class S, int Native = BROADLOOM_NATIVE>
constexpr auto seen_in_order(const E& e, const S& s) {
  if constexpr (lies_row_major<E>())
    return e.seen_as(0, s, row_major{});
  else {
    const auto& held = read_only(e);
    using source = let_source<std::remove_cvref_t<decltype(held)>>;
    return deferred<source, S, row_major>(make_let<Native>(held), 0, s, row_major{});
  }
}

}  // namespace detail

// reshape(x, extents ...), reshape(x, {extents ...}), reshape(x, shape): x's elements in row-major order with other
// extents, one of which may be -1: what remains. A view, writable as x is, where x's type says that its elements lie in
// that order (a tensor, a row-major view); else the elements are computed once, when the result is evaluated. Extents
// are static where constants (4_c) or the number of elements decide them. Throws shape_error where the number of
// elements differs (static ones do not compile). PyTorch's reshape.
inline constexpr struct reshape_t : detail::array_first {
  using array_first::operator();
#if defined(__clang__)
  template <detail::referred A, detail::integer_like... N>
  constexpr auto operator()(A& a BROADLOOM_LIFETIMEBOUND, N... n) const {
    return (*this)(detail::as_node(a), n...);
  }
#endif
  template <array A, detail::integer_like... N>
  constexpr auto operator()(A&& a, N... n) const {
    using in = typename detail::node_of<A>::shape_type;
    constexpr auto known = detail::reshape_to_numbers<in, N...>;
    static_assert(known.possible,
                  "shape is invalid for input of this size: a reshape keeps the number of elements, at most one extent "
                  "is -1 [errors.md#reshape]");
    if constexpr (known.possible) {
      decltype(auto) e = detail::as_node(static_cast<A&&>(a));
      using shape = detail::shape_from<known.extents>;
      return detail::seen_in_order(
          e, shape::unchecked(detail::resolved_extents(detail::indices<sizeof...(N)>{{static_cast<index>(n)...}},
                                                       e.shape().size())));
    }
  }
  template <array A, shape_type S>
  constexpr auto operator()(A&& a, const S& s) const {
    using in = typename detail::node_of<A>::shape_type;
    constexpr auto known = detail::reshape_to_shape<in, S>;
    static_assert(
        known.possible,
        "shape is invalid for input of this size: a reshape keeps the number of elements [errors.md#reshape]");
    if constexpr (known.possible) {
      decltype(auto) e = detail::as_node(static_cast<A&&>(a));
      if (s.size() != e.shape().size()) detail::throw_reshape(s.extents().v, S::axes_count, e.shape().size());
      using shape = detail::shape_from<known.extents>;
      return detail::seen_in_order(e, shape::unchecked(s.extents()));
    }
  }
  template <array A, detail::axis_list L>
  constexpr auto operator()(A&& a, const L& extents) const {
    return detail::unpack_list(extents, [&](auto... n) { return (*this)(static_cast<A&&>(a), n...); });
  }
  template <array A, int R>
  constexpr auto operator()(A&& a, detail::braced_extents<R> s) const {
    return [&]<int... At>(detail::sequence<At...>) {
      return (*this)(static_cast<A&&>(a), s[At].n...);
    }(detail::make_sequence<R>{});
  }
} reshape{};

}  // namespace broadloom
