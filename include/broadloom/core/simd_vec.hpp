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

// Lanes of complex numbers: their parts in a vector each.
template <class V>
struct complex_vec {
  V re, im;
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
  static constexpr int count = lanes_of<V>::count;
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

// The parts of complex numbers, and numbers made of parts.
template <complexes V>
BROADLOOM_INLINE constexpr auto real_part(const V& x) {
  if constexpr (vector<V>)
    return x.re;
  else
    return x.real();
}
template <complexes V>
BROADLOOM_INLINE constexpr auto imaginary_part(const V& x) {
  if constexpr (vector<V>)
    return x.im;
  else
    return x.imag();
}
template <class V>
BROADLOOM_INLINE constexpr auto complex_of(const V& re, const V& im) {
  if constexpr (vector<V>)
    return complex_vec<V>{re, im};
  else
    return std::complex<V>(re, im);
}

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
  using type = complex_vec<typename vec_type<T, N>::type>;
};
template <class T>
struct simd_vec_of<std::complex<T>, 1> {
  using type = std::complex<T>;
};
// N lanes of T: T itself when N is 1.
template <class T, int N>
using simd_vec = typename simd_vec_of<T, N>::type;

template <class T, int N, int... I>
BROADLOOM_INLINE simd_vec<std::complex<T>, N> load_parts(const T* p, sequence<I...>) {
  using pairs = vec_type<T, 2 * N>;
  const typename pairs::type x = *reinterpret_cast<const typename pairs::in_memory*>(p);
  return {__builtin_shufflevector(x, x, 2 * I...), __builtin_shufflevector(x, x, (2 * I + 1)...)};
}
template <class T, class V, int... I>
BROADLOOM_INLINE void store_parts(T* p, const V& re, const V& im, sequence<I...>) {
  using pairs = vec_type<T, sizeof...(I)>;
  constexpr int n = sizeof...(I) / 2;
  *reinterpret_cast<typename pairs::in_memory*>(p) = __builtin_shufflevector(re, im, (I % 2 * n + I / 2)...);
}

template <class T, int N>
BROADLOOM_INLINE simd_vec<T, N> load(const T* p) {
  if constexpr (N == 1)
    return *p;
  else if constexpr (is_complex_type<T>)
    return load_parts<real_of<T>, N>(reinterpret_cast<const real_of<T>*>(p), make_sequence<N>{});
  else if constexpr (__is_same(T, bool)) {
    const auto bytes = *reinterpret_cast<const typename vec_type<std::int8_t, N>::in_memory*>(p);
    return {reinterpret_cast<typename vec_type<std::int8_t, N>::type>(bytes != 0)};
  } else if constexpr (is_half_type<T>)
    return {*reinterpret_cast<const typename vec_type<std::uint16_t, N>::in_memory*>(p)};
  else
    return *reinterpret_cast<const typename vec_type<T, N>::in_memory*>(p);
}

template <int N, class T>
BROADLOOM_INLINE simd_vec<T, N> splat(T x) {
  if constexpr (N == 1)
    return x;
  else if constexpr (is_complex_type<T>)
    return {splat<N>(x.real()), splat<N>(x.imag())};
  else if constexpr (__is_same(T, bool))
    return {typename vec_type<std::int8_t, N>::type{} - static_cast<std::int8_t>(x)};
  else if constexpr (is_half_type<T>)
    return {splat<N>(__builtin_bit_cast(std::uint16_t, x))};
#if defined(__x86_64__) && !defined(__clang__)
  else if constexpr (sizeof(simd_vec<T, N>) == 64) {  // GCC 12 would fill the lanes one by one
    simd_vec<T, N> r;
    if constexpr (__is_same(T, float))
      __asm__("vbroadcastss %1, %0" : "=v"(r) : "v"(x));
    else if constexpr (__is_same(T, double))
      __asm__("vbroadcastsd %1, %0" : "=v"(r) : "v"(x));
    else if constexpr (sizeof(T) == 8)
      __asm__("vpbroadcastq %1, %0" : "=v"(r) : "r"(x));
    else if constexpr (sizeof(T) == 4)
      __asm__("vpbroadcastd %1, %0" : "=v"(r) : "r"(x));
    else if constexpr (sizeof(T) == 2)
      __asm__("vpbroadcastw %k1, %0" : "=v"(r) : "r"(x));
    else
      __asm__("vpbroadcastb %k1, %0" : "=v"(r) : "r"(x));
    return r;
  }
#endif
  else
    return x - simd_vec<T, N>{};
}

#if defined(__x86_64__) && !defined(__clang__)
template <class To, class V, int... I>
BROADLOOM_INLINE constexpr auto low_parts(const V& x, sequence<I...>) {
  using parts = typename vec_type<To, static_cast<int>(sizeof(V) / sizeof(To))>::type;
  const auto p = reinterpret_cast<parts>(x);
  return __builtin_shufflevector(p, p, I * static_cast<int>(sizeof(lane<V>) / sizeof(To))...);
}
#endif

// Integers as integers of another width: their low bits, or extended as their own type is. Where the width changes by
// more than a factor of two GCC 12 converts one element after the other, and does not find the instructions of AVX2 and
// AVX-512 for it.
template <class To, class V>
BROADLOOM_INLINE constexpr simd_vec<To, lane_count<V>> change_width(const V& x) {
  using from = lane<V>;
  using R = simd_vec<To, lane_count<V>>;
  constexpr bool is_signed = from(-1) < from(0);
  if constexpr (sizeof(To) > 2 * sizeof(from)) {
#if defined(__x86_64__) && !defined(__clang__)
    if constexpr (sizeof(R) >= 32) {
      R r;
      if constexpr (sizeof(from) == 1 && sizeof(To) == 4) {
        if constexpr (is_signed)
          __asm__("vpmovsxbd %1, %0" : "=v"(r) : "v"(x));
        else
          __asm__("vpmovzxbd %1, %0" : "=v"(r) : "v"(x));
      } else if constexpr (sizeof(from) == 1) {
        if constexpr (is_signed)
          __asm__("vpmovsxbq %1, %0" : "=v"(r) : "v"(x));
        else
          __asm__("vpmovzxbq %1, %0" : "=v"(r) : "v"(x));
      } else {
        if constexpr (is_signed)
          __asm__("vpmovsxwq %1, %0" : "=v"(r) : "v"(x));
        else
          __asm__("vpmovzxwq %1, %0" : "=v"(r) : "v"(x));
      }
      return r;
    } else
#endif
    {
      using wider = int_of<2 * sizeof(from)>;
      return change_width<To>(change_width<std::conditional_t<is_signed, typename wider::type, typename wider::u>>(x));
    }
  } else if constexpr (sizeof(from) > 2 * sizeof(To) && lane_count<V> > 2) {
#if defined(__x86_64__) && !defined(__clang__)
    if constexpr (sizeof(V) == 64 && sizeof(R) == 16) {
      R r;
      if constexpr (sizeof(from) == 4)
        __asm__("vpmovdb %1, %0" : "=v"(r) : "v"(x));
      else
        __asm__("vpmovqw %1, %0" : "=v"(r) : "v"(x));
      return r;
    } else if constexpr (sizeof(V) == 32)
      return low_parts<To>(x, make_sequence<lane_count<V>>{});
    else
#endif
      return change_width<To>(change_width<typename int_of<sizeof(from) / 2>::u>(x));
  } else
    return __builtin_convertvector(x, R);
}

// The same mask in integers of another width.
template <int Bytes, class V>
BROADLOOM_INLINE auto widen(const mask<V>& m) {
  if constexpr (sizeof(lane<V>) == Bytes)
    return m.v;
  else
    return change_width<typename int_of<Bytes>::type>(m.v);
}

template <class T, class V>
BROADLOOM_INLINE void store(T* p, const V& x) {
  constexpr int n = lane_count<V>;
  if constexpr (n == 1)
    *p = x;
  else if constexpr (is_complex_type<T>)
    store_parts(reinterpret_cast<real_of<T>*>(p), x.re, x.im, make_sequence<2 * n>{});
  else if constexpr (__is_same(T, bool))
    *reinterpret_cast<typename vec_type<std::int8_t, n>::in_memory*>(p) = widen<1>(x) & std::int8_t{1};
  else if constexpr (is_half_type<T>)
    *reinterpret_cast<typename vec_type<std::uint16_t, n>::in_memory*>(p) = x.bits;
  else
    *reinterpret_cast<typename vec_type<T, n>::in_memory*>(p) = x;
}

// Vectors for which there is a streaming store.
template <class V>
inline constexpr bool can_stream = false;
template <vector V>
inline constexpr bool can_stream<V> = !__is_same(lane<V>, bool) && !complexes<V> && sizeof(V) >= 16;

// A store to an aligned place that leaves the caches alone.
template <class T, class V>
BROADLOOM_INLINE void stream(T* p, const V& x) {
#if defined(__clang__)
  __builtin_nontemporal_store(x, reinterpret_cast<V*>(p));
#elif defined(__x86_64__)
  if constexpr (sizeof(V) == 16)
    __asm__ volatile("%vmovntps %1, %0"
                     : "=m"(*reinterpret_cast<typename vec_type<T, lane_count<V>>::in_memory*>(p))
                     : "x"(x));
  else
    __asm__ volatile("vmovntps %1, %0"
                     : "=m"(*reinterpret_cast<typename vec_type<T, lane_count<V>>::in_memory*>(p))
                     : "v"(x));
#else
  store(p, x);
#endif
}
template <class T, class H, class V>
BROADLOOM_INLINE void stream(T* p, const half_vec<H, V>& x) {
  stream(reinterpret_cast<std::uint16_t*>(p), x.bits);
}

}  // namespace broadloom::detail

#if defined(__clang__)
#pragma clang diagnostic pop
#endif
