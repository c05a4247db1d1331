// Arrays without memory: iota, lazy_full, lazy_linspace. They are leaves of a tree, held by value, whose elements the
// loop that reads them computes; so are their views.
#pragma once

#include <broadloom/expr/ramp.hpp>
#include <broadloom/fn/composite.hpp>
#include <broadloom/shape/braced.hpp>

namespace broadloom {

// iota<T>(n, start = 0, step = 1): element i is start + i * step, as in arange, for i in [0, n). n may be a constant:
// iota<int>(3_c) has shape<3>. Of integers both wrap around. Throws shape_error for a negative n.
template <element T>
  requires(!__is_same(T, bool))
struct iota_t {
  template <detail::integer_like N>
  constexpr auto operator()(N n) const {
    return detail::ramp<T>(make_shape(n));
  }
  template <detail::integer_like N>
  constexpr auto operator()(N n, detail::arithmetic_type<T> start) const {
    return detail::argument<T>(add(detail::ramp<detail::arithmetic_type<T>>(make_shape(n)), start));
  }
  template <detail::integer_like N>
  constexpr auto operator()(N n, detail::arithmetic_type<T> start, detail::arithmetic_type<T> step) const {
    return detail::argument<T>(add(mul(detail::ramp<detail::arithmetic_type<T>>(make_shape(n)), step), start));
  }
};
template <element T>
  requires(!__is_same(T, bool))
inline constexpr iota_t<T> iota{};

// lazy_full(shape, x), lazy_full<T>(shape, x), lazy_full({extents...}, x): every element x, as in full.
template <class T = void, shape_type S, class X>
constexpr auto lazy_full(const S& s, X x) {
  using to = std::conditional_t<std::is_void_v<T>, X, T>;
  return expand(inline_array<to, 1, shape<>, row_major>({{static_cast<to>(x)}}, 0, {}, {}), s);
}
template <class T = void, int R, class X>
constexpr auto lazy_full(detail::braced_extents<R> s, X x) {
  return lazy_full<T>(detail::braced_shape<R>(s), x);
}

// lazy_linspace<T>(start, stop, n): the elements of linspace<T>(start, stop, n). n may be a constant.
template <detail::floating_element T>
struct lazy_linspace_t {
  template <detail::integer_like N>
  constexpr auto operator()(detail::arithmetic_type<T> start, detail::arithmetic_type<T> stop, N n) const {
    using number = detail::arithmetic_type<T>;
    const auto up = detail::ramp<number>(make_shape(n));
    const auto down = flip(up, boost::hana::integral_constant<index, 0>{});
    const auto count = static_cast<index>(n);
    const number step = count > 1 ? (stop - start) / static_cast<number>(count - 1) : number(0);
    return detail::argument<T>(
        where(lt(up, down), add(mul(up, step), start), sub(count > 1 ? stop : start, mul(down, step))));
  }
};
template <detail::floating_element T>
inline constexpr lazy_linspace_t<T> lazy_linspace{};

}  // namespace broadloom
