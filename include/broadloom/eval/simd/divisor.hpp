// Division by a divisor that a whole row shares: multiplication by its reciprocal, corrected to the exact bits of one
// division.
//
// Let y, x and the quotient be normal, r = RN(1/y), s = RN(RN(1 - r y) r), and, each with one rounding, q = RN(x r +
// RN(x s)), e = RN(x - q y), q' = RN(q + e r). Then q' = RN(x/y). Take y in [1,2), so that ulp(y) = 2u and |r - 1/y| <=
// u/2, and d = ulp(x/y).
//   1 - r y is exact, so r + s is 1/y but for O(u^2), and q, the rounding of a number that is O(u d) off (d/8 more
//   where x s is subnormal), is x/y or one of its two neighbours. e = x - q y is then a multiple of 2u d below 2 d:
//   exact. So q' rounds x/y + t with |t| = |x/y - q| y |r - 1/y|. q' could be wrong only if a midpoint m of two numbers
//   were between x/y and x/y + t. x/y is none, and |x - m y| is a multiple of u d, so h = |x/y - m| >= u d / y, while
//   |x/y - q| <= d/2 + h and y <= 2 - 2u give |t| <= (d/2 + h) y u / 2 < h.
// This holds while y is in the range below and |q'| is not less than `least`, which keeps e exact. Where something
// overflows, as with an infinite x, e is infinite and q' is NaN, or q' is right. So what is less than `least` or NaN is
// divided, and everything where the processor rounds otherwise.
#pragma once

#include <broadloom/eval/simd/kernel.hpp>
#include <broadloom/fn/fma.hpp>
#include <broadloom/fn/lanes.hpp>

#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wpsabi"
#endif

namespace broadloom {

namespace lanes {
struct div_f;
}

namespace detail {

template <class T>
struct safe_range;
template <>
struct safe_range<float> {
  static constexpr float largest_y = 0x1p100f, least_x = 0x1p-100f, least_quotient = 0x1p-124f;
};
template <>
struct safe_range<double> {
  static constexpr double largest_y = 0x1p960, least_x = 0x1p-960, least_quotient = 0x1p-1020;
};

// Vectors that have fused multiply-add wherever they are used. Clang has no function for it before version 17.
#if defined(__x86_64__) && (!defined(__clang__) || __has_builtin(__builtin_elementwise_fma))
template <class V>
inline constexpr bool has_fused_lanes = sizeof(V) == 32 || sizeof(V) == 64;
#else
template <class V>
inline constexpr bool has_fused_lanes = false;
#endif

// c - a b, rounded once.
template <class V>
BROADLOOM_INLINE V less_product([[maybe_unused]] const V& a, [[maybe_unused]] const V& b, const V& c) {
#if __has_builtin(__builtin_elementwise_fma)
  return __builtin_elementwise_fma(-a, b, c);
#elif defined(__clang__)
  V r = c;
  for (int i = 0; i < lane_count<V>; ++i)
    if constexpr (__is_same(lane<V>, float))
      r[i] = __builtin_fmaf(-a[i], b[i], c[i]);
    else
      r[i] = __builtin_fma(-a[i], b[i], c[i]);
  return r;
#else
  V r = c;
#if defined(__x86_64__)
  if constexpr (__is_same(lane<V>, float))
    __asm__("vfnmadd231ps %2, %1, %0" : "+v"(r) : "v"(a), "v"(b));
  else
    __asm__("vfnmadd231pd %2, %1, %0" : "+v"(r) : "v"(a), "v"(b));
#endif
  return r;
#endif
}

// Whether the processor rounds to nearest and keeps subnormal numbers. This is the default, but programs can change
// it.
BROADLOOM_INLINE bool rounds_as_usual() {
#if defined(__x86_64__)
  constexpr unsigned rounding = 0x6000, flush_to_zero = 0x8000, zero_for_subnormals = 0x40;
  return (__builtin_ia32_stmxcsr() & (rounding | flush_to_zero | zero_for_subnormals)) == 0;
#else
  return false;
#endif
}

// Whether a lane of x is less than y's or NaN.
template <class V>
BROADLOOM_INLINE bool any_below(const V& x, [[maybe_unused]] const V& y) {
#if __has_builtin(__builtin_reduce_and)
  return __builtin_reduce_and(x >= y) == 0;
#elif defined(__clang__)
  bool r = false;
  for (int i = 0; i < lane_count<V>; ++i) r = r || !(x[i] >= y[i]);
  return r;
#elif defined(__x86_64__)
  bool r;
  if constexpr (sizeof(V) == 64) {
    if constexpr (sizeof(lane<V>) == 4)
      __asm__("vcmpps $25, %2, %1, %%k1\n\tkortestw %%k1, %%k1" : "=@ccne"(r) : "v"(x), "v"(y) : "k1");
    else
      __asm__("vcmppd $25, %2, %1, %%k1\n\tkortestb %%k1, %%k1" : "=@ccne"(r) : "v"(x), "v"(y) : "k1");
  } else {
    V below;
    if constexpr (sizeof(lane<V>) == 4)
      __asm__("vcmpps $25, %3, %2, %1\n\tvptest %1, %1" : "=@ccne"(r), "=x"(below) : "x"(x), "x"(y));
    else
      __asm__("vcmppd $25, %3, %2, %1\n\tvptest %1, %1" : "=@ccne"(r), "=x"(below) : "x"(x), "x"(y));
  }
  return r;
#else
  return static_cast<bool>(x[0]);
#endif
}

// The divisor in N lanes; the same for all vectors of a row, or not.
template <class T, int N>
struct divisor {
  using vector = simd_vec<T, N>;
  static constexpr bool is_vector = N > 1 && has_fused_lanes<vector>;
  using bits = typename int_of<sizeof(T)>::u;
  using counts = simd_vec<bits, N>;

  vector y, reciprocal, rest;
  vector least;  // NaN if y is not shared or out of range: then no quotient passes

  BROADLOOM_INLINE divisor() : y{}, reciprocal{}, rest{}, least(splat<N>(static_cast<T>(__builtin_nan("")))) {}

  BROADLOOM_INLINE void share(T one) {
    y = splat<N>(one);
    if constexpr (is_vector) {
      using safe = safe_range<T>;
      const T size = one < 0 ? -one : one;
      if (!(size >= 1 / safe::largest_y && size <= safe::largest_y && rounds_as_usual())) return;
      const T by_x = 2 * safe::least_x / size;
      least = splat<N>(by_x < safe::least_quotient ? safe::least_quotient : by_x);
      const vector unit = splat<N>(T{1});
      reciprocal = lanes::over(unit, y);
      rest = lanes::rounded(vector(less_product(reciprocal, y, unit) * reciprocal));
    }
  }

  // The quotient, if it is neither less than `least` nor NaN.
  BROADLOOM_INLINE vector quick(const vector& x) const {
    const vector nearly = lanes::fused(x, reciprocal, lanes::rounded(vector(x * rest)));
    return lanes::fused(less_product(nearly, y, x), reciprocal, nearly);
  }
  BROADLOOM_INLINE vector under(const vector& x) const {
    if constexpr (is_vector) {
      constexpr bits no_sign = static_cast<bits>(~bits{}) >> 1;
      const vector q = quick(x);
      const counts size = __builtin_bit_cast(counts, q) & splat<N>(no_sign);
      if (__builtin_expect(!any_below(__builtin_bit_cast(vector, size), least), 1)) return q;
    }
    return lanes::over(x, y);
  }
};

// A program in which a divisor that a row shares is an input of a kind of its own.
template <class T>
struct divided_f {
  template <class, class>
  using result = T;
  template <class V, int N>
  BROADLOOM_INLINE static V on(const V& x, const divisor<T, N>& y) {
    return y.under(x);
  }
};
template <class Input>
struct divisor_input {
  using type = typename Input::type;
};

template <int N, class Input>
struct input_cursor<N, divisor_input<Input>> : input_cursor<N, Input> {
  using T = typename Input::type;
  using lanes_type = divisor<T, N>;
  static constexpr bool is_scalar = requires(const input_cursor<N, Input>& x) { x.value; };
  divisor<T, N> by;
  BROADLOOM_INLINE explicit input_cursor(const runtime::slot* in) : input_cursor<N, Input>(in), by{} {
    if constexpr (is_scalar) by.share(this->value[0]);
  }
  BROADLOOM_INLINE void set_step(const runtime::slot* in) {
    input_cursor<N, Input>::set_step(in);
    if constexpr (!is_scalar)
      if (this->step == 0) by.share(*reinterpret_cast<const T*>(this->at));
  }
  template <bool Dense>
  BROADLOOM_INLINE divisor<T, N> next([[maybe_unused]] index i) {
    if constexpr (is_scalar)
      return by;
    else if constexpr (Dense) {
      divisor<T, N> own{};
      own.y = input_cursor<N, Input>::template next<true>(i);
      return own;
    } else {
      if (this->step != 0) by.y = input_cursor<N, Input>::template next<false>(i);
      return by;
    }
  }
};
template <class Input>
inline constexpr int widest<divisor_input<Input>> = register_bytes<typename Input::type>;

template <class P>
struct with_divisors {
  using type = P;
};
template <class F, class... P>
struct with_divisors<call<F, P...>> {
  using type = call<F, typename with_divisors<P>::type...>;
};
template <class T>
inline constexpr bool is_real_number = __is_same(T, float) || __is_same(T, double);
template <class A, int Slot, class T>
  requires(is_real_number<T> && __is_same(typename A::type, T))
struct with_divisors<call<by_shared<lanes::div_f>, A, input<Slot, T>>> {
  using type = call<divided_f<T>, typename with_divisors<A>::type, divisor_input<input<Slot, T>>>;
};
template <class A, int Slot, class T>
  requires(is_real_number<T> && __is_same(typename A::type, T))
struct with_divisors<call<by_shared<lanes::div_f>, A, scalar_input<Slot, T>>> {
  using type = call<divided_f<T>, typename with_divisors<A>::type, divisor_input<scalar_input<Slot, T>>>;
};

}  // namespace detail
}  // namespace broadloom

#if defined(__clang__)
#pragma clang diagnostic pop
#endif
