// Numbers known to the compiler: Boost.Hana's integral constants, written 5_c.
#pragma once

#include <concepts>
#include <type_traits>

#include <boost/hana/fwd/integral_constant.hpp>

#include <broadloom/core/index.hpp>

namespace broadloom {

namespace detail {

// Hana's constant. Its arithmetic is here, too: Hana's own would be a twentieth of what including this library costs.
// (Friends, which compilers do not list where an operator of arrays is missing.)
#define BROADLOOM_CONSTANT(OP)                                                                     \
  template <long long W>                                                                           \
  friend constexpr integer_constant<(V OP W)> operator OP(integer_constant, integer_constant<W>) { \
    return {};                                                                                     \
  }
template <long long V>
struct integer_constant : boost::hana::integral_constant<long long, V> {
  template <long long W = V>
  friend constexpr integer_constant<-W> operator-(integer_constant) {
    return {};
  }
  BROADLOOM_CONSTANT(+)
  BROADLOOM_CONSTANT(-)
  BROADLOOM_CONSTANT(*)
  BROADLOOM_CONSTANT(/)
  BROADLOOM_CONSTANT(%)
};
#undef BROADLOOM_CONSTANT

// The value of a literal's digits, which may be separated, with 0x, 0b or 0 in front.
constexpr long long value_of_literal(const char* at, const char* end) {
  long long base = 10, r = 0;
  if (*at == '0' && end - at > 1) {
    base = at[1] == 'x' || at[1] == 'X' ? 16 : at[1] == 'b' || at[1] == 'B' ? 2 : 8;
    at += base == 8 ? 1 : 2;
  }
  for (; at != end; ++at)
    if (*at != '\'') r = r * base + (*at <= '9' ? *at - '0' : (*at | 32) - 'a' + 10);
  return r;
}

}  // namespace detail

namespace literals {

// 5_c is a Hana constant of the value 5; it becomes a static extent, axis or bound. Constrained, so that it is
// preferred where Hana's own literal is visible, too.
template <char... C>
  requires(sizeof...(C) > 0)
constexpr auto operator""_c() {
  constexpr char digits[] = {C...};
  return detail::integer_constant<detail::value_of_literal(digits, digits + sizeof...(C))>{};
}

}  // namespace literals

namespace detail {

// A type whose ::value is an integer known to the compiler, Hana's or the standard library's constants.
template <class T>
concept constant = requires {
  { T::value } -> std::convertible_to<index>;
  requires !__is_same(decltype(T::value), const bool);
  typename T::value_type;
};

// What a Hana constant, such as 3_c, is as an operand: its value. Anything else is what it is.
template <class T>
struct as_operand_type {
  using type = T;
};
template <std::integral T, T V>
struct as_operand_type<boost::hana::integral_constant<T, V>> {
  using type = T;
};
template <long long V>
struct as_operand_type<integer_constant<V>> {
  using type = long long;
};
template <class T>
inline constexpr bool is_constant_number = !__is_same(typename as_operand_type<T>::type, T);

template <class T>
concept integer = std::is_integral_v<T> && !__is_same(T, bool);

// An extent, an axis or a bound: an integer, or a constant.
template <class T>
concept integer_like = integer<T> || constant<T>;

}  // namespace detail
}  // namespace broadloom
