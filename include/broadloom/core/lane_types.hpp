// Vectors of lanes through the compilers' vector extensions, and the masks that comparisons of them give.
// They are values of always-inlined code only: by value across a real call their convention depends on the target in
// force.
#pragma once

#include <cstdint>
#include <type_traits>

#include <broadloom/core/array.hpp>
#include <broadloom/core/complex.hpp>
#include <broadloom/core/half_type.hpp>
#include <broadloom/core/index.hpp>

#define BROADLOOM_INLINE [[gnu::always_inline]] inline

#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wpsabi"
#else
#pragma GCC diagnostic ignored "-Wpsabi"
#endif

namespace broadloom::detail {

template <class T, int N>
struct vec_type {
  typedef T type __attribute__((vector_size(sizeof(T) * N)));
  typedef T in_memory __attribute__((vector_size(sizeof(T) * N), aligned(1), may_alias));
};

template <int Bytes>
struct int_of;
template <>
struct int_of<1> {
  using type = std::int8_t;
  using u = std::uint8_t;
};
template <>
struct int_of<2> {
  using type = std::int16_t;
  using u = std::uint16_t;
};
template <>
struct int_of<4> {
  using type = std::int32_t;
  using u = std::uint32_t;
};
template <>
struct int_of<8> {
  using type = std::int64_t;
  using u = std::uint64_t;
};

// The lanes' truth: all bits set or none in an integer of any width.
template <class V>
struct mask {
  V v;
};

// Lanes of complex numbers as they are in memory: the parts of each number side by side.
template <class V>
struct complex_vec {
  V pairs;
};

// Lanes of floating numbers of 16 bits, of type H: their bits. They are moved and selected, not computed with.
template <class H, class V>
struct half_vec {
  V bits;
};

template <class V>
struct lanes_of {
  using type = V;
  static constexpr int count = 1;
};
template <class V>
  requires requires(V v) { v[0]; }
struct lanes_of<V> {
  using type = std::remove_cvref_t<decltype(V{}[0])>;
  static constexpr int count = sizeof(V) / sizeof(type);
};
template <class V>
struct lanes_of<mask<V>> {
  using type = bool;
  static constexpr int count = lanes_of<V>::count;
};

template <class V>
struct lanes_of<complex_vec<V>> {
  using type = std::complex<typename lanes_of<V>::type>;
  static constexpr int count = lanes_of<V>::count / 2;
};

template <class H, class V>
struct lanes_of<half_vec<H, V>> {
  using type = H;
  static constexpr int count = lanes_of<V>::count;
};

// The element type of a scalar, a vector or a mask.
template <class V>
using lane = typename lanes_of<V>::type;
template <class V>
inline constexpr int lane_count = lanes_of<V>::count;
template <class V>
concept vector = lane_count<V> > 1;
template <class V>
concept complexes = is_complex_type<lane<V>>;

template <class T, int N>
struct simd_vec_of {
  using type = typename vec_type<T, N>::type;
};
template <int N>
struct simd_vec_of<bool, N> {
  using type = mask<typename vec_type<std::int8_t, N>::type>;
};
template <class T>
struct simd_vec_of<T, 1> {
  using type = T;
};
template <>
struct simd_vec_of<bool, 1> {
  using type = bool;
};
template <int N>
struct simd_vec_of<float16, N> {
  using type = half_vec<float16, typename vec_type<std::uint16_t, N>::type>;
};
template <>
struct simd_vec_of<float16, 1> {
  using type = float16;
};
template <int N>
struct simd_vec_of<bfloat16, N> {
  using type = half_vec<bfloat16, typename vec_type<std::uint16_t, N>::type>;
};
template <>
struct simd_vec_of<bfloat16, 1> {
  using type = bfloat16;
};
template <class T, int N>
struct simd_vec_of<std::complex<T>, N> {
  using type = complex_vec<typename vec_type<T, 2 * N>::type>;
};
template <class T>
struct simd_vec_of<std::complex<T>, 1> {
  using type = std::complex<T>;
};
// N lanes of T: T itself when N is 1.
template <class T, int N>
using simd_vec = typename simd_vec_of<T, N>::type;

// The lanes of a, and behind them those of b, by their numbers.
template <int... At, class V>
BROADLOOM_INLINE constexpr auto shuffled(const V& a, [[maybe_unused]] const V& b) {
#if __has_builtin(__builtin_shufflevector)
  return __builtin_shufflevector(a, b, At...);
#else  // GCC 11
  constexpr int n = lane_count<V>;
  if constexpr (sizeof...(At) == n)
    return __builtin_shuffle(a, b, typename vec_type<typename int_of<sizeof(lane<V>)>::type, n>::type{At...});
  else
    return typename vec_type<lane<V>, sizeof...(At)>::type{(At < n ? a[At < n ? At : 0] : b[At < n ? 0 : At - n])...};
#endif
}

// The parts of complex numbers, and numbers made of parts.
template <int First, class V, int... At>
BROADLOOM_INLINE constexpr auto every_second(const V& x, sequence<At...>) {
  return shuffled<(2 * At + First)...>(x, x);
}
template <complexes V>
BROADLOOM_INLINE constexpr auto real_part(const V& x) {
  if constexpr (vector<V>)
    return every_second<0>(x.pairs, make_sequence<lane_count<V>>{});
  else
    return x.real();
}
template <complexes V>
BROADLOOM_INLINE constexpr auto imaginary_part(const V& x) {
  if constexpr (vector<V>)
    return every_second<1>(x.pairs, make_sequence<lane_count<V>>{});
  else
    return x.imag();
}
template <class V, int... At>
BROADLOOM_INLINE constexpr auto paired(const V& re, const V& im, sequence<At...>) {
  return shuffled<(At % 2 * lane_count<V> + At / 2)...>(re, im);
}
template <class V>
BROADLOOM_INLINE constexpr auto complex_of(const V& re, const V& im) {
  if constexpr (vector<V>)
    return simd_vec<std::complex<lane<V>>, lane_count<V>>{paired(re, im, make_sequence<2 * lane_count<V>>{})};
  else
    return std::complex<V>(re, im);
}

}  // namespace broadloom::detail

#if defined(__clang__)
#pragma clang diagnostic pop
#endif
