// An integer type without its sign, for loops whose bits are the same.
#pragma once

#include <type_traits>

namespace broadloom::runtime {

template <class T>
struct unsigned_form {
  using type = T;
};
template <class T>
  requires std::is_integral_v<T>
struct unsigned_form<T> {
  using type = std::make_unsigned_t<T>;
};
// Other types are themselves.
template <class T>
using unsigned_if_integer = typename unsigned_form<T>::type;

}  // namespace broadloom::runtime
