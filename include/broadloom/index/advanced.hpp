// Arrays of positions and masks among the arguments of slice and of the call syntax: NumPy's advanced indexing, for
// reading (lazily) and for assigning.
#pragma once

#include <broadloom/core/api.hpp>
#include <broadloom/core/flag.hpp>
#include <broadloom/core/throw_error.hpp>
#include <broadloom/index/advanced_form.hpp>
#include <broadloom/index/nonzero.hpp>
#include <broadloom/index/place.hpp>

namespace broadloom {

namespace detail {

// Throws shape_error where arrays of positions do not broadcast together.
BROADLOOM_API void check_position_shapes(const shape_view* shapes, int count);
[[noreturn, gnu::cold, gnu::noinline]] inline void throw_mask_shape(const shape_view& mask, const shape_view& self,
                                                                    int axis) {
  throw_error(error_kind::mask_shape, {&mask, &self, axis});
}

// The argument as slice takes it: arrays keep their axes.
template <class T>
constexpr auto sliced_item(const T& x) {
  constexpr item_kind k = kind_of_item<T>();
  if constexpr (k == item_kind::positions || k == item_kind::mask)
    return whole_axes<axes_taken<T>()>{};
  else
    return x;
}

template <class T>
inline constexpr bool is_empty_list = false;
template <class T>
inline constexpr bool is_empty_list<tensor<T, dshape<1>>> = true;

// The positions an argument stands for: none, itself, or where a mask is set.
template <class X, class T>
auto positions_in(const X& x, T&& item, int axis) {
  constexpr item_kind k = kind_of_item<T>();
  if constexpr (k == item_kind::positions) {
    // index_array{}, an empty list, selects nothing.
    if constexpr (is_empty_list<T>)
      if (!item.has_shape()) item = T(0);
    return boost::hana::make_basic_tuple(capture(static_cast<T&&>(item)));
  } else if constexpr (k == item_kind::mask) {
    const auto node = capture(static_cast<T&&>(item));
    constexpr int rank = rank_of<decltype(node)>;
    static_assert(rank > 0, "a mask has at least one axis [errors.md#masks-and-index-arrays]");
    for (int a = 0; a < rank; ++a)
      if (node.shape()[a] != x[axis + a])
        throw_mask_shape({node.shape().data(), rank}, {x.data(), std::remove_cvref_t<X>::axes_count}, axis);
    auto all = where_one<decltype((node))>::of(node);
    return [&]<int... N>(sequence<N...>) {
      return boost::hana::make_basic_tuple(capture(static_cast<dtensor<index, rank_for<1, T>>&&>(all[N]))...);
    }(make_sequence<rank>{});
  } else
    return boost::hana::basic_tuple<>{};
}

// The shape with which an argument broadcasts among the positions, as far as the compiler knows.
template <class T>
struct position_shape {
  using type = shape<>;
};
template <class T>
  requires(kind_of_item<T>() == item_kind::positions)
struct position_shape<T> {
  using type = shape_of<node_of<T>>;
};
template <class T>
  requires(kind_of_item<T>() == item_kind::mask)
struct position_shape<T> {
  using type = shape<dyn>;
};

template <class T>
inline constexpr bool counts_positions = true;
template <class T>
  requires(kind_of_item<T>() == item_kind::positions)
inline constexpr bool counts_positions<T> = are_positions<T>;

template <class A, class... Index>
struct advanced_slice {
  static constexpr int rank = rank_of<node_of<A>>;
  static constexpr advanced_form form = form_of<rank, Index...>();
  static_assert(form.taken <= rank, "more indices than axes [errors.md#more_indices_than_axes]");
  static_assert(
      form.terms <= 8,
      "at most eight arrays of positions; a mask counts once for each of its axes [errors.md#masks-and-index-arrays]");

  static auto of(A&& a, Index&&... i) {
    constexpr bool fits = broadcastable<typename position_shape<Index>::type...>;
    static_assert(fits,
                  "shape mismatch: indexing tensors could not be broadcast together [errors.md#index-arrays-clash]");
    constexpr bool counts = (counts_positions<Index> && ...);
    static_assert(counts, "an index array is of i32 or i64 [errors.md#index-type]");
    if constexpr (fits && counts) {
      const auto node = as_node(static_cast<A&&>(a));
      const auto sliced = slice(node, sliced_item(i)...);
      if constexpr (is_one_list<Index...>)  // compilers copy it once for each list of operands
        return finish(sliced, capture(static_cast<Index&&>(i))...);
      else
        return collect(node, sliced, 0, boost::hana::basic_tuple<>{}, static_cast<Index&&>(i)...);
    }
  }

 private:
  template <class... T>
  static constexpr bool is_one_list =
      sizeof...(T) == 1 && ((kind_of_item<T>() == item_kind::positions && !is_empty_list<T>) && ...);
  template <class Node, class Sliced, class... P, class T, class... Rest>
  static auto collect(const Node& node, const Sliced& sliced, int axis, const boost::hana::basic_tuple<P...>& so_far,
                      T&& item, Rest&&... rest) {
    constexpr bool fills = is_ellipsis<std::remove_cvref_t<T>>;
    const int next = axis + (fills ? rank - form.taken : axes_taken<T>());
    auto more = positions_in(node.shape(), static_cast<T&&>(item), axis);
    return detail::unpack(so_far, [&](const auto&... p) {
      return detail::unpack(more, [&](const auto&... q) {
        const auto found = boost::hana::make_basic_tuple(p..., q...);
        if constexpr (sizeof...(Rest) == 0)
          return detail::unpack(found, [&](const auto&... each) { return finish(sliced, each...); });
        else
          return collect(node, sliced, next, found, static_cast<Rest&&>(rest)...);
      });
    });
  }
  // Extents of the result: those of the slice, in which those of the positions take the place of what they replace.
  template <class Kind, int RS, int B>
  static constexpr auto extents_with_positions(const indices<RS>& sliced, const indices<B>& positions) {
    indices<RS - form.terms + B> x{};
    for (int a = 0; a < B; ++a) x[form.at + a] = positions[a];
    for (int a = 0, to = 0; a < RS; ++a)
      if (!Kind::is_replaced(a)) {
        x[to < form.at ? to : to + B] = sliced[a];
        ++to;
      }
    return x;
  }
  template <class Sliced, class... P>
  static auto finish(const Sliced& sliced, const P&... p) {
    if constexpr (sizeof...(P) > 1) {
      const shape_view shapes[] = {{p.shape().data(), rank_of<P>}...};
      check_position_shapes(shapes, sizeof...(P));
    }
    const auto common = broadcast(p.shape()...);
    constexpr int b = std::remove_cvref_t<decltype(common)>::axes_count;
    using kind = advanced_kind<form, b>;
    const auto x = extents_with_positions<kind>(sliced.shape().extents(), common.extents());
    using result = shape_from<extents_with_positions<kind>(shape_of<Sliced>::static_extents,
                                                           std::remove_cvref_t<decltype(common)>::static_extents)>;
    const auto shape = result::unchecked(x);
    if constexpr (writable_node<Sliced>)
      return selected_place<kind, result, Sliced, P...>(kind{}, shape, sliced, p...);
    else
      return select_elements(kind{}, shape, sliced, p...);
  }
};

template <class... Index>
struct index_list {
  boost::hana::basic_tuple<Index...> all;
};

}  // namespace detail

// indices(i, j, ...): the arguments of an advanced slice, as index_put_ takes them. indices<Axis>(shape):
// index/grid.hpp.
template <class... Index>
constexpr auto indices(const Index&... i) {
  return detail::index_list<const Index*...>{boost::hana::basic_tuple<const Index*...>(&i...)};
}

// index_put_(out, indices(i, j), values, accumulate = false): slice(out, i, j) = values; with accumulate, adds each
// value, once for each time its position occurs (PyTorch's index_put_).
inline constexpr struct index_put_t {
  static constexpr const char* name() { return "index_put_"; }
  template <array Out, class... Index, operand V, int Native = BROADLOOM_NATIVE>
    requires detail::writable<Out&>
  decltype(auto) operator()(Out&& out, const detail::index_list<const Index*...>& at, V&& values,
                            detail::plain_flag accumulate = false) const {
    detail::unpack(at.all, [&](const Index*... i) {
      slice(detail::as_node(out), *i...)
          .template write<Native, index_put_t>(static_cast<V&&>(values), runtime::options{},
                                               accumulate ? runtime::update::add : runtime::update::overwrite);
    });
    return static_cast<Out&&>(out);
  }
} index_put_{};

}  // namespace broadloom
