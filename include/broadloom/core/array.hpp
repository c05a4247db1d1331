// A fixed-size array that is cheap to include and can be a template argument.
#pragma once

#include <utility>

#include <broadloom/core/index.hpp>

namespace broadloom::detail {

template <class T, int N>
struct fixed_array {
  T v[N == 0 ? 1 : N];

  static constexpr int count = N;
  constexpr T& operator[](index i) { return v[i]; }
  constexpr const T& operator[](index i) const { return v[i]; }
  constexpr T* begin() { return v; }
  constexpr T* end() { return v + N; }
  constexpr const T* begin() const { return v; }
  constexpr const T* end() const { return v + N; }

  friend constexpr bool operator==(const fixed_array& a, const fixed_array& b) {
    for (int i = 0; i < N; ++i)
      if (!(a.v[i] == b.v[i])) return false;
    return true;
  }
};

template <std::size_t At, class T, int N>
constexpr const T& get(const fixed_array<T, N>& a) {
  return a.v[At];
}
template <std::size_t At, class T, int N>
constexpr T& get(fixed_array<T, N>& a) {
  return a.v[At];
}
template <std::size_t At, class T, int N>
constexpr T&& get(fixed_array<T, N>&& a) {
  return static_cast<T&&>(a.v[At]);
}

template <int N>
using indices = fixed_array<index, N>;

// The numbers 0 ... N-1 as a type, for folds over axes and operands.
template <int... At>
struct sequence {};

#if defined(__clang__)
template <class, int... At>
struct make_sequence_from {
  using type = sequence<At...>;
};
template <int N>
using make_sequence = typename __make_integer_seq<make_sequence_from, int, N>::type;
#else
template <int N>
using make_sequence = sequence<__integer_pack(N)...>;
#endif

}  // namespace broadloom::detail

// Results of several arrays, as of where(x > 1), are taken apart: auto [i, j] = ...
template <class T, int N>
struct std::tuple_size<broadloom::detail::fixed_array<T, N>> : std::integral_constant<std::size_t, N> {};
template <std::size_t At, class T, int N>
struct std::tuple_element<At, broadloom::detail::fixed_array<T, N>> {
  using type = T;
};
