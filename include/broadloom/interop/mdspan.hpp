// mdspan as an array, and views as mdspan: std::mdspan where the standard library has it, and any type with the same
// members. Nothing is copied; static extents and strides are kept.
#pragma once

#include <broadloom/interop/strided.hpp>

#if __has_include(<mdspan>) && __cplusplus > 202002L
#include <mdspan>
#endif

namespace broadloom {

// Whether a layout of mdspan has the last axis fastest and no gaps. Known of std::layout_right; to be specialised for
// that of another implementation, whose strides are else read at run time.
template <class Layout>
inline constexpr bool is_row_major_layout = false;

namespace detail {

template <class M>
concept mdspan_like = !expression<M> && requires(const M& m) {
  typename M::element_type;
  typename M::extents_type;
  typename M::layout_type;
  M::rank();
  m.extent(0);
  *m.data_handle();
} && element<std::remove_const_t<typename M::element_type>>;

template <class E>
constexpr index mdspan_extent(E n) {
  return n == static_cast<E>(-1) ? dyn : static_cast<index>(n);
}

// The strides are constants where the mapping holds nothing: all extents are static, and the layout has no state.
template <class M>
inline constexpr bool has_constant_strides =
    requires { requires std::is_empty_v<typename M::mapping_type> && M::is_always_strided(); };

template <class M, class>
struct mdspan_geometry;
template <class M, int... At>
struct mdspan_geometry<M, sequence<At...>> {
  using shape_type = shape<mdspan_extent(M::static_extent(At))...>;
  using T = typename M::element_type;

  static constexpr auto view_of(const M& m) {
    const auto s = shape_type::unchecked({{static_cast<index>(m.extent(At))...}});
    if constexpr (sizeof...(At) == 0 || is_row_major_layout<typename M::layout_type>)
      return view<T, shape_type, row_major>(m.data_handle(), s, {});
    else if constexpr (has_constant_strides<M>) {
      constexpr typename M::mapping_type at{};
      return view<T, shape_type, static_strides<static_cast<index>(at.stride(At))...>>(m.data_handle(), s, {});
    } else
      return view<T, shape_type, dyn_strides<sizeof...(At)>>(m.data_handle(), s,
                                                             {{{static_cast<index>(m.stride(At))...}}});
  }
};

}  // namespace detail

// An mdspan refers to elements that are not its own: it is seen as a view of them, whatever it is.
template <detail::mdspan_like M>
struct array_traits<M> {
  static constexpr auto leaf(const M& m) {
    return detail::mdspan_geometry<M, detail::make_sequence<static_cast<int>(M::rank())>>::view_of(m);
  }
};

#if defined(__cpp_lib_mdspan)

template <>
inline constexpr bool is_row_major_layout<std::layout_right> = true;

namespace detail {

template <class V, class>
struct as_mdspan_f;
template <class V, int... At>
struct as_mdspan_f<V, sequence<At...>> {
  using S = typename V::shape_type;
  using extents =
      std::extents<index, (is_dyn(S::static_extents[At]) ? std::dynamic_extent
                                                         : static_cast<std::size_t>(S::static_extents[At]))...>;

  static constexpr auto of(const V& v) {
    const extents e(std::array<index, sizeof...(At)>{v.shape()[At]...});
    if constexpr (__is_same(typename V::layout_type, row_major))
      return std::mdspan<typename V::element_type, extents>(v.data(), e);
    else {
      const auto strides = v.strides();
      // The standard's strides are positive; one of an axis of a single element is never used.
      std::array<index, sizeof...(At)> at{};
      for (int i = 0; i < S::axes_count; ++i) {
        require_no_negative_stride("as_mdspan", v.shape()[i] > 1 ? strides[i] : 1);
        at[static_cast<std::size_t>(i)] = v.shape()[i] > 1 ? strides[i] : 1;
        if (at[static_cast<std::size_t>(i)] == 0)
          throw_not_representable("as_mdspan", "std::layout_stride has no stride of 0; copy the view first");
      }
      return std::mdspan<typename V::element_type, extents, std::layout_stride>(
          v.data(), std::layout_stride::mapping<extents>(e, at));
    }
  }
};

}  // namespace detail

// A view or a tensor as std::mdspan of the same elements: of layout_right where it is contiguous by its type, of
// layout_stride else. Static extents stay static. Throws shape_error for a stride that layout_stride has not.
inline constexpr struct as_mdspan_t {
  template <detail::borrowed_array A>
  constexpr auto operator()(A&& a) const {
    using V = detail::node_of<A>;
    return detail::as_mdspan_f<V, detail::make_sequence<V::shape_type::axes_count>>::of(
        detail::as_node(static_cast<A&&>(a)));
  }
  template <array A>
    requires(!detail::borrowed_array<A>)
  auto operator()(A&&) const = delete;
} as_mdspan{};

#endif

}  // namespace broadloom
