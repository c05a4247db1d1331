// Element types by name, and the ranges of their values.
#pragma once

#include <cstdint>
#include <type_traits>

#include <broadloom/core/dtype.hpp>

namespace broadloom::runtime {

// Calls f(T{}) with the type that a dtype names; bool as u8. Complex types are refused earlier.
template <class F>
auto with_type(dtype t, F f) {
  switch (t) {
    case dtype::b8:
    case dtype::u8: return f(std::uint8_t{});
    case dtype::i8: return f(std::int8_t{});
    case dtype::i16: return f(std::int16_t{});
    case dtype::i32: return f(std::int32_t{});
    case dtype::i64: return f(std::int64_t{});
    case dtype::u16: return f(std::uint16_t{});
    case dtype::u32: return f(std::uint32_t{});
    case dtype::u64: return f(std::uint64_t{});
    case dtype::f32: return f(float{});
    default: return f(double{});
  }
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
