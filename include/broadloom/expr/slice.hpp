// slice(x, all, range(1, end), newaxis, 3, ...): Python's indexing as a lazy view, one argument per axis.
#pragma once

#include <broadloom/core/extension.hpp>
#include <broadloom/expr/range.hpp>
#include <broadloom/expr/views.hpp>

namespace broadloom {

// The whole axis. all(x) of an array is whether all of its elements are true (reduce/).
inline constexpr struct all_t {
  constexpr all_t operator()() const { return *this; }
  template <class... A>
    requires detail::extended<all_t, A...>
  constexpr auto operator()(A&&... a) const {
    return detail::extension<all_t, A...>::call(static_cast<A&&>(a)...);
  }
} all{};
// A new axis of extent 1.
inline constexpr struct newaxis_t {
  constexpr newaxis_t operator()() const { return *this; }
} newaxis{};
// The whole axes that no other argument takes.
inline constexpr struct ellipsis_t {
  constexpr ellipsis_t operator()() const { return *this; }
} ellipsis{};
namespace detail {

// That many whole axes.
template <int N>
struct whole_axes {};

// One argument of slice, by kind: -1 removes an axis, 0 keeps it, +1 adds one.
template <class T>
struct slice_item;
template <>
struct slice_item<all_t> {
  static constexpr int adds = 0, takes = 1;
};
template <>
struct slice_item<ellipsis_t> {
  static constexpr int adds = 0, takes = 0;
};
template <int N>
struct slice_item<whole_axes<N>> {
  static constexpr int adds = 0, takes = N;
};
template <class T>
  requires is_range<T>
struct slice_item<T> {
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
      else if constexpr (is_range<T>)
        r[to++] = range_extent<T>::of(x[from++]);
      else if constexpr (slice_item<T>::adds == 0)
        for (int k = 0; k < slice_item<T>::takes; ++k) r[to++] = x[from++];
      else
        ++from;
    };
    (one(static_cast<const Item*>(nullptr)), ...);
    while (from < R) r[to++] = x[from++];
    return r;
  }

  // Whether the constants among the indices are.
  template <int R>
  static constexpr bool stays_inside([[maybe_unused]] const indices<R>& x) {
    int axis = 0;
    [[maybe_unused]] const auto one = [&]<class T>(const T*) {
      const int own = axis;
      axis += slice_item<T>::takes;
      return slice_item<T>::adds != -1 || detail::is_inside<T>(x[own]);
    };
    return (one(static_cast<const Item*>(nullptr)) && ...);
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
      } else if constexpr (is_range<T>) {
        const index s = item.step;
        if (s == 0) throw_zero_step();
        const range_places p = places_of_range(item, g.extents[from]);
        if (p.extent > 0) r.offset += p.first * g.strides[from];
        keep(p.extent, p.extent > 1 ? g.strides[from] * s : g.strides[from]);
        ++from;
      } else if constexpr (slice_item<T>::adds == 0) {
        for (int k = 0; k < slice_item<T>::takes; ++k, ++from) keep(g.extents[from], g.strides[from]);
      } else {
        const index n = g.extents[from];
        index i = static_cast<index>(item);
        if (i < -n || i >= n) throw_index_out_of_bounds(i, from, n, "slice");
        r.offset += (i < 0 ? i + n : i) * g.strides[from];
        ++from;
      }
    };
    detail::unpack(items, [&](const Item&... item) { (one(item), ...); });
    for (; from < R; ++from) keep(g.extents[from], g.strides[from]);
    return r;
  }
};

template <class T>
concept slice_argument = requires { slice_item<T>::adds; };

template <class T>
inline constexpr bool takes_one_axis = false;
template <slice_argument T>
inline constexpr bool takes_one_axis<T> = slice_item<T>::takes == 1;

template <class T>
inline constexpr bool is_ellipsis = false;
template <>
inline constexpr bool is_ellipsis<ellipsis_t> = true;

// An ellipsis stands for the axes of R that the other arguments do not take.
template <int R, class... Item>
struct settled_slice {
  static constexpr int ellipses = (0 + ... + int{is_ellipsis<Item>});
  static constexpr int rest = R - (0 + ... + slice_item<Item>::takes);
  template <class T>
  using item = std::conditional_t<is_ellipsis<T>, whole_axes<(rest > 0 ? rest : 0)>, T>;
  using op = slice_op<item<Item>...>;
  template <class T>
  static constexpr item<T> settle(const T& x) {
    if constexpr (is_ellipsis<T>)
      return {};
    else
      return x;
  }
};

template <class T>
inline constexpr bool is_axis_item = false;
template <index Name, class Item>
inline constexpr bool is_axis_item<axis_item<Name, Item>> = true;

// What a slice by names takes of axis K.
template <class Shape, int K>
constexpr all_t item_of_axis() {
  return {};
}
template <class Shape, int K, class First, class... Rest>
constexpr auto item_of_axis(const First& first, const Rest&... rest) {
  if constexpr (axis_called(Shape::static_extents, First::name) == K)
    return first.item;
  else
    return item_of_axis<Shape, K>(rest...);
}
template <class... Index>
constexpr bool name_different_axes() {
  const indices<sizeof...(Index)> names{{Index::name...}};
  bool r = true;
  for (int i = 0; i < names.count; ++i)
    for (int j = 0; j < i; ++j) r = r && names[i] != names[j];
  return r;
}

// Slices with arrays of positions or masks among their arguments: index/advanced.hpp.
template <class A, class... Index>
struct advanced_slice;
template <class T>
concept slice_array = !slice_argument<std::remove_cvref_t<T>> && array<T>;
template <class... Index>
inline constexpr bool are_slice_arguments =
    ((slice_argument<std::remove_cvref_t<Index>> || is_axis_item<std::remove_cvref_t<Index>> || slice_array<Index>) &&
     ...);

}  // namespace detail

namespace errors_md {
// x(slice(0, 2), all)
struct write_range_a_b_as_slice_wants_an_array_first;
}  // namespace errors_md

// slice(x, i...): each argument takes the next axis: all, range(a, b, step), an index (the axis disappears), newaxis (a
// new one), ellipsis (the axes left over). Axes not mentioned are kept whole. Ranges are clamped as in Python; an index
// out of bounds throws index_error. By names of sizes, in any order: slice(x, "time"_axis = range(1, end), "batch"_axis
// = 3). Arrays of positions and masks among the arguments: see index/advanced.hpp.
inline constexpr struct slice_t {
#if defined(__clang__)
  template <detail::referred A, class... Index>
    requires(detail::slice_argument<Index> && ...)
  constexpr auto operator()(A& a BROADLOOM_LIFETIMEBOUND, const Index&... i) const {
    return (*this)(detail::as_node(a), i...);
  }
#endif
  template <array A, class... Index>
    requires(detail::slice_argument<Index> && ...)
  constexpr auto operator()(A&& a, const Index&... i) const {
    using settled = detail::settled_slice<detail::rank_of<detail::node_of<A>>, Index...>;
    using op = typename settled::op;
    static_assert(settled::ellipses <= 1,
                  "an index can only have a single ellipsis [errors.md#more_indices_than_axes]");
    static_assert(op::taken <= detail::rank_of<detail::node_of<A>>,
                  "more indices than axes [errors.md#more_indices_than_axes]");
    if constexpr (op::taken <= detail::rank_of<detail::node_of<A>>)
      static_assert(op::stays_inside(detail::shape_of<detail::node_of<A>>::static_extents),
                    "a constant index is outside of its axis [errors.md#constant-index]");
    return detail::transform(
        op{boost::hana::basic_tuple<typename settled::template item<Index>...>(settled::settle(i)...)},
        detail::as_node(static_cast<A&&>(a)));
  }
  template <array A, class... Index>
    requires(detail::is_axis_item<std::remove_cvref_t<Index>> || ...)
  constexpr auto operator()(A&& a, const Index&... i) const {
    using shape = typename detail::node_of<A>::shape_type;
    constexpr bool by_name = (detail::is_axis_item<Index> && ...);
    static_assert(by_name, "slice: every argument names its axis, or none does [errors.md#slice-by-names]");
    if constexpr (!by_name)
      return detail::as_node(static_cast<A&&>(a));
    else if constexpr (!(detail::finds_axis<shape, axis_name_t<Index::name>> && ...)) {
      static_cast<void>(
          errors_md::no_axis_has_this_name<detail::missing_axis_text<shape, axis_name_t<Index::name>...>, shape>{});
      return detail::as_node(static_cast<A&&>(a));
    } else {
      static_assert(detail::name_different_axes<Index...>(),
                    "slice: an axis is named twice [errors.md#slice-by-names]");
      static_assert((detail::takes_one_axis<decltype(Index::item)> && ...),
                    "slice: a range, an index or all is wanted behind \"name\"_axis = [errors.md#slice-by-names]");
      return [&]<int... K>(detail::sequence<K...>) {
        return (*this)(static_cast<A&&>(a), detail::item_of_axis<shape, K>(i...)...);
      }(detail::make_sequence<shape::axes_count>{});
    }
  }
  template <array A, class... Index>
    requires((detail::slice_argument<std::remove_cvref_t<Index>> || detail::slice_array<Index>) && ...) &&
            (detail::slice_array<Index> || ...)
  constexpr auto operator()(A&& a, Index&&... i) const {
    return detail::advanced_slice<A, Index...>::of(static_cast<A&&>(a), static_cast<Index&&>(i)...);
  }
  template <array A, class... Index>
    requires(!detail::are_slice_arguments<Index...>)
  constexpr auto operator()(A&& a, Index&&...) const {
    static_assert(detail::are_slice_arguments<Index...>,
                  "an index is an integer, range(a, b, step), all, newaxis, ellipsis, a mask, or an array or container "
                  "of integers [errors.md#kind-of-index]");
    return detail::as_node(static_cast<A&&>(a));
  }
  template <detail::integer_like... N>
  errors_md::write_range_a_b_as_slice_wants_an_array_first operator()(N...) const;
} slice{};

namespace detail {

template <class... Index>
struct called_slice {
  template <class A>
  static constexpr auto of(A&& a, Index&&... i) {
    return slice(static_cast<A&&>(a), static_cast<Index&&>(i)...);
  }
  // For numbers alone.
  template <class A>
  static constexpr auto at(A&& a, const std::remove_cvref_t<Index>&... i) {
    return slice(static_cast<A&&>(a), as_index(i)...);
  }

 private:
  template <class T>
  static constexpr auto as_index(const T& i) {
    if constexpr (integer_like<T>)
      return i;
    else
      return static_cast<index>(i);
  }
};

}  // namespace detail
}  // namespace broadloom
