// Whether arrays are equal or close as a whole: allclose, array_equal; and the smallest and largest element together:
// aminmax, ptp.
#pragma once

#include <broadloom/eval/assign_all.hpp>
#include <broadloom/reduce/sums.hpp>
#include <broadloom/tensor/deduced.hpp>
#include <broadloom/tensor/tensor.hpp>

namespace broadloom {

// allclose(x, y, rtol = 1e-5, atol = 1e-8[, equal_nan{}]): whether isclose holds of all elements, which broadcast
// together. Rank 0, bool, lazy; true of no elements (NumPy's and PyTorch's allclose).
inline constexpr struct allclose_t {
  template <operand A, operand B, class... T>
    requires detail::any_array<A, B> && requires(A&& x, B&& y, T... t) { isclose(x, y, t...).shape(); }
  constexpr auto operator()(A&& x, B&& y, T... tolerances) const {
    return detail::reduce_function<detail::all_r>{}(isclose(static_cast<A&&>(x), static_cast<B&&>(y), tolerances...));
  }
} allclose{};

// array_equal(x, y[, equal_nan{}]): whether both have the same shape and equal elements; a bool. Arrays of other shapes
// are not equal, and nothing is thrown (NumPy's array_equal, PyTorch's equal).
inline constexpr struct array_equal_t {
  template <array A, array B, class... Nan>
    requires(sizeof...(Nan) <= 1 && (__is_same(Nan, equal_nan) && ...))
  constexpr bool operator()(A&& x, B&& y, Nan...) const {
    using a_shape = detail::shape_of<detail::node_of<A>>;
    using b_shape = detail::shape_of<detail::node_of<B>>;
    if constexpr (may_be_equal<a_shape, b_shape>()) {
      const auto a = detail::capture(static_cast<A&&>(x));
      const auto b = detail::capture(static_cast<B&&>(y));
      if (!(a.shape() == b.shape())) return false;
      if constexpr (sizeof...(Nan) == 0)
        return all_of(eq(a, b));
      else
        return all_of(logical_or(eq(a, b), logical_and(ne(a, a), ne(b, b))));
    } else
      return false;
  }

 private:
  template <class S, class T>
  static constexpr bool may_be_equal() {
    if constexpr (S::axes_count != T::axes_count)
      return false;
    else {
      for (int a = 0; a < S::axes_count; ++a) {
        const index n = S::static_extents[a], m = T::static_extents[a];
        if (n != dyn && m != dyn && n != m) return false;
      }
      return true;
    }
  }
  template <class E>
  static constexpr bool all_of(const E& e) {
    return dtensor<bool, detail::rank_for<0, E>>(detail::reduce_function<detail::all_r>{}(e)).item();
  }
} array_equal{};

// The smallest and the largest elements.
template <class Min, class Max>
struct min_and_max {
  Min min;
  Max max;
};

// aminmax(x, axes ..., keepdim): {amin(x, ...), amax(x, ...)}, both evaluated in one pass over x. Throws shape_error
// for no elements (PyTorch's aminmax, which takes one axis).
inline constexpr struct aminmax_t : detail::takes_axis_names<aminmax_t, detail::names_keepdim<aminmax_t>> {
  static constexpr detail::text call{"aminmax(x, axis, keepdim)"};
  using takes_axis_names::operator();
  template <array A, class... O>
    requires(detail::is_reduce_option<O> && ...)
  constexpr auto operator()(A&& a, const O&... o) const {
    const auto x = detail::shared_tree(detail::capture(static_cast<A&&>(a)));
    const auto low = amin(x, o...);
    const auto high = amax(x, o...);
    using node = std::remove_const_t<decltype(low)>;
    using result = detail::deduced_tensor<detail::value_of<node>, detail::shape_of<node>>;
    min_and_max<result, result> r{result::uninitialised(low.shape()), result::uninitialised(high.shape())};
    assign_all(to(r.min, low), to(r.max, high));
    return r;
  }
} aminmax{};

// ptp(x, axes ..., keepdim): the largest element minus the smallest one (NumPy's ptp). Lazy.
inline constexpr struct ptp_t : detail::takes_axis_names<ptp_t, detail::names_keepdim<ptp_t>> {
  static constexpr detail::text call{"ptp(x, axis, keepdim)"};
  using takes_axis_names::operator();
  template <array A, class... O>
    requires(detail::is_reduce_option<O> && ...)
  constexpr auto operator()(A&& a, const O&... o) const {
    const auto x = detail::shared_tree(detail::capture(static_cast<A&&>(a)));
    return let(sub(amax(x, o...), amin(x, o...)));
  }
} ptp{};

}  // namespace broadloom
