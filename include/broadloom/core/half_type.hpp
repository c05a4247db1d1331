// The names of the floating numbers of 16 bits, for headers that only ask whether a type is one of them. The types
// themselves are in core/half.hpp, which a program includes when it uses them.
#pragma once

#include <broadloom/core/compiler.hpp>

namespace broadloom {

class float16;
class bfloat16;

namespace detail {

// Stored in 16 bits, computed as f32.
template <class T>
inline constexpr bool is_half_type = __is_same(T, float16) || __is_same(T, bfloat16);

// The type in which arithmetic on elements of type T is done: f32 for these two, else T.
template <class T>
struct arithmetic_type_of {
  using type = T;
};
template <>
struct arithmetic_type_of<float16> {
  using type = float;
};
template <>
struct arithmetic_type_of<bfloat16> {
  using type = float;
};
template <class T>
using arithmetic_type = typename arithmetic_type_of<T>::type;

// The bytes that an element takes in a register: those of f32 for these two, as whatever is done with them widens them.
template <class T>
inline constexpr int register_bytes = sizeof(T);
template <>
inline constexpr int register_bytes<float16> = 4;
template <>
inline constexpr int register_bytes<bfloat16> = 4;

}  // namespace detail
}  // namespace broadloom
