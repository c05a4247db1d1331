// The element types as values: how compiled code knows an array's elements.
#pragma once

#include <cstdint>
#include <type_traits>

#include <broadloom/core/complex.hpp>
#include <broadloom/core/half_type.hpp>

namespace broadloom {

// Those of dtypes.def, and one for all that are the program's own.
enum class dtype : unsigned char {
#define BROADLOOM_DTYPE(enumerator, name, type, category, bytes, npy, dlpack, torch, hdf5) enumerator,
#include <broadloom/core/dtypes.def>
#undef BROADLOOM_DTYPE
  own
};

namespace detail {

// Whether T is an element by enable_element, which elements.hpp has.
template <class T>
inline constexpr bool enabled_element = false;

template <class T>
inline constexpr int dtype_code = -1;
#define BROADLOOM_DTYPE(enumerator, name, type, category, bytes, npy, dlpack, torch, hdf5) \
  template <>                                                                              \
  inline constexpr int dtype_code<type> = static_cast<int>(dtype::enumerator);
#include <broadloom/core/dtypes.def>
#undef BROADLOOM_DTYPE

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

namespace detail {

enum class element_category : unsigned char { truth, signed_integer, unsigned_integer, floating, complex, own };
struct dtype_properties {
  const char* name;
  element_category category;
  unsigned char bytes;
};
inline constexpr dtype_properties dtypes[] = {
#define BROADLOOM_DTYPE(enumerator, name, type, category, bytes, npy, dlpack, torch, hdf5) \
  {name, element_category::category, bytes},
#include <broadloom/core/dtypes.def>
#undef BROADLOOM_DTYPE
    {"own", element_category::own, 0}};
constexpr const dtype_properties& properties_of(dtype t) { return dtypes[static_cast<int>(t)]; }

}  // namespace detail

constexpr bool is_floating(dtype t) { return detail::properties_of(t).category == detail::element_category::floating; }
// Of 16 bits, and computed as f32 (core/half.hpp).
constexpr bool is_half(dtype t) { return is_floating(t) && detail::properties_of(t).bytes == 2; }
constexpr bool is_complex(dtype t) { return detail::properties_of(t).category == detail::element_category::complex; }
constexpr bool is_signed_integer(dtype t) {
  return detail::properties_of(t).category == detail::element_category::signed_integer;
}
constexpr bool is_integer(dtype t) {
  return is_signed_integer(t) || detail::properties_of(t).category == detail::element_category::unsigned_integer;
}

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
constexpr const char* to_string(dtype t) { return detail::properties_of(t).name; }

}  // namespace broadloom
