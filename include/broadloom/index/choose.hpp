// choose: for each position, the element of that choice. NumPy's choose with its modes. Lazy.
#pragma once

#include <broadloom/core/throw_error.hpp>
#include <broadloom/fn/composite.hpp>
#include <broadloom/index/selected.hpp>

namespace broadloom {

// What is done with a position out of bounds: raise throws index_error, wrap takes it modulo the extent, clip takes the
// nearest.
namespace mode {
inline constexpr struct raise_t {
} raise{};
inline constexpr struct wrap_t {
} wrap{};
inline constexpr struct clip_t {
} clip{};
}  // namespace mode

namespace detail {

template <class M>
concept bounds_mode = __is_same(M, mode::raise_t) || __is_same(M, mode::wrap_t) || __is_same(M, mode::clip_t);

[[noreturn, gnu::cold, gnu::noinline]] inline void throw_empty_axis(const char* call, const shape_view& positions,
                                                                    int axis) {
  throw_error(error_kind::empty_axis, {call, &positions, axis});
}
[[noreturn, gnu::cold, gnu::noinline]] inline void throw_narrow_wrap(const char* call, index n, int axis) {
  throw_error(error_kind::narrow_wrap, {call, n, axis});
}

// Positions brought into [0, n) by the mode, where n is the extent of the axis. Throws index_error where there is
// nothing to bring them to.
template <bounds_mode M, class Index>
constexpr auto brought_inside(M, const char* call, const Index& i, index n, int axis) {
  using T = value_of<Index>;
  if constexpr (__is_same(M, mode::raise_t))
    return i;
  else {
    if (n == 0) {
      bool any = true;
      for (int a = 0; a < rank_of<Index>; ++a) any = any && i.shape()[a] > 0;
      if (any) throw_empty_axis(call, {i.shape().data(), rank_of<Index>}, axis);
      n = 1;
    }
    constexpr index most = sizeof(T) < sizeof(index) ? __INT32_MAX__ : __PTRDIFF_MAX__;
    if constexpr (__is_same(M, mode::wrap_t)) {
      if (n > most) throw_narrow_wrap(call, n, axis);  // -1 + n is no position of this type
      return remainder(i, static_cast<T>(n));
    } else
      return clamp(i, static_cast<T>(0), static_cast<T>(n - 1 < most ? n - 1 : most));
  }
}

// The first axis of x has the choices; the others broadcast with the positions.
struct choose_kind {
  static constexpr bool flat = false;
  static constexpr const char* name() { return "choose"; }
  constexpr bool operator==(const choose_kind&) const = default;

  template <int R, int K, int RX, int RI>
  void place(selection_plan<R, K>& p, const geometry<RX>& x, const geometry<RI>& i) const {
    for (int a = 1; a < RX; ++a) p.strides[R - RX + a] = x.extents[a] == 1 ? 0 : x.strides[a];
    p.broadcast_term(0, i, R);
    p.point_term(0, x, 0, false);
  }
  template <int R, class X, class Index>
  constexpr auto element(const indices<R>& at, const X& x, const Index& i) const {
    constexpr int rank = rank_of<X>;
    indices<rank> origin{};
    origin[0] = checked_position(static_cast<index>(i.element(at)), x.shape()[0], 0, false, name());
    for (int a = 1; a < rank; ++a) origin[a] = x.shape()[a] == 1 ? 0 : at[R - rank + a];
    return x.element(origin);
  }
};

template <class S>
struct without_first;
template <index First, index... Rest>
struct without_first<shape<First, Rest...>> {
  using type = shape<Rest...>;
  static constexpr type of(const shape<First, Rest...>& s) {
    indices<sizeof...(Rest)> x{};
    for (int a = 0; a < int(sizeof...(Rest)); ++a) x[a] = s[a + 1];
    return type::unchecked(x);
  }
};

struct choose_rule {
  template <array Index, array X>
  static constexpr sentence fault() {
    sentence s;
    if (!positions_fit<Index>(s, "choose")) return s;
    if constexpr (rank_of<node_of<X>> == 0)
      s << "choose: the choices have an axis of their own, the first";
    else {
      using rest = typename without_first<shape_of<node_of<X>>>::type;
      constexpr auto c = broadcast_static(shape_of<node_of<Index>>::static_extents, rest::static_extents);
      if (c.axis >= 0) s = clash_sentence(c.axis, c.left, c.right);
    }
    return s;
  }
};

}  // namespace detail

// choose(index, x, mode::raise): index (i32 or i64) broadcasts with x's axes but the first; each element of the result
// is x's at that first index. Throws shape_error when built; with mode::raise, index_error when evaluated and a
// position is negative or too large; with the others, index_error when built and there are positions but no choices
// (NumPy's choose).
inline constexpr struct choose_t : detail::refuses_other_arguments<choose_t> {
  static constexpr detail::text call{"choose(i, stack(0, x, y))"};
  using detail::refuses_other_arguments<choose_t>::operator();
  template <array Index, array X, detail::bounds_mode M = mode::raise_t>
    requires detail::accepted<detail::choose_rule, Index, X>
  constexpr auto operator()(Index&& i, X&& x, M m = {}) const {
    const auto at = detail::capture(static_cast<Index&&>(i));
    const auto origin = detail::capture(static_cast<X&&>(x));
    using x_shape = detail::shape_of<decltype(origin)>;
    using rest = detail::without_first<x_shape>;
    using shape = typename detail::broadcast_of<detail::shape_of<decltype(at)>, typename rest::type>::type;
    const auto result = detail::broadcast_checked<shape>("choose", at.shape(), rest::of(origin.shape()));
    return detail::select_elements(detail::choose_kind{}, result, origin,
                                   detail::brought_inside(m, "choose", at, origin.shape()[0], 0));
  }
  template <array Index, array X, class M = mode::raise_t, class Error = detail::refusal<detail::choose_rule, Index, X>>
    requires(!std::is_void_v<Error>)
  Error operator()(Index&&, X&&, M = {}) const = delete;
} choose{};

}  // namespace broadloom
