// slice(x, all, range(1, end), newaxis, 3, ...): Python's indexing as a lazy view, one argument per axis.
#pragma once

#include <broadloom/core/extension.hpp>
#include <broadloom/expr/views.hpp>

namespace broadloom {

// The whole axis. all(x) of an array is whether all of its elements are true (reduce/).
inline constexpr struct all_t {
  template <class... A>
    requires detail::extended<all_t, A...>
  constexpr auto operator()(A&&... a) const {
    return detail::extension<all_t, A...>::call(static_cast<A&&>(a)...);
  }
} all{};
// A new axis of extent 1.
inline constexpr struct newaxis_t {
} newaxis{};
// A bound that is left out: the axis' end in the direction of the step.
inline constexpr struct none_t {
} none{};
// The end of the axis, as a bound.
inline constexpr none_t end{};
namespace detail {

[[noreturn]] void throw_zero_step();

// Python's rule for one bound: negative ones count from the end, then clamped.
constexpr index clamp_bound(index b, index n, index low, index high) {
  if (b < 0) b += n;
  return b < low ? low : b > high ? high : b;
}

struct bound {
  index value = 0;
  bool given = false;
};
template <class B>
constexpr bound as_bound(const B& b) {
  if constexpr (__is_same(B, none_t))
    return {};
  else
    return {static_cast<index>(b), true};
}
template <class B>
concept bound_like = __is_same(B, none_t) || integer_like<B>;

}  // namespace detail

// range(start, stop, step = 1): as Python's start:stop:step; `none` or `end` leaves a bound out.
struct range_t {
  detail::bound start, stop;
  index step;
};
inline constexpr struct make_range_t {
  template <detail::bound_like A, detail::bound_like B>
  constexpr range_t operator()(A start, B stop, index step = 1) const {
    return {detail::as_bound(start), detail::as_bound(stop), step};
  }
} range{};

namespace detail {

// One argument of slice, told apart by kind: -1 takes an axis away, 0 keeps it, +1 adds one.
template <class T>
struct slice_item;
template <>
struct slice_item<all_t> {
  static constexpr int adds = 0, takes = 1;
};
template <>
struct slice_item<range_t> {
  static constexpr int adds = 0, takes = 1;
};
template <>
struct slice_item<newaxis_t> {
  static constexpr int adds = 1, takes = 0;
};
template <integer_like T>
struct slice_item<T> {
  static constexpr int adds = -1, takes = 1;
};

template <class... Item>
struct slice_op {
  boost::hana::basic_tuple<Item...> items;
  static constexpr int delta = (0 + ... + slice_item<Item>::adds);
  static constexpr int taken = (0 + ... + slice_item<Item>::takes);

  static constexpr bool is_static = false;
  static constexpr int rank(int in) { return in + delta; }

  template <int R>
  static constexpr auto known(const indices<R>& x) {
    indices<R + delta> r{};
    int from = 0, to = 0;
    [[maybe_unused]] const auto one = [&]<class T>(const T*) {
      if constexpr (__is_same(T, newaxis_t))
        r[to++] = 1;
      else if constexpr (__is_same(T, all_t))
        r[to++] = x[from++];
      else if constexpr (__is_same(T, range_t))
        r[to++] = dyn, ++from;
      else
        ++from;
    };
    (one(static_cast<const Item*>(nullptr)), ...);
    while (from < R) r[to++] = x[from++];
    return r;
  }

  template <int R>
  constexpr auto operator()(const geometry<R>& g) const {
    geometry<R + delta> r{{}, {}, g.offset};
    int from = 0, to = 0;
    const auto keep = [&](index extent, index stride) {
      r.extents[to] = extent;
      r.strides[to++] = stride;
    };
    [[maybe_unused]] const auto one = [&]<class T>(const T& item) {
      if constexpr (__is_same(T, newaxis_t)) {
        keep(1, 0);
      } else if constexpr (__is_same(T, all_t)) {
        keep(g.extents[from], g.strides[from]);
        ++from;
      } else if constexpr (__is_same(T, range_t)) {
        const index n = g.extents[from], s = item.step;
        if (s == 0) throw_zero_step();
        const index low = s > 0 ? 0 : -1, high = s > 0 ? n : n - 1;
        const index first = item.start.given ? clamp_bound(item.start.value, n, low, high) : s > 0 ? low : high;
        const index last = item.stop.given ? clamp_bound(item.stop.value, n, low, high) : s > 0 ? high : low;
        const bool some = s > 0 ? last > first : first > last;
        const index extent = some ? (s > 0 ? last - first - 1 : last - first + 1) / s + 1 : 0;  // no step overflows this
        if (extent > 0) r.offset += first * g.strides[from];
        keep(extent, extent > 1 ? g.strides[from] * s : g.strides[from]);
        ++from;
      } else {
        const index n = g.extents[from];
        index i = static_cast<index>(item);
        if (i < -n || i >= n) throw_index_out_of_bounds(i, from, n);
        r.offset += (i < 0 ? i + n : i) * g.strides[from];
        ++from;
      }
    };
    boost::hana::unpack(items, [&](const Item&... item) { (one(item), ...); });
    for (; from < R; ++from) keep(g.extents[from], g.strides[from]);
    return r;
  }
};

template <class T>
concept slice_argument = requires { slice_item<T>::adds; };

}  // namespace detail

// slice(x, i...): each argument takes the next axis: all, range(a, b, step), an index (the axis disappears), newaxis (a new one).
// Axes not mentioned are kept whole. Ranges are clamped as in Python; an index out of bounds throws index_error.
inline constexpr struct slice_t {
  template <array A, class... I>
    requires(detail::slice_argument<I> && ...)
  constexpr auto operator()(A&& a, const I&... i) const {
    using op = detail::slice_op<I...>;
    static_assert(op::taken <= detail::rank_of<detail::node_of<A>>, "more indices than axes");
    return detail::transform(op{boost::hana::basic_tuple<I...>(i...)}, detail::as_node(static_cast<A&&>(a)));
  }
} slice{};

}  // namespace broadloom
