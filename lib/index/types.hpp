// Element types by name, and the ranges of their values.
#pragma once

#include <type_traits>

#include "../base/by_type.hpp"

namespace broadloom::runtime {

// Calls f(T{}) with the type that a dtype names; bool as u8. Complex types are refused earlier.
template <class F>
auto with_type(dtype t, F f) {
  return by_type(real_types{}, t == dtype::b8 ? dtype::u8 : t, [&]<class T>() { return f(T{}); });
}

template <class T>
bool is_nan(T x) {
  if constexpr (std::is_floating_point_v<T>)
    return __builtin_isnan(x);
  else
    return false;
}

// NaN is above every other number.
template <class T>
bool less(T a, T b) {
  if constexpr (std::is_floating_point_v<T>)
    return a < b || (is_nan(b) && !is_nan(a));
  else
    return a < b;
}

}  // namespace broadloom::runtime
