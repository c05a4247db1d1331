// The element types as values: how compiled code knows an array's elements.
#pragma once

#include <cstdint>
#include <type_traits>

#include <broadloom/core/complex.hpp>
#include <broadloom/core/half_type.hpp>

namespace broadloom {

enum class dtype : unsigned char { b8, i8, i16, i32, i64, u8, u16, u32, u64, f32, f64, c64, c128, f16, bf16, own };

namespace detail {

// Whether T is an element by enable_element, which elements.hpp has.
template <class T>
inline constexpr bool enabled_element = false;

template <class T>
inline constexpr int dtype_code = -1;
template <>
inline constexpr int dtype_code<bool> = static_cast<int>(dtype::b8);
template <>
inline constexpr int dtype_code<float> = static_cast<int>(dtype::f32);
template <>
inline constexpr int dtype_code<double> = static_cast<int>(dtype::f64);

template <>
inline constexpr int dtype_code<float16> = static_cast<int>(dtype::f16);
template <>
inline constexpr int dtype_code<bfloat16> = static_cast<int>(dtype::bf16);
template <>
inline constexpr int dtype_code<std::complex<float>> = static_cast<int>(dtype::c64);
template <>
inline constexpr int dtype_code<std::complex<double>> = static_cast<int>(dtype::c128);

template <class T>
concept plain_integer = requires(T x) {
  requires !__is_class(T);
  ~x;
  requires T(true) + T(0) == T(1);
  requires !__is_same(T, bool) && !__is_same(T, char) && !__is_same(T, wchar_t) && !__is_same(T, char8_t) &&
               !__is_same(T, char16_t) && !__is_same(T, char32_t);
  requires !__is_enum(T);
};

template <class T>
concept own_element = enabled_element<T> && std::is_trivially_destructible_v<T> && std::is_copy_constructible_v<T>;
// Whether elements From become elements To without being asked: where one of them is of the program's own.
template <class From, class To>
inline constexpr bool own_converts = true;
template <class From, class To>
  requires(own_element<From> || own_element<To>)
inline constexpr bool own_converts<From, To> = std::is_convertible_v<const From&, To>;
template <own_element T>
inline constexpr int dtype_code<T> = static_cast<int>(dtype::own);
template <plain_integer T>
inline constexpr int dtype_code<T> =
    (T(-1) < T(0) ? static_cast<int>(dtype::i8) : static_cast<int>(dtype::u8)) + (sizeof(T) == 1   ? 0
                                                                                  : sizeof(T) == 2 ? 1
                                                                                  : sizeof(T) == 4 ? 2
                                                                                                   : 3);

}  // namespace detail

// Types an array can have as elements.
template <class T>
concept element = detail::dtype_code<T> >= 0;

template <element T>
inline constexpr dtype dtype_of = static_cast<dtype>(detail::dtype_code<T>);

// Of 16 bits, and computed as f32 (core/half.hpp).
constexpr bool is_half(dtype t) { return t == dtype::f16 || t == dtype::bf16; }
constexpr bool is_floating(dtype t) { return t == dtype::f32 || t == dtype::f64 || is_half(t); }
constexpr bool is_complex(dtype t) { return t == dtype::c64 || t == dtype::c128; }
constexpr bool is_integer(dtype t) { return t >= dtype::i8 && t <= dtype::u64; }
constexpr bool is_signed_integer(dtype t) { return t >= dtype::i8 && t <= dtype::i64; }

namespace detail {

// dtype_of<T> for functions of the compiled library, which know no elements of the program's own.
template <class T>
constexpr dtype compiled_dtype() {
  static_assert(!own_element<T>,
                "this function is not there for element types of the program's own [errors.md#own-elements]");
  return dtype_of<T>;
}

template <class T>
concept floating_element = element<T> && is_floating(dtype_of<T>);

}  // namespace detail

// The type's name as documentation writes it: "f32".
constexpr const char* to_string(dtype t) {
  constexpr const char* names[] = {"bool", "i8",  "i16", "i32", "i64",  "u8",  "u16",  "u32",
                                   "u64",  "f32", "f64", "c64", "c128", "f16", "bf16", "own"};
  return names[static_cast<int>(t)];
}

}  // namespace broadloom
