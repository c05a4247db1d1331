// Reductions of own elements (enable_element), and of trees that read them: by the type's operators.
#pragma once

#include <broadloom/fn/own.hpp>
#include <broadloom/reduce/own_fold.hpp>
#include <broadloom/reduce/own_running.hpp>
#include <broadloom/reduce/scans.hpp>

namespace broadloom::detail {

// Two own elements brought together by their operators.
template <class Op>
struct own_formula;
template <>
struct own_formula<sum_r> : broadloom_own_elements::add_by_operator {};
template <>
struct own_formula<prod_r> : broadloom_own_elements::mul_by_operator {};
template <>
struct own_formula<amax_r> : broadloom_own_elements::maximum_by_lookup {};
template <>
struct own_formula<amin_r> : broadloom_own_elements::minimum_by_lookup {};
template <>
struct own_formula<combining<runtime::reduction::nanmax>> : own_formula<amax_r> {};
template <>
struct own_formula<combining<runtime::reduction::nanmin>> : own_formula<amin_r> {};
template <>
struct own_formula<any_r> {};
template <>
struct own_formula<all_r> {};

// What is combined, given an element: the element itself.
template <class Op, class T>
struct own_folding {
  using state = T;
  using result = T;
  static constexpr bool ok = [] {
    if constexpr (own_element<T>)
      return requires(const T& x) { static_cast<T>(own_formula<Op>::of(x, x)); };
    else
      return true;
  }();
  static constexpr const char* name() { return Op::name(); }
  static constexpr const char* running_name() { return __is_same(Op, sum_r) ? "cumsum" : "cumprod"; }
  static constexpr T begin(const T& x, index) { return x; }
  static constexpr T on(const T& x, const T& y) {
    if constexpr (own_element<T>)
      return static_cast<T>(own_formula<Op>::of(x, y));
    else
      return Op::on(x, y);
  }
  static constexpr const T& end(const T& x) { return x; }
  static constexpr bool has_empty = [] {
    if constexpr (!own_element<T>)
      return Op::has_empty;
    else
      return (__is_same(Op, sum_r) && std::is_default_constructible_v<T>) ||
             (__is_same(Op, prod_r) && std::is_constructible_v<T, int>);
  }();
  static constexpr T empty() {
    if constexpr (!own_element<T>)
      return Op::template empty<T>();
    else if constexpr (__is_same(Op, prod_r))
      return static_cast<T>(1);
    else
      return T();
  }
};
// The position of the first largest or smallest element, or of the first that does not equal itself.
template <runtime::reduction How, class T>
struct own_folding<position_op<How>, T> {
  using op = position_op<How>;
  using lt = broadloom_own_elements::lt_by_operator;
  struct state {
    T x;
    index at;
  };
  using result = std::int64_t;
  static constexpr bool ok = requires(const T& x) { static_cast<bool>(lt::of(x, x)); };
  static constexpr const char* name() { return op::name(); }
  static constexpr state begin(const T& x, index at) { return {x, at}; }
  static constexpr state on(const state& a, const state& b) {
    using broadloom_own_elements::is_nan_like;
    if (is_nan_like(a.x)) return a;
    return is_nan_like(b.x) || (op::largest ? lt::of(a.x, b.x) : lt::of(b.x, a.x)) ? b : a;
  }
  static constexpr result end(const state& s) { return s.at; }
  static constexpr bool has_empty = false;
};

template <class Op, class E>
struct own_reduction {
  using fold = own_folding<Op, value_of<E>>;
  static constexpr bool ok = fold::ok;
  template <class... O>
  static constexpr auto of(const E& e, const O&... o) {
    using in = typename E::shape_type;
    constexpr int rank = in::axes_count;
    const auto axes = reduced_axes<rank>(fold::name(), o...);
    using axes_type = std::remove_cvref_t<decltype(axes)>;
    constexpr int out = keeps_axes<O...> ? rank : rank - named_axes<rank, O...>;
    using shape_type = shape_from<reduced_static_extents<in, axes_type, out>()>;
    if constexpr (!fold::has_empty) {
      bool none = false;
      for (int i = 0; i < rank; ++i) none = none || ((axes.bits() >> i & 1) != 0 && e.shape()[i] == 0);
      if (none)
        throw_nothing_to_reduce(fold::name(), e.shape().extents().v, rank, axes.bits(), !(names_axes<O> || ...));
    }
    using node = own_fold<fold, E, shape_type>;
    return deferred<node>(
        node(e, shape_type::unchecked(reduced_extents<out>(e.shape().extents(), axes.bits())), axes.bits()));
  }
  // Of this and all before it, along one axis.
  static constexpr auto running(const E& e, int axis);
};

template <class Op, class E>
constexpr auto own_reduction<Op, E>::running(const E& e, int axis) {
  using node = own_running<fold, E>;
  return deferred<node>(node(e, axis));
}

}  // namespace broadloom::detail
