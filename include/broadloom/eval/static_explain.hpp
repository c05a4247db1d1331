// static_explain<E>: what the compiler decides about an expression of a static shape, as constants that can be
// asserted.
#pragma once

#include <broadloom/eval/assign.hpp>

namespace broadloom {

struct static_explanation {
  bool unrolled;     // as straight-line code in the caller; else a planned loop runs
  index elements;    // of the result
  index vectors;     // unrolled: vectors, as wide as the compiler's flags allow, and shorter ones for what is left
  index singles;     // unrolled: elements that fill none
  int operands;      // leaves, from left to right
  int stages;        // loops that run one after the other on each chunk
  index slow_calls;  // of transcendental functions and callables: of elements, once for each of their own shape where
                     // that pays
};

namespace detail {

// A transcendental function is hoisted where that saves half of its calls at least, a callable always.
template <class E>
inline constexpr index slow_calls_in(index) {
  return 0;
}
template <map_node E>
constexpr index slow_calls_in(index all) {
  return []<class F, class Shape, class... Args>(const map<F, Shape, Args...>*, index whole) {
    index n = (index{0} + ... + slow_calls_in<Args>(whole));
    const index own = checked_size(Shape::static_extents.v, Shape::axes_count);
    if constexpr (requires { F::is_call; })
      n += own;
    else if constexpr (F::is_strip)
      n += 2 * own <= whole ? own : whole;
    return n;
  }(static_cast<const E*>(nullptr), all);
}

template <class E, class T = typename E::value_type>
constexpr static_explanation explain_statically() {
  using shape = typename E::shape_type;
  static_assert(shape::is_static,
                "static_explain wants an expression whose shape the compiler knows [errors.md#static-explain]");
  using form = static_form<view<T, shape, row_major>, typename with_straight_of<E>::type, BROADLOOM_NATIVE,
                           straight_count<E> == 0 ? max_static_vectors : max_row_vectors>;
  static_explanation x{form::ok,
                       checked_size(shape::static_extents.v, shape::axes_count),
                       0,
                       0,
                       operand_count<E>,
                       program_of<E, T>::type::stage_count,
                       0};
  if (form::ok) {
    x.vectors = form::vectors;
    x.singles = form::singles;
  }
  x.slow_calls = slow_calls_in<E>(x.elements);
  return x;
}

}  // namespace detail

// E: the type of an expression, evaluated into a tensor of its own type and shape. `explain` says the same of what is
// known when the program runs, and more.
template <array E>
inline constexpr static_explanation static_explain = detail::explain_statically<detail::captured<E>>();

}  // namespace broadloom
