// The length of a vector and the distance of two: norm, dist. Each is the expression it is defined by.
#pragma once

#include <broadloom/core/throw_error.hpp>
#include <broadloom/reduce/norm_range.hpp>
#include <broadloom/reduce/statistics.hpp>

namespace broadloom {

namespace errors_md {
// norm(x, "fro"), norm(x, "nuc")
struct write_matrix_norm_x_frobenius_or_x_nuclear;
}  // namespace errors_md

namespace detail {

inline constexpr text norm_text{
    "norm(): input dtype should be either floating point or complex; of_type<float> asks for one"};

[[noreturn, gnu::cold, gnu::noinline]] inline void throw_no_norm(double order, const index* extents, index rank,
                                                                 unsigned bits, bool all) {
  throw_error(error_kind::no_norm, {order, extents, rank, bits, all});
}

template <class T>
inline constexpr bool is_norm_order = std::is_arithmetic_v<T> || constant<T>;
template <class T>
concept norm_order = is_norm_order<T>;
template <class... O>
inline constexpr bool begins_with_order = false;
template <norm_order P, class... O>
inline constexpr bool begins_with_order<P, O...> = true;

template <class... O>
inline constexpr bool names_a_norm = (std::is_convertible_v<O, const char*> || ...);
template <class A, class... O>
using norm_error = std::conditional_t<names_a_norm<O...>, errors_md::write_matrix_norm_x_frobenius_or_x_nuclear,
                                      errors_md::needs_a_floating_type<norm_text, value_of<node_of<A>>>>;

// The way elements are combined depends on the order of the norm, which is known at run time. So do its terms: the
// orders 1, 2 and the infinite ones need no power, and are computed as those of a constant order.
struct norm_r : reduce_op {
  template <class Shape, class X, class T>
  using product_terms = map<norm_product_f, Shape, X, scalar<T>>;
  template <class Shape, class X, class T>
  static bool needs_no_power(const map<norm_term_f, Shape, X, scalar<T>>& e) {
    const T order = e.template arg<1>().value();
    return order == 1 || order == 2;
  }
  template <int Native, class Shape, class X, class T>
  static T whole_without_power(const map<norm_term_f, Shape, X, scalar<T>>& e, runtime::reduction by,
                               const runtime::options& o) {
    const product_terms<Shape, X, T> terms(norm_product_f{}, e.shape(), e.template arg<0>(), e.template arg<1>());
    return by == runtime::reduction::sum ? reduce_unplanned<sum_r, T, Native>(terms, e.shape(), by, o)
                                         : reduce_unplanned<norm_r, T, Native>(terms, e.shape(), by, o);
  }
  template <int Native, class Shape, class X, class T>
  static void describe_without_power(const map<norm_term_f, Shape, X, scalar<T>>&, runtime::source& to) {
    using program = typename program_of<product_terms<Shape, X, T>, T>::type;
    to.code = &program_code<program, Native, false>::value;
    if (to.how == runtime::reduction::sum) to.rows = row_reduce_loop_of<sum_r, program, Native>;
  }
  static constexpr runtime::reduction how = runtime::reduction::sum;
  static constexpr const char* name() { return "norm"; }
  template <class T, class Get>
  static constexpr T one(index n, const Get& get, runtime::reduction by) {
    return by == runtime::reduction::amax   ? combine<amax_r, T>(n, get)
           : by == runtime::reduction::amin ? combine<amin_r, T>(n, get)
           : by == runtime::reduction::sum  ? combine<sum_r, T>(n, get)
                                            : compensated_r::one<T>(n, get);
  }
};

}  // namespace detail

// norm(x, p, axes ...): the p-norm (sum |x|^p)^(1/p), also where that sum leaves the range and the norm does not. p is
// 2 unless given: a constant (2_c, 1_c, 0_c), for which the plain expression is used, or a number, also below 0, inf
// and -inf among them (the largest and the smallest |x|); 0 counts the elements that are not 0. An integer after x is
// p, as in PyTorch; axes follow. A floating array, or of_type<float>. Throws shape_error for an infinite p, or one
// below 0, and no elements.
inline constexpr struct norm_t : detail::takes_axis_names<norm_t, detail::names_keepdim<norm_t, false>> {
  static constexpr detail::text call{"norm(x, p, axis, keepdim)"};
  using takes_axis_names::operator();
#if defined(__clang__)
  template <detail::referred A, detail::norm_order P, class... O>
    requires(detail::is_reduce_option<O> && ...) && detail::is_floating_reduction<A&, O...>
  constexpr auto operator()(A& a BROADLOOM_LIFETIMEBOUND, P p, const O&... o) const {
    return (*this)(detail::capture(a), p, o...);
  }
  template <detail::referred A, class... O>
    requires(detail::is_reduce_option<O> && ...) &&
            (!detail::begins_with_order<O...>) && detail::is_floating_reduction<A&, O...>
  constexpr auto operator()(A& a BROADLOOM_LIFETIMEBOUND, const O&... o) const {
    return (*this)(detail::capture(a), o...);
  }
#endif
  template <array A, detail::norm_order P, class... O>
    requires(detail::is_reduce_option<O> && ...) && detail::is_floating_reduction<A, O...>
  constexpr auto operator()(A&& a, P p, const O&... o) const {
    auto x = detail::argument<detail::floating_option<A, O...>>(static_cast<A&&>(a));
    static_cast<void>(detail::reduced_axes<detail::rank_of<decltype(x)>>("norm", o...));  // names the call
    if constexpr (detail::is_complex_type<detail::value_of<decltype(x)>>)
      return (*this)(abs(x), p, detail::real_option(o)...);
    else if constexpr (detail::is_half_reduction<A, O...>)
      return detail::rounded_to<detail::value_of<decltype(x)>>(
          (*this)(detail::argument<float>(x), p, detail::f32_option(o)...));
    else if constexpr (std::is_void_v<typename detail::accumulator_option<O...>::type>)
      return of_order(x, p, o...);
    else {
      auto wide = detail::argument<typename detail::accumulator_option<O...>::type>(x);
      return cast<detail::value_of<decltype(x)>>(of_order(wide, p, o...));
    }
  }
  template <array A, class... O>
    requires(detail::is_reduce_option<O> && ...) &&
            (!detail::begins_with_order<O...>) && detail::is_floating_reduction<A, O...>
  constexpr auto operator()(A&& a, const O&... o) const {
    return (*this)(static_cast<A&&>(a), std::integral_constant<int, 2>{}, o...);
  }
  template <array A, detail::norm_order P, int R, class... O>
    requires(detail::is_reduce_option<O> && ...) && detail::is_floating_reduction<A, O...>
  constexpr auto operator()(A&& a, P p, detail::braced_extents<R> axes, const O&... o) const {
    return (*this)(static_cast<A&&>(a), p, detail::braced_axes<R>(axes), o...);
  }
  template <array A, class... O, class Error = detail::norm_error<A, O...>>
    requires(detail::names_a_norm<O...> || !detail::is_floating_reduction<A, O...>)
  Error operator()(A&&, const O&...) const BROADLOOM_REFUSED;

 private:
  friend struct dist_t;
  template <class E, class P, class... O>
  static constexpr auto of_order(const E& x, P p, const O&... o) {
    if constexpr (detail::constant<P>) {
      constexpr index n = P::value;
      if constexpr (n == 2)
        return detail::make_map(detail::norm_root_f{},
                                detail::reduce_function<detail::norm_squares_r>{}(square(x), o...));
      else if constexpr (n == 1)
        return sum(abs(x), o...);
      else if constexpr (n == 0)
        return cast<detail::value_of<E>>(sum(detail::argument<bool>(x), o...));
      else {
        if constexpr (n < 0) check_order(x, static_cast<double>(n), o...);
        return detail::norm_power(
            detail::reduce_function<detail::norm_squares_r>{}(pow(abs(x), static_cast<double>(n)), o...),
            1.0 / static_cast<double>(n));
      }
    } else {
      const double order = static_cast<double>(p);
      if (order < 0 || order - order != 0) check_order(x, order, o...);
      return of_any_order(x, order, o...);
    }
  }
  template <class E, class... O>
  static constexpr void check_order(const E& x, double order, const O&... o) {
    constexpr int rank = detail::rank_of<E>;
    if (order == order && detail::reduced_count("norm", x.shape(), o...) == 0)
      detail::throw_no_norm(order, x.shape().extents().v, rank, detail::reduced_axes<rank>("norm", o...).bits(),
                            !(detail::names_axes<O> || ...));
  }
  // One type for every p: infinite ones take a minimum or maximum of |x|^1, 0 of no elements.
  template <class E, class... O>
  static constexpr auto of_any_order(const E& x, double order, const O&... o) {
    const double infinite = __builtin_huge_val();
    const bool extreme = order == infinite || order == -infinite;
    const auto by = order == infinite              ? runtime::reduction::amax
                    : order == -infinite           ? runtime::reduction::amin
                    : detail::is_compensated<O...> ? runtime::reduction::compensated_sum
                                                   : runtime::reduction::sum;
    const bool no_terms = detail::reduced_count("norm", x.shape(), o...) == 0;
    using T = detail::value_of<E>;
    auto term = detail::make_map(detail::norm_term_f{}, abs(x), scalar<T>(static_cast<T>(extreme ? 1.0 : order)));
    return detail::norm_power(detail::make_reduced_by<detail::checked_norm<detail::norm_r>>(by, term, o...),
                              extreme || no_terms || order == 0 ? 1.0 : 1.0 / order);
  }
} norm{};

namespace detail {

template <class A, class B>
concept floating_difference = callable_with<sub_f, A, B> && any_array<A, B> && requires(A a, B b) {
  requires is_floating_reduction<decltype(sub(static_cast<A>(a), static_cast<B>(b)))>;
};

}  // namespace detail

// dist(a, b, p) = norm(a - b, p), over all elements of their common shape; p is 2 unless given; 0 of no elements for
// every p. One of the two is floating.
inline constexpr struct dist_t {
  template <operand A, operand B>
    requires detail::floating_difference<A&&, B&&>
  constexpr auto operator()(A&& a, B&& b) const {
    return norm(sub(static_cast<A&&>(a), static_cast<B&&>(b)));
  }
  template <operand A, operand B, detail::norm_order P>
    requires detail::floating_difference<A&&, B&&>
  constexpr auto operator()(A&& a, B&& b, P p) const {
    auto x = sub(static_cast<A&&>(a), static_cast<B&&>(b));
    using T = detail::value_of<decltype(x)>;
    if constexpr (detail::is_half_type<T>)
      return detail::rounded_to<T>((*this)(detail::argument<float>(x), 0, p));
    else if constexpr (detail::constant<P>) {
      if constexpr (P::value >= 0)
        return norm(x, p);
      else
        return norm_t::of_any_order(x, static_cast<double>(P::value));
    } else
      return norm_t::of_any_order(x, static_cast<double>(p));
  }
  template <operand A, operand B, class... P, class Error = detail::call_error<detail::sub_f, A, B>>
    requires detail::any_array<A, B> && (!detail::callable_with<detail::sub_f, A, B>)
  Error operator()(A&&, B&&, P...) const BROADLOOM_REFUSED;
  template <operand A, operand B, class... P, class Error = errors_md::needs_a_floating_type<detail::norm_text, A>>
    requires detail::callable_with<detail::sub_f, A, B> && (!detail::floating_difference<A &&, B &&>)
  Error operator()(A&&, B&&, P...) const BROADLOOM_REFUSED;
} dist{};

}  // namespace broadloom
