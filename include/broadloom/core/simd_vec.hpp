// Lanes from and to memory.
#pragma once

#include <broadloom/core/change_width.hpp>
#include <broadloom/core/lane_types.hpp>

#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wpsabi"
#else
#pragma GCC diagnostic ignored "-Wpsabi"
#endif

namespace broadloom::detail {

template <class T, int N>
BROADLOOM_INLINE simd_vec<T, N> load(const T* p) {
  if constexpr (N == 1)
    return *p;
  else if constexpr (is_complex_type<T>)
    return {load<real_of<T>, 2 * N>(reinterpret_cast<const real_of<T>*>(p))};
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
    return complex_of(splat<N>(x.real()), splat<N>(x.imag()));
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

// An element of memory in every lane.
template <int N, class T>
BROADLOOM_INLINE simd_vec<T, N> splat_at(const T* p) {
#if defined(__x86_64__) && !defined(__clang__)
  if constexpr (sizeof(simd_vec<T, N>) == 64 && (__is_same(T, float) || __is_same(T, double))) {
    simd_vec<T, N> r;
    if constexpr (__is_same(T, float))
      __asm__("vbroadcastss %1, %0" : "=v"(r) : "m"(*p));
    else
      __asm__("vbroadcastsd %1, %0" : "=v"(r) : "m"(*p));
    return r;
  } else
#endif
    return splat<N>(*p);
}

template <class T, class V>
BROADLOOM_INLINE void store(T* p, const V& x) {
  constexpr int n = lane_count<V>;
  if constexpr (n == 1)
    *p = x;
  else if constexpr (is_complex_type<T>)
    store(reinterpret_cast<real_of<T>*>(p), x.pairs);
  else if constexpr (__is_same(T, bool))
    *reinterpret_cast<typename vec_type<std::int8_t, n>::in_memory*>(p) = widen<1>(x) & std::int8_t{1};
  else if constexpr (is_half_type<T>)
    *reinterpret_cast<typename vec_type<std::uint16_t, n>::in_memory*>(p) = x.bits;
  else
    *reinterpret_cast<typename vec_type<T, n>::in_memory*>(p) = x;
}

#if defined(__x86_64__) && !defined(__clang__)
// The type of which a vector in memory consists.
template <class T>
using memory_lane =
    std::conditional_t<__is_same(T, bool), std::int8_t, std::conditional_t<is_half_type<T>, std::uint16_t, T>>;

// Some lanes of a vector of 16 bytes or more: those whose bit is set, of which the lowest is one. No other element is
// read; the other lanes are as the first, so what is computed with them is computed with the first, too. For functions
// for AVX-512 only. Assembly, as GCC has a function for each type and width.
template <class T, int N>
BROADLOOM_INLINE simd_vec<T, N> load_some(const T* p, std::uint64_t lanes) {
  using lane_type = memory_lane<T>;
  using memory = typename vec_type<lane_type, N>::in_memory;
  typename vec_type<lane_type, N>::type x;
  if constexpr (sizeof(T) == 1)
    __asm__("vpbroadcastb %1, %0\n\tvmovdqu8 %2, %0%{%3%}"
            : "=&v"(x)
            : "m"(*p), "m"(*reinterpret_cast<const memory*>(p)), "Yk"(lanes));
  else if constexpr (sizeof(T) == 2)
    __asm__("vpbroadcastw %1, %0\n\tvmovdqu16 %2, %0%{%3%}"
            : "=&v"(x)
            : "m"(*p), "m"(*reinterpret_cast<const memory*>(p)), "Yk"(lanes));
  else if constexpr (sizeof(T) == 4)
    __asm__("vpbroadcastd %1, %0\n\tvmovdqu32 %2, %0%{%3%}"
            : "=&v"(x)
            : "m"(*p), "m"(*reinterpret_cast<const memory*>(p)), "Yk"(lanes));
  else
    __asm__("vpbroadcastq %1, %0\n\tvmovdqu64 %2, %0%{%3%}"
            : "=&v"(x)
            : "m"(*p), "m"(*reinterpret_cast<const memory*>(p)), "Yk"(lanes));
  if constexpr (__is_same(T, bool))
    return {reinterpret_cast<typename vec_type<std::int8_t, N>::type>(x != 0)};
  else if constexpr (is_half_type<T>)
    return {x};
  else
    return x;
}
template <class T, class V>
BROADLOOM_INLINE void store_some(T* p, const V& x, std::uint64_t lanes) {
  typename vec_type<memory_lane<T>, lane_count<V>>::type all;
  if constexpr (__is_same(T, bool))
    all = widen<1>(x) & std::int8_t{1};
  else if constexpr (is_half_type<T>)
    all = x.bits;
  else
    all = x;
  auto& to = *reinterpret_cast<typename vec_type<memory_lane<T>, lane_count<V>>::in_memory*>(p);
  if constexpr (sizeof(T) == 1)
    __asm__("vmovdqu8 %1, %0%{%2%}" : "+m"(to) : "v"(all), "Yk"(lanes));
  else if constexpr (sizeof(T) == 2)
    __asm__("vmovdqu16 %1, %0%{%2%}" : "+m"(to) : "v"(all), "Yk"(lanes));
  else if constexpr (sizeof(T) == 4)
    __asm__("vmovdqu32 %1, %0%{%2%}" : "+m"(to) : "v"(all), "Yk"(lanes));
  else
    __asm__("vmovdqu64 %1, %0%{%2%}" : "+m"(to) : "v"(all), "Yk"(lanes));
}
#endif

// Whether 4 lanes of 4 bytes, each of which is true or false throughout, are all false.
template <class V>
BROADLOOM_INLINE bool all_are_false(const V& m) {
#if defined(__x86_64__)
  return __builtin_ia32_movmskps(__builtin_bit_cast(typename vec_type<float, 4>::type, m)) == 0;
#else
  std::uint64_t halves[2];
  __builtin_memcpy(halves, &m, sizeof halves);
  return (halves[0] | halves[1]) == 0;
#endif
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
