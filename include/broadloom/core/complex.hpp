// A forward declaration of std::complex: its header costs as much as this whole library, and only complex programs
// need it. These include <complex> as well.
#pragma once

#include <cstddef>

#include <broadloom/core/compiler.hpp>

#if defined(_LIBCPP_BEGIN_NAMESPACE_STD)
_LIBCPP_BEGIN_NAMESPACE_STD
template <class T>
class complex;
_LIBCPP_END_NAMESPACE_STD
#elif defined(_GLIBCXX_BEGIN_NAMESPACE_VERSION)
// clang-format off
namespace std _GLIBCXX_VISIBILITY(default) {
_GLIBCXX_BEGIN_NAMESPACE_VERSION
template <typename T>
class complex;
_GLIBCXX_END_NAMESPACE_VERSION
}  // namespace std
// clang-format on
#else
#include <complex>
#endif

namespace broadloom::detail {

template <class T>
inline constexpr bool is_complex_type = false;
template <>
inline constexpr bool is_complex_type<std::complex<float>> = true;
template <>
inline constexpr bool is_complex_type<std::complex<double>> = true;

// The type of a number's parts: float of std::complex<float>, and of float.
template <class T>
struct real_type {
  using type = T;
};
template <class T>
struct real_type<std::complex<T>> {
  using type = T;
};
template <class T>
using real_of = typename real_type<T>::type;

}  // namespace broadloom::detail
