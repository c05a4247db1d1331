// A C++ number as an element: the one place where numbers are converted to element types. What an integer type cannot
// hold is an error, or for comparisons and bounds the nearest element that says the same.
#pragma once

#include <broadloom/core/throw_error.hpp>
#include <broadloom/fn/convert.hpp>
#include <broadloom/fn/promote.hpp>

namespace broadloom {

namespace detail {

template <class T>
inline constexpr T largest_element = T(-1) > T(0) ? static_cast<T>(-1)
                                                  : static_cast<T>((std::uint64_t{1} << (8 * sizeof(T) - 1)) - 1);
template <class T>
inline constexpr T smallest_element = T(-1) > T(0) ? T(0) : static_cast<T>(-largest_element<T> - 1);
// The first power of two above.
template <class T>
inline constexpr double past_elements =
    2.0 * static_cast<double>(std::uint64_t{1} << (8 * sizeof(T) - 1)) / (T(-1) > T(0) ? 1 : 2);

template <class T>
concept integer_element = element<T> && is_integer(dtype_of<T>);

// Whether elements To hold every number of type From.
template <class To, class From>
constexpr bool holds_numbers() {
  if constexpr (!integer_element<To> || __is_same(From, bool))
    return true;
  else if constexpr (!integer_element<From>)
    return false;
  else
    return (To(-1) > To(0)) == (From(-1) > From(0)) ? sizeof(To) >= sizeof(From)
                                                    : From(-1) > From(0) && sizeof(To) > sizeof(From);
}

// Numbers that are no integers are looked at as double.
template <class From>
constexpr auto comparable_number(const From& x) {
  if constexpr (integer_element<From>)
    return x;
  else
    return lanes::convert<double>(x);
}

template <class From>
constexpr bool is_nan_number(From x) {
  if constexpr (integer_element<From>)
    return false;
  else
    return x != x;
}
// Whether x is below the elements of type To, above them, or within with its fraction cut off.
template <class To, class From>
constexpr bool is_below_elements(From x) {
  if constexpr (!integer_element<From>)
    return x < static_cast<double>(smallest_element<To>);
  else if constexpr (From(-1) > From(0))
    return false;
  else if constexpr (To(-1) > To(0))
    return x < 0;
  else
    return static_cast<std::int64_t>(x) < static_cast<std::int64_t>(smallest_element<To>);
}
template <class To, class From>
constexpr bool is_above_elements(From x) {
  if constexpr (!integer_element<From>)
    return x >= past_elements<To>;
  else
    return x > 0 && static_cast<std::uint64_t>(x) > static_cast<std::uint64_t>(largest_element<To>);
}
template <class To, class From>
constexpr bool is_within_elements(From x) {
  if constexpr (integer_element<From>) {
    return !is_below_elements<To>(x) && !is_above_elements<To>(x);
  } else {
    constexpr double low = static_cast<double>(smallest_element<To>);
    return (x >= low || x > low - 1) && x < past_elements<To>;
  }
}

// Whether elements of type To hold a constant.
template <class To, class Constant>
constexpr bool holds_constant() {
  if constexpr (holds_numbers<To, std::remove_cv_t<decltype(Constant::value)>>())
    return true;
  else
    return is_within_elements<To>(comparable_number(Constant::value));
}

[[noreturn, gnu::cold, gnu::noinline]] inline void throw_number_outside(dtype type, std::int64_t x) {
  throw_error(error_kind::signed_outside, {static_cast<int>(type), x});
}
[[noreturn, gnu::cold, gnu::noinline]] inline void throw_number_outside(dtype type, std::uint64_t x) {
  throw_error(error_kind::unsigned_outside, {static_cast<int>(type), x});
}
[[noreturn, gnu::cold, gnu::noinline]] inline void throw_number_outside(dtype type, double x) {
  throw_error(error_kind::number_outside, {static_cast<int>(type), x});
}

// The number as an element of type To; a fraction is cut off. Throws arithmetic_error where the integers To do not
// reach it.
template <class To, class From>
constexpr To number_as(const From& x) {
  if constexpr (!own_element<To> && !own_element<From> && !holds_numbers<To, From>()) {
    const auto n = comparable_number(x);
    if (!is_within_elements<To>(n)) {
      if constexpr (!integer_element<From>)
        throw_number_outside(dtype_of<To>, n);
      else if constexpr (From(-1) > From(0))
        throw_number_outside(dtype_of<To>, static_cast<std::uint64_t>(n));
      else
        throw_number_outside(dtype_of<To>, static_cast<std::int64_t>(n));
    }
  }
  if constexpr (std::is_floating_point_v<To> || own_element<To> || own_element<From>)
    return static_cast<To>(x);
  else
    return lanes::convert<To>(x);
}

// The number, or the nearest element; of NaN 0.
template <class To, class From>
constexpr To nearest_element(const From& x) {
  if constexpr (!holds_numbers<To, From>()) {
    const auto n = comparable_number(x);
    if (is_nan_number(n)) return To(0);
    if (is_below_elements<To>(n)) return smallest_element<To>;
    if (is_above_elements<To>(n)) return largest_element<To>;
  }
  return lanes::convert<To>(x);
}

// A bound from below or from above: one that no element goes beyond changes nothing.
template <class To, class From>
constexpr To lower_bound_as(const From& x) {
  if constexpr (!holds_numbers<To, From>())
    if (is_below_elements<To>(comparable_number(x))) return smallest_element<To>;
  return number_as<To>(x);
}
template <class To, class From>
constexpr To upper_bound_as(const From& x) {
  if constexpr (!holds_numbers<To, From>())
    if (is_above_elements<To>(comparable_number(x))) return largest_element<To>;
  return number_as<To>(x);
}

// Two elements by which elements x are compared with a number that T may not hold. A number that nothing compares with
// costs nothing in the loop, as `to` is then one that is never met.
template <class T>
struct compared_elements {
  T with, to;
};

// max(x, with) == to: x <= n, or x < n if it is strict.
template <class T, class From>
constexpr compared_elements<T> elements_at_most(const From& number, bool strict) {
  constexpr compared_elements<T> none{largest_element<T>, smallest_element<T>};
  const auto n = comparable_number(number);
  if (is_nan_number(n) || is_below_elements<T>(n)) return none;
  if (is_above_elements<T>(n)) return {largest_element<T>, largest_element<T>};
  T t = static_cast<T>(n);
  if constexpr (!integer_element<From>) {
    const double whole = static_cast<double>(t);
    strict = whole > n || (strict && whole == n);
  }
  if (strict && t == smallest_element<T>) return none;
  t = static_cast<T>(t - strict);
  return {t, t};
}
// min(x, with) == to: x >= n, or x > n if it is strict.
template <class T, class From>
constexpr compared_elements<T> elements_at_least(const From& number, bool strict) {
  constexpr compared_elements<T> none{smallest_element<T>, largest_element<T>};
  const auto n = comparable_number(number);
  if (is_nan_number(n) || is_above_elements<T>(n)) return none;
  if (is_below_elements<T>(n)) return {smallest_element<T>, smallest_element<T>};
  T t = static_cast<T>(n);
  if constexpr (!integer_element<From>) {
    const double whole = static_cast<double>(t);
    strict = whole < n || (strict && whole == n);
  }
  if (strict && t == largest_element<T>) return none;
  t = static_cast<T>(t + strict);
  return {t, t};
}
// (x & with) == to: x == n.
template <class T, class From>
constexpr compared_elements<T> elements_equal_to(const From& number) {
  const auto n = comparable_number(number);
  if (is_nan_number(n) || is_below_elements<T>(n) || is_above_elements<T>(n)) return {T(0), T(1)};
  const T t = static_cast<T>(n);
  if constexpr (!integer_element<From>)
    if (static_cast<double>(t) != n) return {T(0), T(1)};
  return {static_cast<T>(-1), t};
}

}  // namespace detail

}  // namespace broadloom
