// Reductions that leave NaN out: nansum, nanprod, nanmean, nanvar, nanstd. Each is the expression it is defined by.
// Integers have no NaN and are reduced as they are. nanmax and nanmin are in plan/reductions.def.
#pragma once

#include <broadloom/reduce/statistics.hpp>

#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wpsabi"
#endif

namespace broadloom {

namespace detail {

template <class E>
inline constexpr bool may_have_nan = is_floating(dtype_of<value_of<E>>) || is_complex(dtype_of<value_of<E>>);

// x, or a number where it is NaN: reads x once.
template <int Instead>
struct without_nan_f : lane_function {
  static constexpr const char* name() { return "where"; }
  template <class T>
  using result = T;
  template <class V>
  BROADLOOM_INLINE static constexpr V on(const V& x) {
    return lanes::select(lanes::unequal(x, x), lanes::each<V>(Instead), x);
  }
};

// The tree with a number where it is NaN.
template <int Instead = 0, class E>
constexpr auto without_nan(const E& e) {
  if constexpr (may_have_nan<E> && !is_half_type<value_of<E>>)
    return make_map(without_nan_f<Instead>{}, e);
  else if constexpr (may_have_nan<E>)
    return where(ne(e, e), static_cast<value_of<E>>(static_cast<float>(Instead)), e);
  else
    return e;
}

template <class Function>
struct nan_sum : takes_axis_names<nan_sum<Function>, names_keepdim<nan_sum<Function>>> {
  static constexpr text call{"f(x, axis, keepdim)"};
  using takes_axis_names<nan_sum, names_keepdim<nan_sum>>::operator();
  template <array A, class... O>
    requires(is_reduce_option<O> && ...)
  constexpr auto operator()(A&& a, const O&... o) const {
    constexpr int identity = __is_same(Function, reduce_function<prod_r>) ? 1 : 0;
    return Function{}(without_nan<identity>(shared_tree(capture(static_cast<A&&>(a)))), o...);
  }
};

}  // namespace detail

// nansum(x, ...), nanprod(x, ...): sum and prod with 0 and 1 in place of NaN (PyTorch's nansum, NumPy's nanprod).
// Options are those of sum.
inline constexpr detail::nan_sum<detail::reduce_function<detail::sum_r>> nansum{};
inline constexpr detail::nan_sum<detail::reduce_function<detail::prod_r>> nanprod{};

namespace detail {

template <array A, class... O>
constexpr auto nan_mean_of(A&& a, const O&... o) {
  const auto x = shared_tree(argument<floating_option<A, O...>>(static_cast<A&&>(a)));
  return let(div(sum(without_nan(x), o...), sum(argument<real_of<value_of<decltype(x)>>>(eq(x, x)), o...)));
}

}  // namespace detail

// nanmean(x, ...): the mean of elements that are not NaN; NaN of none. A floating array, or of_type<float> (PyTorch's
// and NumPy's nanmean).
inline constexpr struct nanmean_t : detail::takes_axis_names<nanmean_t, detail::names_keepdim<nanmean_t>> {
  static constexpr detail::text call{"nanmean(x, axis, keepdim)"};
  using takes_axis_names::operator();
  template <array A, class... O>
    requires(detail::is_reduce_option<O> && ...) && detail::is_floating_reduction<A, O...>
  constexpr auto operator()(A&& a, const O&... o) const {
    if constexpr (detail::is_half_reduction<A, O...>)
      return detail::reduced_as_f32(*this, static_cast<A&&>(a), o...);
    else
      return detail::nan_mean_of(static_cast<A&&>(a), o...);
  }
  template <array A, class... O,
            class Error = errors_md::mean_needs_a_floating_type_write_of_type_double<
                detail::mean_text, detail::value_of<detail::node_of<A>>>>
    requires(detail::is_reduce_option<O> && ...) && (!detail::is_floating_reduction<A, O...>)
  Error operator()(A&&, const O&...) const = delete;
} nanmean{};

// nanvar(x, ..., correction{1}), nanstd: the variance and the standard deviation of elements that are not NaN, in two
// passes; NaN where there are no more of them than the correction (NumPy's nanvar, whose correction is 0).
inline constexpr struct nanvar_t : detail::takes_axis_names<nanvar_t, detail::names_keepdim<nanvar_t>> {
  static constexpr detail::text call{"nanvar(x, axis, keepdim)"};
  using takes_axis_names::operator();
  template <array A, class... O>
    requires(detail::statistic_option<O> && ...) && detail::is_floating_reduction<A, O...>
  constexpr auto operator()(A&& a, const O&... o) const {
    if constexpr (detail::is_half_reduction<A, O...>)
      return detail::reduced_as_f32(*this, static_cast<A&&>(a), o...);
    else {
      const auto x = detail::floating_argument<A, O...>(static_cast<A&&>(a));
      using T = detail::value_of<decltype(x)>;
      const double c = detail::correction_among(o...);
      return detail::without_correction(
          [&](const auto&... r) {
            const auto there = eq(x, x);
            const auto centre = detail::nan_mean_of(x, r..., keepdim);
            const auto squares = sum(where(there, square(sub(x, centre)), T(0)), r...);
            const auto n = sub(sum(detail::argument<T>(there), r...), c);
            return let(div(squares, where(gt(n, T(0)), n, static_cast<T>(__builtin_nan("")))));
          },
          o...);
    }
  }
} nanvar{};
inline constexpr struct nanstd_t : detail::takes_axis_names<nanstd_t, detail::names_keepdim<nanstd_t>> {
  static constexpr detail::text call{"nanstd(x, axis, keepdim)"};
  using takes_axis_names::operator();
  template <array A, class... O>
    requires(detail::statistic_option<O> && ...) && detail::is_floating_reduction<A, O...>
  constexpr auto operator()(A&& a, const O&... o) const {
    if constexpr (detail::is_half_reduction<A, O...>)
      return detail::reduced_as_f32(*this, static_cast<A&&>(a), o...);
    else
      return let(sqrt(nanvar(static_cast<A&&>(a), o...)));
  }
} nanstd{};

}  // namespace broadloom

#if defined(__clang__)
#pragma clang diagnostic pop
#endif
