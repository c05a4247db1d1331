// Rearranging along axes by segments of positions: tile, repeat, repeat_interleave, roll, pad. Lazy.
#pragma once

#include <broadloom/core/api.hpp>
#include <broadloom/core/throw_error.hpp>
#include <broadloom/expr/views.hpp>
#include <broadloom/index/select.hpp>
#include <broadloom/tensor/reshape.hpp>

namespace broadloom {

// The elements that pad adds: a constant, the elements mirrored at the ends, the ends themselves, or the other
// end.
enum class padding : unsigned char { constant, reflect, replicate, circular };

namespace detail {

// K axes are read at the positions of segments.
template <int K, class T>
struct remap_kind {
  int axis[K == 0 ? 1 : K];
  T filler;
  runtime::axis_segments segments[K == 0 ? 1 : K];
  static constexpr bool flat = false;
  static constexpr int term_count = K;
  static constexpr const char* name() { return "rearrange"; }
  constexpr bool operator==(const remap_kind& o) const {
    for (int k = 0; k < K; ++k)
      if (axis[k] != o.axis[k] || !(segments[k] == o.segments[k])) return false;
    return detail::same_bits(filler, o.filler);
  }
  const void* filler_at() const { return &filler; }

  template <int R, int N, int RX>
  void place(selection_plan<R, N>& p, const geometry<RX>& x) const {
    for (int a = 0; a < R; ++a) p.strides[a] = x.strides[a];
    p.used = 0;
    for (int k = 0; k < K; ++k) {
      const int a = axis[k];
      if (segments[k].is_whole(p.extents[a])) continue;
      const int n = p.used++;
      p.strides[a] = 0;
      p.term_strides[n][a] = 1;
      p.point_term(n, x, a, false);
      p.terms[n].segments = &segments[k];
    }
  }
  template <int R, class X>
  constexpr auto element(indices<R> at, const X& x) const {
    for (int k = 0; k < K; ++k)
      if ((at[axis[k]] = segments[k].position(at[axis[k]])) < 0) return filler;
    return x.element(at);
  }
};

enum class rearrangement : unsigned char { tile, roll, interleave, reflect, replicate, circular, constant };
// The positions of n elements that are rearranged from an axis.
BROADLOOM_API runtime::axis_segments segments_of(rearrangement how, index n, index extent, index amount);
// A list of positions, each as often as counts says.
BROADLOOM_API dtensor<index, 1> list_repeated(const index* counts, index extent, index& n);
// The extent of the axis with its padding; throws shape_error for what the kind of padding does not do.
BROADLOOM_API index padded_extent(padding how, index before, index after, const shape_view& x, int axis);

// One axis, rearranged.
template <class T, class X, class Shape>
auto remap(const X& x, const Shape& shape, int axis, const runtime::axis_segments& segments) {
  return select_elements(remap_kind<1, T>{{axis}, T{}, {segments}}, shape, x);
}

// Every axis has segments of its own.
template <class T, class X, class Shape, class F>
auto remap_all(const X& x, const Shape& shape, T filler, F segments) {
  remap_kind<rank_of<X>, T> kind{{}, filler, {}};
  for (int a = 0; a < rank_of<X>; ++a) {
    kind.axis[a] = a;
    kind.segments[a] = segments(a);
  }
  return select_elements(kind, shape, x);
}

// A node with more axes, of extent 1, in front.
template <int R, int N>
constexpr indices<R> with_leading_ones(const indices<N>& x) {
  indices<R> r{};
  for (int a = 0; a < R; ++a) r[a] = a < R - N ? 1 : x[a - (R - N)];
  return r;
}
template <int R, class E>
constexpr auto with_leading_axes(const E& e) {
  return expand(e, shape_from<with_leading_ones<R>(shape_of<E>::static_extents)>::unchecked(
                       with_leading_ones<R>(e.shape().extents())));
}

// An extent so many times, as far as the compiler knows.
constexpr index known_multiple(index extent, index count) {
  index n = 0;
  if (extent == 0 || count == 0) return 0;
  return is_dyn(extent) || is_dyn(count) || __builtin_mul_overflow(extent, count, &n) ? dyn : n;
}
// The extents of a tiled shape, its counts perhaps dyn.
template <class Shape, int N>
constexpr auto tiled_extents(const indices<N>& counts) {
  auto r = Shape::static_extents;
  for (int a = 0; a < N; ++a) {
    index& x = r[Shape::axes_count - N + a];
    x = known_multiple(x, counts[a]);
  }
  return r;
}
// Each index of an axis so many times.
template <class A, class Shape>
constexpr auto interleaved_extents(index count) {
  common_extents<Shape::axes_count> r;
  for_each_axis<A>(Shape::axes_count, [&](int axis) {
    auto x = Shape::static_extents;
    x[axis] = known_multiple(x[axis], count);
    r.add(x);
  });
  return r.extents;
}

[[noreturn, gnu::cold, gnu::noinline]] inline void throw_negative_repeats(index count) {
  throw_error(error_kind::negative_repeats, {count});
}

}  // namespace detail

// tile(x, n, m, ...), tile(x, {n, m, ...}): x repeated so often along each axis, aligned at the last one (NumPy's and
// PyTorch's tile).
inline constexpr struct tile_t {
  template <array X, detail::integer_like... N>
    requires(sizeof...(N) > 0)
  auto operator()(X&& x, N... counts) const {
    constexpr int given = sizeof...(N), own = detail::rank_of<detail::node_of<X>>, rank = own > given ? own : given;
    const auto e = detail::with_leading_axes<rank>(detail::capture(static_cast<X&&>(x)));
    const index given_counts[] = {static_cast<index>(counts)...};
    auto extents = e.shape().extents();
    for (int a = 0; a < given; ++a) {
      if (given_counts[a] < 0) detail::throw_negative_repeats(given_counts[a]);
      extents[rank - given + a] = detail::checked_mul("tile", extents[rank - given + a], given_counts[a]);
    }
    detail::check_count("tile", extents.v, rank);
    using T = detail::value_of<decltype(e)>;
    using shape = detail::shape_from<detail::tiled_extents<detail::shape_of<decltype(e)>>(
        detail::indices<given>{{detail::extent_of<N>()...}})>;
    return detail::remap_all<T>(e, shape::unchecked(extents), T{}, [&](int a) {
      return detail::segments_of(detail::rearrangement::tile, extents[a], e.shape()[a], 0);
    });
  }
  template <array X, int N>
  auto operator()(X&& x, detail::braced_extents<N> counts) const {
    return [&]<int... At>(detail::sequence<At...>) {
      return (*this)(static_cast<X&&>(x), static_cast<index>(counts[At])...);
    }(detail::make_sequence<N>{});
  }
} tile{};

// repeat(x, n, m, ...), repeat(x, {n, m, ...}): as tile, with a count for each axis of x at least (PyTorch's repeat).
inline constexpr struct repeat_t {
  template <class X>
  using too_few = errors_md::indexing_refused<
      detail::text{"Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor"}, X>;
  template <array X, detail::integer_like... N>
    requires(sizeof...(N) >= detail::rank_of<detail::node_of<X>>)
  auto operator()(X&& x, N... counts) const {
    return tile(static_cast<X&&>(x), counts...);
  }
  template <array X, int N>
    requires(N >= detail::rank_of<detail::node_of<X>>)
  auto operator()(X&& x, detail::braced_extents<N> counts) const {
    return tile(static_cast<X&&>(x), counts);
  }
  template <array X, detail::integer_like... N, class Error = too_few<X>>
    requires(sizeof...(N) < detail::rank_of<detail::node_of<X>>)
  Error operator()(X&&, N...) const BROADLOOM_REFUSED;
  template <array X, int N, class Error = too_few<X>>
    requires(N < detail::rank_of<detail::node_of<X>>)
  Error operator()(X&&, detail::braced_extents<N>) const BROADLOOM_REFUSED;
} repeat{};

// repeat_interleave(x, n, axis = 0): each index of the axis n times, one after the other; repeat_interleave(x, counts,
// axis): as often as an array of rank 1 says (PyTorch's repeat_interleave, NumPy's repeat).
inline constexpr struct repeat_interleave_t : detail::takes_axis_names<repeat_interleave_t> {
  static constexpr detail::text call{"repeat_interleave(x, n, axis)"};
  using takes_axis_names::operator();
  template <array X, detail::integer_like N, detail::integer_like A = boost::hana::integral_constant<index, 0>>
  auto operator()(X&& x, N count, A axis = {}) const {
    const auto e = detail::capture(static_cast<X&&>(x));
    const int a = detail::normal_axis(static_cast<index>(axis), detail::rank_of<decltype(e)>, "repeat_interleave");
    const auto times = static_cast<index>(count);
    if (times < 0) detail::throw_negative_repeats(times);
    auto extents = e.shape().extents();
    extents[a] = detail::checked_mul("repeat_interleave", extents[a], times);
    detail::check_count("repeat_interleave", extents.v, extents.count);
    using T = detail::value_of<decltype(e)>;
    using shape =
        detail::shape_from<detail::interleaved_extents<A, detail::shape_of<decltype(e)>>(detail::extent_of<N>())>;
    return detail::remap<T>(e, shape::unchecked(extents), a,
                            detail::segments_of(detail::rearrangement::interleave, extents[a], e.shape()[a], times));
  }
  template <array X, array C, detail::integer_like A = boost::hana::integral_constant<index, 0>>
    requires detail::are_positions<C>
  auto operator()(X&& x, C&& counts, A axis = {}) const {
    static_assert(detail::rank_of<detail::node_of<C>> == 1, "the counts have one axis [errors.md#counts-and-shifts]");
    const auto e = detail::capture(static_cast<X&&>(x));
    const int a = detail::normal_axis(static_cast<index>(axis), detail::rank_of<decltype(e)>, "repeat_interleave");
    const dtensor<index, detail::rank_for<1, C>> each(cast<index>(static_cast<C&&>(counts)));
    auto extents = e.shape().extents();
    if (each.size() != extents[a])
      detail::refuse("repeats must have the same size as input along dim", "repeat_interleave", e.shape(),
                     each.shape());
    auto list = detail::list_repeated(each.data(), extents[a], extents[a]);
    using shape = detail::shape_from<detail::interleaved_extents<A, detail::shape_of<decltype(e)>>(dyn)>;
    return detail::select_elements(detail::take_kind<false, "repeat_interleave">{a}, shape::unchecked(extents), e,
                                   detail::capture(static_cast<decltype(list)&&>(list)));
  }
} repeat_interleave{};

// roll(x, shift, axis): elements moved along the axis; those that leave at one end come in at the other. roll(x, {1,
// 2}, {0, -1}): along several axes. roll(x, shift): of all elements in row-major order (PyTorch's and NumPy's roll).
inline constexpr struct roll_t : detail::takes_axis_names<roll_t> {
  static constexpr detail::text call{"roll(x, shift, axis)"};
  using takes_axis_names::operator();
  template <array X>
  auto operator()(X&& x, index shift, index axis) const {
    const auto e = detail::capture(static_cast<X&&>(x));
    const int a = detail::normal_axis(axis, detail::rank_of<decltype(e)>, "roll");
    using T = detail::value_of<decltype(e)>;
    return detail::remap<T>(e, e.shape(), a,
                            detail::segments_of(detail::rearrangement::roll, e.shape()[a], e.shape()[a], shift));
  }
  template <array X, int N>
  auto operator()(X&& x, const index (&shifts)[N], const index (&axes)[N]) const {
    const auto e = detail::capture(static_cast<X&&>(x));
    constexpr int rank = detail::rank_of<decltype(e)>;
    detail::indices<rank> amounts{};  // an axis that is named twice is rolled twice
    for (int k = 0; k < N; ++k) {
      const int a = detail::normal_axis(axes[k], rank, "roll");
      const index n = e.shape()[a];
      if (n > 0) amounts[a] = (amounts[a] + detail::modulo(shifts[k], n)) % n;
    }
    using T = detail::value_of<decltype(e)>;
    return detail::remap_all<T>(e, e.shape(), T{}, [&](int a) {
      return detail::segments_of(detail::rearrangement::roll, e.shape()[a], e.shape()[a], amounts[a]);
    });
  }
  template <array X, int N, int M,
            class Error = errors_md::indexing_refused<detail::text{"shifts and dimensions must align"}, X>>
    requires(N != M)
  Error operator()(X&&, const index (&)[N], const index (&)[M]) const BROADLOOM_REFUSED;
  template <array X>
  auto operator()(X&& x, index shift) const {
    if constexpr (detail::rank_of<detail::node_of<X>> == 1)
      return (*this)(static_cast<X&&>(x), shift, 0);
    else {
      const auto e = detail::capture(static_cast<X&&>(x));
      return reshape((*this)(reshape(e, index{-1}), shift, 0), e.shape());
    }
  }
} roll{};

// pad(x, {left, right, top, bottom, ...}, padding::constant, value = 0): elements put before and after each axis,
// beginning with the last axis; negative amounts take elements away, at most all (PyTorch's pad). reflect wants less
// than the axis' extent, circular at most that. pad(x, n): n before and after every axis; pad(x, {{before, after},
// ...}): a pair for each axis, beginning with the first (both NumPy's pad).
inline constexpr struct pad_t : detail::refuses_other_arguments<pad_t> {
  static constexpr detail::text call{"pad(x, {1, 1}, mode, value)"};
  using refuses_other_arguments::operator();
  template <array X, int N, detail::number_scalar V = int>
  auto operator()(X&& x, const index (&given)[N], padding how = padding::constant, V value = V(0)) const {
    const auto e = detail::capture(static_cast<X&&>(x));
    constexpr int rank = detail::rank_of<decltype(e)>;
    using T = detail::value_of<decltype(e)>;
    if (N % 2 != 0 || N > 2 * rank)
      detail::refuse("Padding length must be divisible by 2 and at most twice the number of dimensions of the input",
                     "pad", e.shape());
    constexpr int axes = N / 2 > rank ? rank : N / 2;
    auto extents = e.shape().extents();
    detail::indices<rank> before{};
    for (int k = 0; k < axes; ++k) {
      const int a = rank - 1 - k;
      before[a] = given[2 * k];
      extents[a] = detail::padded_extent(how, given[2 * k], given[2 * k + 1], {e.shape().data(), rank}, a);
    }
    detail::check_count("pad", extents.v, rank);
    const auto kind = how == padding::reflect     ? detail::rearrangement::reflect
                      : how == padding::replicate ? detail::rearrangement::replicate
                      : how == padding::circular  ? detail::rearrangement::circular
                                                  : detail::rearrangement::constant;
    constexpr auto known = [] {
      auto r = detail::shape_of<decltype(e)>::static_extents;
      for (int k = 0; k < axes; ++k) r[rank - 1 - k] = dyn;
      return r;
    }();
    using shape = detail::shape_from<known>;
    return detail::remap_all<T>(e, shape::unchecked(extents), detail::number_as<T>(value),
                                [&](int a) { return detail::segments_of(kind, extents[a], e.shape()[a], before[a]); });
  }
  template <array X, detail::integer_like N, detail::number_scalar V = int>
  auto operator()(X&& x, N each, padding how = padding::constant, V value = V(0)) const {
    constexpr int amounts = 2 * detail::rank_of<detail::node_of<X>>;
    static_assert(amounts > 0, "pad wants an axis or more [errors.md#too-few-axes]");
    index given[amounts > 0 ? amounts : 2];
    for (index& n : given) n = static_cast<index>(each);
    return (*this)(static_cast<X&&>(x), given, how, value);
  }
  template <array X, int N, detail::number_scalar V = int>
    requires(N == detail::rank_of<detail::node_of<X>>)
  auto operator()(X&& x, const index (&pairs)[N][2], padding how = padding::constant, V value = V(0)) const {
    index given[2 * N];
    for (int a = 0; a < N; ++a) {
      given[2 * (N - 1 - a)] = pairs[a][0];
      given[2 * (N - 1 - a) + 1] = pairs[a][1];
    }
    return (*this)(static_cast<X&&>(x), given, how, value);
  }
} pad{};

}  // namespace broadloom
