// Views of memory that the caller owns.
#pragma once

#include <broadloom/core/throw_error.hpp>
#include <broadloom/shape/braced.hpp>
#include <broadloom/tensor/containers.hpp>
#include <broadloom/tensor/eval.hpp>

namespace broadloom {

namespace errors_md {
// adopt(v, shape) of an lvalue, from(v, shape) of a temporary
struct write_adopt_of_std_move_v_or_from_v_to_look_at_it;
}  // namespace errors_md

namespace detail {

[[noreturn, gnu::cold, gnu::noinline]] inline void throw_too_few_elements(index given, const index* extents,
                                                                          index rank) {
  throw_error(error_kind::too_few_elements, {given, extents, rank});
}

template <class C>
inline constexpr bool is_any_span = is_span<std::remove_cvref_t<C>>;
template <class C>
inline constexpr bool holds_elements =
    is_any_span<C> || (contiguous_container<C> && (!array<C> || number_container<C>));
template <class C>
inline constexpr bool outlives_the_call = std::is_reference_v<C> || is_any_span<C>;
template <class C, class... N>
inline constexpr bool from_numbers =
    (sizeof...(N) > 0) && (integer_like<N> && ...) && (holds_elements<C> || std::is_pointer_v<std::decay_t<C>>);

}  // namespace detail

// from(pointer, shape), from(span, shape), from(container, shape): a row-major view of the caller's memory, which must
// outlive it; the shape may be in braces, or numbers, from(v, 2, 3); a container is what has data() and size(), as
// std::vector. Throws shape_error when it holds fewer elements than the shape has. An rvalue container is refused.
// from(array): a view of an array of another library with its own shape, strides and constness: of a container, and of
// what the headers in interop/ know. An rvalue that owns its elements is refused.
inline constexpr struct from_t : detail::refuses_other_arguments<from_t> {
  static constexpr detail::text call{"from(v, {n, m})"};
  using detail::refuses_other_arguments<from_t>::operator();
  template <class T, shape_type S>
  constexpr auto operator()(T* data BROADLOOM_LIFETIMEBOUND, const S& s) const {
    detail::check_count("from", s, sizeof(T));
    return view<T, S, row_major>(data, s);
  }
  template <class C, int R>
  constexpr auto operator()(C&& data, detail::braced_extents<R> s) const {
    return (*this)(static_cast<C&&>(data), detail::braced_shape<R>(s));
  }
  // (enable_if: of a constraint compilers say more when they list what did not fit.)
  template <class C, shape_type S, class = std::enable_if_t<detail::holds_elements<C> && detail::outlives_the_call<C>>>
  constexpr auto operator()(C&& data, const S& s) const {
    return checked(data.data(), static_cast<index>(data.size()), s);
  }
#if defined(__clang__)
  // Of containers and arrays with names.
  template <class C, shape_type S>
    requires(detail::holds_elements<C&> && !detail::is_any_span<C>)
  constexpr auto operator()(C& data BROADLOOM_LIFETIMEBOUND, const S& s) const {
    return checked(data.data(), static_cast<index>(data.size()), s);
  }
  template <class C, int R>
    requires(detail::holds_elements<C&> && !detail::is_any_span<C>)
  constexpr auto operator()(C& data BROADLOOM_LIFETIMEBOUND, detail::braced_extents<R> s) const {
    return (*this)(data, detail::braced_shape<R>(s));
  }
  template <class C, detail::integer_like... N>
    requires(sizeof...(N) > 0 && detail::holds_elements<C&> && !detail::is_any_span<C> && !detail::scattered_rows<C>)
  constexpr auto operator()(C& data BROADLOOM_LIFETIMEBOUND, N... n) const {
    return (*this)(data, make_shape(n...));
  }
  template <detail::referred A>
    requires detail::borrowed_array<A&>
  constexpr auto operator()(A& a BROADLOOM_LIFETIMEBOUND) const {
    return detail::as_node(a);
  }
#endif
  template <class C, shape_type S, class Error = errors_md::write_adopt_of_std_move_v_or_from_v_to_look_at_it>
    requires(detail::holds_elements<C> && !detail::outlives_the_call<C>)
  Error operator()(C&&, const S&) const BROADLOOM_REFUSED;
  template <class C, class Error = errors_md::write_adopt_of_std_move_v_or_from_v_to_look_at_it>
    requires(detail::holds_elements<C> && !detail::outlives_the_call<C>)
  Error operator()(C&&) const BROADLOOM_REFUSED;
  template <class C, class... N, class = std::enable_if_t<detail::from_numbers<C, N...>>>
  constexpr auto operator()(C&& data, N... n) const {
    constexpr bool rows = detail::scattered_rows<C>;
    static_assert(
        !rows, "vectors in a vector are no array: dtensor<T, R>(v) [errors.md#write_dtensor_T_R_v_as_v_is_no_array]");
    if constexpr (rows)
      return make_shape(n...);
    else
      return (*this)(static_cast<C&&>(data), make_shape(n...));
  }
  template <detail::borrowed_array A>
  constexpr auto operator()(A&& a) const {
    return detail::as_node(static_cast<A&&>(a));
  }

 private:
  template <class T, class S>
  static constexpr auto checked(T* data, index n, const S& s) {
    detail::check_count("from", s, sizeof(T));
    if (n < s.size()) {
      const auto x = s.extents();
      detail::throw_too_few_elements(n, x.v, x.count);
    }
    return view<T, S, row_major>(data, s);
  }
} from{};

}  // namespace broadloom
