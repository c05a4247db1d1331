// Reductions: sum, prod, amax, amin, any, all, argmax, argmin, count_nonzero. Lazy: a reduction is an operand of the
// expression it stands in, and its own operand is any expression, computed in the same pass.
#pragma once

#include <broadloom/fn/composite.hpp>
#include <broadloom/reduce/compensated.hpp>

#include <broadloom/fn/held_calls.hpp>

#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wpsabi"
#endif

namespace broadloom {

namespace detail {

// What a reduction of elements of type T is computed in and gives: `result` of the type the elements are converted to.
struct reduce_op {
  static constexpr bool has_empty = true;
  template <class T>
  using result = T;
};

// bool and narrow integers are summed in i64.
template <class T>
using sum_type = std::conditional_t<is_integer(dtype_of<T>) || dtype_of<T> == dtype::b8,
                                    std::conditional_t<__is_same(T, std::uint64_t), std::uint64_t, std::int64_t>, T>;

// What a line of plan/reductions.def is computed in.
template <class T>
using reduced_in_sums = sum_type<T>;
template <class T>
using reduced_in_own = T;
template <class>
using reduced_in_truth = bool;

}  // namespace detail

namespace lanes {

// A line of plan/reductions.def.
template <runtime::reduction How>
struct reduction_line;
inline constexpr int refused = -1;
#define BROADLOOM_REDUCTION(NAME, TYPES, OF_NONE, IDENTITY, FORMULA) \
  template <>                                                        \
  struct reduction_line<runtime::reduction::NAME> {                  \
    static constexpr const char* name = #NAME;                       \
    static constexpr int of_none = OF_NONE;                          \
    template <class T>                                               \
    using compute = detail::reduced_in_##TYPES<T>;                   \
    template <class V>                                               \
    BROADLOOM_INLINE static constexpr V on(const V& x, const V& y) { \
      return static_cast<V>(FORMULA);                                \
    }                                                                \
  };
#include <broadloom/plan/reductions.def>

}  // namespace lanes

namespace detail {

// Elements combined two by two.
template <runtime::reduction How>
struct combining : reduce_op {
  using line = lanes::reduction_line<How>;
  static constexpr bool has_empty = line::of_none != lanes::refused;
  static constexpr bool combines_two = true;
  static constexpr bool is_truth = __is_same(typename line::template compute<int>, bool);
  static constexpr runtime::reduction how = How;
  static constexpr const char* name() { return line::name; }
  template <class T>
  using compute = typename line::template compute<T>;
  template <class T>
  static constexpr T empty() {
    return static_cast<T>(line::of_none);
  }
  template <class V>
  BROADLOOM_INLINE static constexpr V on(const V& x, const V& y) {
    return line::on(x, y);
  }
  template <class T, class Get>
  static constexpr T one(index n, const Get& get) {
    return combine<combining, T>(n, get);
  }
};
using sum_r = combining<runtime::reduction::sum>;
using prod_r = combining<runtime::reduction::prod>;
using amax_r = combining<runtime::reduction::amax>;
using amin_r = combining<runtime::reduction::amin>;
using any_r = combining<runtime::reduction::any>;
using all_r = combining<runtime::reduction::all>;

// The first of equal minima or maxima; NaN before everything.
template <runtime::reduction How>
struct position_op : reduce_op {
  static constexpr bool has_empty = false;
  static constexpr bool largest = How == runtime::reduction::arg_maximum;
  static constexpr runtime::reduction how = How;
  static constexpr const char* name() { return largest ? "argmax" : "argmin"; }
  template <class T>
  using compute = T;
  template <class>
  using result = std::int64_t;
  template <class T, class Get>
  static constexpr std::int64_t one(index n, const Get& get) {
    std::int64_t at = 0;
    T best = get(0);
    for (index i = 1; i < n && best == best; ++i) {
      const T x = get(i);
      if (x == x && !(largest ? best < x : x < best)) continue;
      best = x;
      at = i;
    }
    return at;
  }
};
using argmax_r = position_op<runtime::reduction::arg_maximum>;
using argmin_r = position_op<runtime::reduction::arg_minimum>;

// Bool and truth: an array converted to what Op is computed in.
template <class Op, class A, class... O>
constexpr auto reduce_argument(A&& a) {
  using own = value_of<node_of<A>>;
  using asked = typename type_option<typename Op::template compute<own>, O...>::type;
  return argument<asked>(static_cast<A&&>(a));
}

// Whether Op can do what the options ask for: only sums have errors to keep.
template <class Op, class... O>
inline constexpr bool may_be_compensated = !is_compensated<O...> || std::is_base_of_v<sum_r, Op>;

template <class Op>
struct reduce_function;
// Reductions of own elements, and of trees that read them: reduce/own_types.hpp.
template <class Op, class E>
struct own_reduction;
template <class Op, class T>
inline constexpr bool refuses_own = false;
template <class Op, own_element T>
inline constexpr bool refuses_own<Op, T> = !own_reduction<Op, scalar<T>>::ok;
template <class Op, class A, class... O>
using reduced_from = typename type_option<typename Op::template compute<value_of<node_of<A>>>, O...>::type;
template <class Op, class A, class... O>
inline constexpr bool may_be_reduced = true;  // what is no array is refused as such
template <class Op, array A, class... O>
inline constexpr bool may_be_reduced<Op, A, O...> =
    may_be_compensated<Op, O...> && !refuses_own<Op, reduced_from<Op, A, O...>>;
template <class Op, class A, class... O>
using reduction_error =
    std::conditional_t<may_be_compensated<Op, O...>,
                       errors_md::not_defined_for_these_element_types<label_of<Op>, value_of<node_of<A>>>,
                       errors_md::only_sums_are_compensated<reduce_function<Op>>>;

// Sums and products of complex numbers: reduce/complex.hpp.
template <class Op, class E>
struct complex_reduction;
template <class Op, class E>
inline constexpr bool is_complex_reduction =
    (__is_same(Op, sum_r) || __is_same(Op, prod_r)) && is_complex(dtype_of<value_of<E>>);
// What accumulate_in<T> means for elements of type E: of complex ones, that their parts are T.
template <class E, class T>
using accumulator_of = std::conditional_t<is_complex_type<E> && std::is_floating_point_v<T>, std::complex<T>, T>;

template <class Op>
struct reduce_function : takes_axis_names<reduce_function<Op>, names_keepdim<reduce_function<Op>>> {
  static constexpr text call{"f(x, axis, keepdim)"};
  using takes_axis_names<reduce_function, names_keepdim<reduce_function>>::operator();
#if defined(__clang__)
  template <referred A, class... O>
    requires(is_reduce_option<O> && ...) && may_be_reduced<Op, A&, O...>
  constexpr auto operator()(A& a BROADLOOM_LIFETIMEBOUND, const O&... o) const {
    return given<A&>(a, o...);
  }
  template <held_by_value A, class... O>
    requires(array<A> && (is_reduce_option<O> && ...)) && may_be_reduced<Op, A, O...>
  constexpr auto operator()(A a BROADLOOM_LIFETIMEBOUND, const O&... o) const {
    return given<A>(static_cast<A&&>(a), o...);
  }
#endif
  template <array A, class... O>
    requires held_otherwise<A> && (is_reduce_option<O> && ...) && may_be_reduced<Op, A, O...>
  constexpr auto operator()(A&& a, const O&... o) const {
    return given<A>(static_cast<A&&>(a), o...);
  }
  template <array A, class... O,
            class Error = std::enable_if_t<(is_reduce_option<O> && ...) && !may_be_reduced<Op, A, O...>,
                                           reduction_error<Op, A, O...>>>
  Error operator()(A&&, const O&...) const BROADLOOM_REFUSED;

 private:
  template <class A, class... O>
  static constexpr auto given(A&& a, const O&... o) {
    using wide = typename accumulator_option<O...>::type;
    auto x = reduce_argument<Op, A, O...>(static_cast<A&&>(a));
    using narrow = value_of<decltype(x)>;
    using added = accumulator_of<narrow, std::conditional_t<std::is_void_v<wide>, narrow, wide>>;
    // of_type<int>: there are no kernels of narrow integers, so these are added up in i64, and the sum is cut to an
    // int.
    using computed = typename Op::template compute<added>;
    if constexpr (is_half_type<narrow> && (std::is_void_v<wide> || is_half_type<wide>))
      return rounded_to<narrow>(of(argument<float>(x), o...));
    else if constexpr (__is_same(computed, narrow))
      return of(x, o...);
    else
      return cast<narrow>(of(argument<computed>(argument<added>(x)), o...));
  }
  template <class E, class... O>
  static constexpr auto of(const E& x, const O&... o) {
    constexpr bool kept = is_compensated<O...> && is_floating(dtype_of<value_of<E>>);
    if constexpr (reads_own<E>)
      return own_reduction<Op, E>::of(x, o...);
    else if constexpr (is_complex_reduction<Op, E>)
      return complex_reduction<Op, E>::of(x, o...);
    else
      return make_reduced<std::conditional_t<kept, compensated_r, Op>>(x, o...);
  }
};

// The position along one axis, or in the whole array in row-major order.
template <class Op>
struct position_function : takes_axis_names<position_function<Op>, names_keepdim<position_function<Op>>> {
  static constexpr text call{"argmax(x, axis, keepdim)"};
  using takes_axis_names<position_function, names_keepdim<position_function>>::operator();
  BROADLOOM_HELD_ARRAY((is_reduce_option<O> && ...) && (!(is_of_type<O> || is_accumulator<O>) && ...) &&
                       (!is_compensated<O...>))
  template <array A, class... O>
    requires(is_reduce_option<O> && ...) && (!(is_of_type<O> || is_accumulator<O>) && ...) && (!is_compensated<O...>)
  constexpr auto operator()(A&& a, const O&... o) const {
    constexpr int rank = rank_of<node_of<A>>;
    static_assert(!(names_axes<O> || ...) || named_axes<rank, O...> <= 1,
                  "the position of an extreme along one axis, or along all of them [errors.md#argmax-axes]");
    if constexpr (reads_own<node_of<A>>)
      return own_reduction<Op, captured<A>>::of(capture(static_cast<A&&>(a)), o...);
    else
      return make_reduced<Op>(argument<arithmetic_type<value_of<node_of<A>>>>(static_cast<A&&>(a)), o...);
  }
};

}  // namespace detail

// The shape of every result: that of the array without the named axes, or with extent 1 there under keepdim; all axes
// when none is named. Axes are axes<0, -1>, or integers, constants (1_c) or not: with a run-time one an extent is
// static where it is the same for every choice. Or they are in a container of integers, an empty one naming all: a
// std::array, or of any length under keepdim. Throws index_error for an axis outside [-rank, rank) or named twice
// (constants: at compile time).

// The functions of plan/reductions.def, where each has its comment: sum, prod, amax, amin, any.
#define BROADLOOM_REDUCTION(NAME, TYPES, OF_NONE, IDENTITY, FORMULA) \
  inline constexpr detail::reduce_function<detail::combining<runtime::reduction::NAME>> NAME{};
#define BROADLOOM_REDUCTION_EXTENDING(NAME, TYPES, OF_NONE, IDENTITY, FORMULA)
#include <broadloom/plan/reductions.def>
// The index, i64, of the first largest (smallest) element along one axis, or in row-major order of all; that of the
// first NaN if there is one. Throws shape_error for no elements.
inline constexpr detail::position_function<detail::argmax_r> argmax{};
inline constexpr detail::position_function<detail::argmin_r> argmin{};

namespace detail {

template <array A, class... O>
  requires((reduce_option<std::remove_cvref_t<O>> && ...))
struct extension<all_t, A, O...> {
  static constexpr auto call(A&& a, const std::remove_cvref_t<O>&... o) {
    return reduce_function<all_r>{}(static_cast<A&&>(a), o...);
  }
};
// max(x), min(x) of one array: amax and amin.
template <array A, class... O>
  requires((reduce_option<std::remove_cvref_t<O>> && ...) && (!std::is_integral_v<std::remove_cvref_t<O>> && ...) &&
           (!axis_list<std::remove_cvref_t<O>> && ...))
struct extension<max_t, A, O...> {
  static constexpr auto call(A&& a, const std::remove_cvref_t<O>&... o) { return amax(static_cast<A&&>(a), o...); }
};
template <array A, class... O>
  requires((reduce_option<std::remove_cvref_t<O>> && ...) && (!std::is_integral_v<std::remove_cvref_t<O>> && ...) &&
           (!axis_list<std::remove_cvref_t<O>> && ...))
struct extension<min_t, A, O...> {
  static constexpr auto call(A&& a, const std::remove_cvref_t<O>&... o) { return amin(static_cast<A&&>(a), o...); }
};

}  // namespace detail

// How many elements are not 0, i64.
inline constexpr struct count_nonzero_t
    : detail::takes_axis_names<count_nonzero_t, detail::names_keepdim<count_nonzero_t>> {
  static constexpr detail::text call{"count_nonzero(x, axis, keepdim)"};
  using takes_axis_names::operator();
  BROADLOOM_HELD_ARRAY((detail::is_reduce_option<O> && ...))
  template <array A, class... O>
    requires(detail::is_reduce_option<O> && ...)
  constexpr auto operator()(A&& a, const O&... o) const {
    return sum(detail::argument<bool>(static_cast<A&&>(a)), o...);
  }
} count_nonzero{};

}  // namespace broadloom

#if defined(__clang__)
#pragma clang diagnostic pop
#endif

#include <broadloom/fn/undefine.hpp>
