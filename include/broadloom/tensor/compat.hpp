// compat::add, ...: pointwise functions as PyTorch had them before broadcasting, for code that is being moved. Each
// evaluates.
#pragma once

#include <broadloom/core/api.hpp>
#include <broadloom/fn/composite.hpp>
#include <broadloom/tensor/eval.hpp>

namespace broadloom::compat {

// With `enabled`, the functions here warn when operands of different shape and equal size broadcast.
struct broadcast_warning_t {
  bool enabled = false;
};
BROADLOOM_API extern broadcast_warning_t broadcast_warning;

// Receives every warning; the first one writes to stderr. Returns the handler there was.
using warning_handler = void (*)(const char* text);
BROADLOOM_API warning_handler set_warning_handler(warning_handler h);

namespace detail {

using broadloom::detail::shape_view;

// Warns, or throws shape_error. True when the operands broadcast, false when they are to be taken as of one axis.
BROADLOOM_API bool note_shapes(const char* function, const shape_view* shapes, int count);

template <class A>
auto as_dynamic(const A& a) {
  using node = broadloom::detail::node_of<const A&>;
  dtensor<broadloom::detail::value_of<node>, broadloom::detail::rank_of<node>> r = eval(broadloom::detail::capture(a));
  return r;
}
template <class A>
auto as_row(const A& a) {
  if constexpr (array<const A&>) {
    const auto r = as_dynamic(a);
    dtensor<typename std::remove_cvref_t<decltype(r)>::value_type, 1> row(r.size());
    for (index i = 0; i < r.size(); ++i) row.data()[i] = r.data()[i];
    return row;
  } else
    return a;
}
template <class A>
auto as_operand(const A& a) {
  if constexpr (array<const A&>)
    return as_dynamic(a);
  else
    return a;
}
template <class A>
inline constexpr int rank_of_argument = broadloom::detail::shape_of_argument<const A&>::type::axes_count;

template <class F>
struct function {
  F f;
  const char* name;

  template <array A, operand... B>
  auto operator()(const A& a, const B&... b) const {
    constexpr int own = rank_of_argument<A>;
    constexpr int largest = [] {
      int r = own;
      ((r = rank_of_argument<B> > r ? rank_of_argument<B> : r), ...);
      return r;
    }();
    using T = broadloom::detail::value_of<decltype(f(as_row(a), as_row(b)...))>;
    const auto shape_of = []<class X>(const X& x) {
      if constexpr (array<const X&>)
        return broadloom::detail::shape_of_array(x);
      else
        return shape<>{};
    };
    bool broadcasts = true;
    [&](const auto&... s) {
      const shape_view shapes[] = {{s.data(), s.axes_count}...};
      broadcasts = note_shapes(name, shapes, sizeof...(s));
    }(shape_of(a), shape_of(b)...);
    if (broadcasts) return dtensor<T, largest>(eval(f(as_operand(a), as_operand(b)...)));
    // of one axis; the result has the first operand's shape, with axes of extent 1 before it where the type wants more
    const auto row = eval(f(as_row(a), as_row(b)...));
    const auto s = shape_of(a);
    broadloom::detail::indices<largest> extents{};
    for (int i = 0; i < largest; ++i) extents[i] = i < largest - own ? 1 : s[i - (largest - own)];
    dtensor<T, largest> r(dshape<largest>::unchecked(extents));
    for (index i = 0; i < r.size(); ++i) r.data()[i] = row.data()[i];
    return r;
  }
};

}  // namespace detail

#define BROADLOOM_COMPAT(NAME) inline constexpr detail::function<NAME##_t> NAME{broadloom::NAME, #NAME};
BROADLOOM_COMPAT(add)
BROADLOOM_COMPAT(sub)
BROADLOOM_COMPAT(mul)
BROADLOOM_COMPAT(div)
BROADLOOM_COMPAT(pow)
BROADLOOM_COMPAT(fmod)
BROADLOOM_COMPAT(remainder)
BROADLOOM_COMPAT(addcmul)
BROADLOOM_COMPAT(addcdiv)
#undef BROADLOOM_COMPAT

}  // namespace broadloom::compat
