// Type promotion as PyTorch does it: category first (bool < integer < float < complex), width second; C++ scalars and
// rank-0 arrays are weak. Integers of 32 and 64 bits beside floating or complex numbers give f64 and c128, as f32 would
// lose their digits.
#pragma once

#include <initializer_list>

#include <broadloom/core/dtype.hpp>
#include <broadloom/expr/array_first.hpp>

namespace broadloom {

namespace detail {

template <dtype>
struct type_of;
#define BROADLOOM_DTYPE(enumerator, name, T, category, bytes, npy, dlpack, torch, hdf5) \
  template <>                                                                           \
  struct type_of<dtype::enumerator> {                                                   \
    using type = T;                                                                     \
  };
#include <broadloom/core/dtypes.def>
#undef BROADLOOM_DTYPE

constexpr int category(dtype t) {
  return t == dtype::b8 ? 0 : is_integer(t) ? 1 : is_floating(t) ? 2 : t == dtype::own ? 9 : 3;
}
constexpr int width(dtype t) {
  return is_integer(t)
             ? (static_cast<int>(t) - (t >= dtype::u8 ? static_cast<int>(dtype::u8) : static_cast<int>(dtype::i8)))
             : static_cast<int>(t);
}

// Integers whose digits f32 does not hold.
constexpr bool is_wide_integer(dtype t) { return is_integer(t) && width(t) >= 2; }

// The type in which elements T are computed by functions of floating numbers: their own, and of integers of 32 and 64
// bits f64, of narrower ones and bool f32.
template <class T>
using floating_type = std::conditional_t<is_floating(dtype_of<T>) || is_complex(dtype_of<T>) || own_element<T>, T,
                                         std::conditional_t<is_wide_integer(dtype_of<T>), double, float>>;

// No common type: u64 with a signed integer.
inline constexpr int no_type = -1;

constexpr int promote_strong(dtype a, dtype b) {
  const int ca = category(a), cb = category(b);
  if (ca + cb == 5) return static_cast<int>(a == dtype::f64 || b == dtype::f64 ? dtype::c128 : ca > cb ? a : b);
  if (ca != cb) return static_cast<int>(ca > cb ? a : b);
  if (is_half(a) || is_half(b)) return static_cast<int>(a == b ? a : !is_half(a) ? a : !is_half(b) ? b : dtype::f32);
  if (ca != 1 || is_signed_integer(a) == is_signed_integer(b)) return static_cast<int>(width(a) > width(b) ? a : b);
  const dtype s = is_signed_integer(a) ? a : b, u = is_signed_integer(a) ? b : a;
  if (width(s) > width(u)) return static_cast<int>(s);
  if (u == dtype::u64) return no_type;
  return static_cast<int>(dtype::i8) + width(u) + 1;
}

// The rank of an argument in promotion: arrays with axes first, then arrays of rank 0, then C++ numbers.
enum class say : unsigned char { axes, rank0, number };

struct operand_type {
  int type = no_type;
  say level = say::axes;
};

// The common type of the arguments, or no_type. A lower rank counts only if its category is above that of the higher
// ranks.
template <int N>
constexpr int promote(const fixed_array<operand_type, N>& args) {
  int result = no_type;
  for (say level : {say::axes, say::rank0, say::number}) {
    int here = no_type;
    for (const operand_type& a : args) {
      if (a.level != level) continue;
      here = here == no_type ? a.type : promote_strong(static_cast<dtype>(here), static_cast<dtype>(a.type));
      if (here == no_type) return no_type;
    }
    if (here == no_type) continue;
    if (result == no_type || category(static_cast<dtype>(here)) > category(static_cast<dtype>(result))) {
      if (level == say::number && result != no_type && is_wide_integer(static_cast<dtype>(result)))
        here = promote_strong(static_cast<dtype>(here), dtype::f64);
      // A floating array keeps its width with a weak complex number.
      const bool f32 = result == static_cast<int>(dtype::f32), f64 = result == static_cast<int>(dtype::f64);
      const bool widened = (f32 || f64) && is_complex(static_cast<dtype>(here));
      result = !widened ? here : static_cast<int>(f64 ? dtype::c128 : dtype::c64);
    }
  }
  return result;
}

// A C++ number as an argument: an integer counts as i64, a floating one as f32, a complex one as c64, and one element
// of the program's own as its type.
template <class T>
concept number_scalar =
    (std::is_arithmetic_v<T> || is_complex_type<T> || is_half_type<T> || own_element<T>) && element<T>;
// The same or a constant, 3_c.
template <class T>
concept number_or_constant = number_scalar<T> || is_constant_number<T>;

template <class A>
constexpr operand_type operand_type_of() {
  using T = typename as_operand_type<std::remove_cvref_t<A>>::type;
  if constexpr (std::is_arithmetic_v<T>) {
    if constexpr (__is_same(T, bool))
      return {static_cast<int>(dtype::b8), say::number};
    else if constexpr (std::is_floating_point_v<T>)
      return {static_cast<int>(dtype::f32), say::number};
    else
      return {static_cast<int>(dtype::i64), say::number};
  } else if constexpr (is_half_type<T>) {
    return {static_cast<int>(dtype::f32), say::number};
  } else if constexpr (is_complex_type<T>) {
    return {static_cast<int>(dtype::c64), say::number};
  } else if constexpr (own_element<T>) {
    return {static_cast<int>(dtype::own), say::number};
  } else {
    using node = node_of<A>;
    return {static_cast<int>(dtype_of<value_of<node>>), rank_of<node> == 0 ? say::rank0 : say::axes};
  }
}

template <class... A>
inline constexpr int promoted_code = promote(fixed_array<operand_type, sizeof...(A)>{{operand_type_of<A>()...}});

template <class A>
struct element_of_argument {
  using type = typename as_operand_type<std::remove_cvref_t<A>>::type;
};
template <array A>
struct element_of_argument<A> {
  using type = value_of<node_of<A>>;
};

// The common type of elements of which some are of the program's own: the first of these that all become without being
// asked, or else the first of all.
template <int At, class T, class... More>
struct nth_type : nth_type<At - 1, More...> {};
template <class T, class... More>
struct nth_type<0, T, More...> {
  using type = T;
};
template <class To, class... From>
inline constexpr bool all_become = (std::is_convertible_v<const From&, To> && ...);
template <class... T>
inline constexpr int common_own = [] {
  const bool own[] = {own_element<T>...}, common[] = {own_element<T> && all_become<T, T...>...};
  int first = -1;
  for (int i = 0; i < static_cast<int>(sizeof...(T)); ++i) {
    if (common[i]) return i;
    if (own[i] && first < 0) first = i;
  }
  return first;
}();
template <int Code, class... A>
struct common_of : type_of<static_cast<dtype>(Code)> {};
template <class... A>
struct common_of<static_cast<int>(dtype::own), A...>
    : nth_type<common_own<typename element_of_argument<A>::type...>, typename element_of_argument<A>::type...> {};

template <class... A>
inline constexpr bool promotes_to_half =
    promoted_code<A...> != no_type && is_half(static_cast<dtype>(promoted_code<A...>));

}  // namespace detail

// The common type of arguments of these types: promoted<tensor<i32>&, double> is f32.
template <class... A>
  requires(detail::promoted_code<A...> != detail::no_type)
using promoted = typename detail::common_of<detail::promoted_code<A...>, A...>::type;

// An argument of a pointwise function: an array, a node, a C++ number, or a constant, which counts as its number.
template <class T>
concept operand = array<T> || detail::number_or_constant<std::remove_cvref_t<T>>;

}  // namespace broadloom
