// Numbers known to the compiler: Boost.Hana's integral constants, written 5_c.
#pragma once

#include <concepts>
#include <type_traits>

#include <boost/hana/integral_constant.hpp>
#include <boost/hana/negate.hpp>  // -1_c

#include <broadloom/core/index.hpp>

namespace broadloom {

namespace literals {

// 5_c is Hana's integral constant of the value 5; it becomes a static extent, axis or bound.
using boost::hana::literals::operator""_c;

}  // namespace literals

namespace detail {

// A type whose ::value is an integer known to the compiler, Hana's and the standard library's constants alike.
template <class T>
concept constant = requires {
  { T::value } -> std::convertible_to<index>;
  requires !__is_same(decltype(T::value), const bool);
  typename T::value_type;
};

template <class T>
concept integer = std::is_integral_v<T> && !__is_same(T, bool);

// An extent, an axis or a bound: an integer, or a constant.
template <class T>
concept integer_like = integer<T> || constant<T>;

}  // namespace detail
}  // namespace broadloom
