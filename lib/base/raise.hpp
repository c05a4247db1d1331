// From what a header said of an error to the parameters of the function that makes its exception.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include <broadloom/core/throw_error.hpp>

namespace broadloom::detail {

template <class T>
T argument(const error_argument& a) {
  if constexpr (std::is_reference_v<T>)
    return *static_cast<const std::remove_reference_t<T>*>(a.address);
  else if constexpr (std::is_pointer_v<T>)
    return static_cast<T>(a.address);
  else if constexpr (std::is_floating_point_v<T>)
    return a.number;
  else
    return static_cast<T>(a.whole);
}

template <class... P, std::size_t... I>
void raise(void (*how)(P...), const error_argument* said, std::index_sequence<I...>) {
  how(argument<P>(said[I])...);
}

template <class... P>
[[noreturn]] void raise(void (*how)(P...), std::initializer_list<error_argument> said) {
  if (said.size() == sizeof...(P)) raise(how, said.begin(), std::index_sequence_for<P...>{});
  __builtin_trap();  // a header of another version
}

}  // namespace broadloom::detail
