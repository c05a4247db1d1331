// Element types of the program's own.
#pragma once

#include <broadloom/core/dtype.hpp>

namespace broadloom {

// Whether a type of the program's own may be an element: specialised as true it says that memcpy copies its values; a
// type with a destructor is none. Functions of such elements are its operators, and what argument-dependent lookup
// finds, in loops of the program; the compiled library is not asked.
template <class T>
inline constexpr bool enable_element = false;

namespace detail {

template <class T>
  requires(enable_element<T>)
inline constexpr bool enabled_element<T> = true;

}  // namespace detail

}  // namespace broadloom
