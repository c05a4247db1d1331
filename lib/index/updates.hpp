// The ways to update an element, and the choice of a loop by update and type.
#pragma once

#include <concepts>
#include <cstdint>
#include <cstring>
#include <type_traits>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include <broadloom/fn/half.hpp>

#include "../base/by_type.hpp"
#include "../base/limits.hpp"
#include "../base/tuned.hpp"
#include "../base/vectors.hpp"
#include "walk.hpp"

namespace broadloom::runtime {

struct put_f {
  template <class T>
  static T on(T, T x) {
    return x;
  }
};
// Integers wrap around; those of fewer than 32 bits are not widened to int, which could overflow.
template <class T>
using wrapping = std::conditional_t<!std::is_integral_v<T> || std::is_same_v<T, bool>, T,
                                    std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>>;
struct add_f {
  template <class T>
  static T on(T a, T x) {
    return static_cast<T>(static_cast<wrapping<T>>(a) + static_cast<wrapping<T>>(x));
  }
};
struct mul_f {
  template <class T>
  static T on(T a, T x) {
    if constexpr (std::is_same_v<T, bool>)
      return a && x;
    else
      return static_cast<T>(static_cast<wrapping<T>>(a) * static_cast<wrapping<T>>(x));
  }
};
// x where it comes first, without a branch: which of two random numbers is greater cannot be foreseen. Of integers
// compilers make one instruction of it if they are told so.
template <class T>
T chosen(bool first, T x, T a) {
  if constexpr (std::is_integral_v<T>) return __builtin_expect_with_probability(first, 1, 0.5) ? x : a;
  using U = std::conditional_t<sizeof(T) == 8, std::uint64_t,
                               std::conditional_t<sizeof(T) == 4, std::uint32_t,
                                                  std::conditional_t<sizeof(T) == 2, std::uint16_t, std::uint8_t>>>;
  U bits, other;
  std::memcpy(&bits, &x, sizeof x);
  std::memcpy(&other, &a, sizeof a);
  const auto mask = static_cast<U>(U{0} - static_cast<U>(first));
  bits = static_cast<U>((bits & mask) | (other & static_cast<U>(~mask)));
  std::memcpy(static_cast<void*>(&x), &bits, sizeof x);
  return x;
}
// The minimum or maximum of an element and a number: NaN in the element's place stays.
template <bool Largest>
struct min_max_of_number_f {
  template <class T>
  static T on_one(T a, T x) {
#if defined(__SSE2__)  // which of two random numbers is greater cannot be foreseen
    if constexpr (std::is_same_v<T, float>) {
      const __m128 p = _mm_set_ss(x), q = _mm_set_ss(a);
      return _mm_cvtss_f32(Largest ? _mm_max_ss(p, q) : _mm_min_ss(p, q));
    } else if constexpr (std::is_same_v<T, double>) {
      const __m128d p = _mm_set_sd(x), q = _mm_set_sd(a);
      return _mm_cvtsd_f64(Largest ? _mm_max_sd(p, q) : _mm_min_sd(p, q));
    } else
#endif
      return chosen(Largest ? a < x : x < a, x, a);
  }
};
// NaN wins.
template <bool Largest>
struct min_max_f {
  using of_number = min_max_of_number_f<Largest>;
  template <class T>
  static bool takes(T a, T x) {
    const bool better = Largest ? a < x : x < a;
    if constexpr (is_floating(dtype_of<T>)) return better | (x != x);
    return better;
  }
  // For vectors of elements, and for one whose place is anywhere.
  template <class T>
  static T on(T a, T x) {
    return takes(a, x) ? x : a;
  }
#if defined(__SSE2__)
  // The same of 16 bytes: the processor's gives its second operand where one is NaN, or both are 0.
  static __m128 on_vector(__m128 a, __m128 x) {
    const __m128 r = Largest ? _mm_max_ps(x, a) : _mm_min_ps(x, a), nan = _mm_cmpunord_ps(x, x);
    return _mm_or_ps(_mm_and_ps(nan, x), _mm_andnot_ps(nan, r));
  }
  static __m128d on_vector(__m128d a, __m128d x) {
    const __m128d r = Largest ? _mm_max_pd(x, a) : _mm_min_pd(x, a), nan = _mm_cmpunord_pd(x, x);
    return _mm_or_pd(_mm_and_pd(nan, x), _mm_andnot_pd(nan, r));
  }
#endif
  template <class T>
  static T on_one(T a, T x) {
#if defined(__SSE2__)
    // The processor's gives its second operand where one is NaN. That x is none can be foreseen.
    if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double>) return x == x ? of_number::on_one(a, x) : x;
#endif
    return chosen(takes(a, x), x, a);
  }
};
using amin_f = min_max_f<false>;
using amax_f = min_max_f<true>;

template <class T>
T load(const std::byte* p) {
  T x;
  std::memcpy(&x, p, sizeof x);
  return x;
}

template <class Op, class T>
void update_one(std::byte* p, T x) {
  if constexpr (requires { Op::on_one(x, x); })
    x = Op::on_one(load<T>(p), x);
  else if constexpr (!std::is_same_v<Op, put_f>)
    x = Op::on(load<T>(p), x);
  std::memcpy(p, &x, sizeof x);
}

// Whether n elements in a line are numbers, of an update for which that is simpler to know beforehand.
template <class Op, class T>
bool are_numbers([[maybe_unused]] const std::byte* from, [[maybe_unused]] index n) {
  if constexpr ((std::is_same_v<T, float> || std::is_same_v<T, double>) && requires { typename Op::of_number; }) {
    constexpr auto size = static_cast<index>(sizeof(T));
    using vector = vec<T, 16>;
    constexpr index width = 16 / size;
    decltype(vector{} != vector{}) nans{};
    index i = 0;
    for (; i + 2 * width <= n; i += 2 * width) {
      vector x, y;
      std::memcpy(&x, from + i * size, sizeof x);
      std::memcpy(&y, from + (i + width) * size, sizeof y);
      nans += x != x;  // GCC takes `or` of comparisons of f64 apart where SSE2 is all there is
      nans += y != y;
    }
    bool nan = false;
    for (; i < n; ++i) {
      const T x = load<T>(from + i * size);
      nan |= x != x;
    }
    for (index k = 0; k < width; ++k) nan |= nans[k] != 0;
    return !nan;
  } else
    return false;
}

constexpr index far_bytes = index{1} << 20;  // beyond a core's own caches

inline index span_of(const position_term& t) { return t.extent * (t.step < 0 ? -t.step : t.step); }
// Whether threads that divide the destinations of single elements are faster than one thread.
inline bool divides_destinations(const position_term& t, int threads) {
  const index span = span_of(t);
  return span > far_bytes &&
         (threads >= limits::scattering::least_threads || (threads > 1 && span > tuned_size(tuned::streamed_bytes)));
}

// An update of a line by a line: where that takes fewer instructions, by the function's vectors of 16 bytes.
template <class Op, class T>
void update_line(std::byte* to, const std::byte* from, index n) {
  constexpr auto size = static_cast<index>(sizeof(T));
  index i = 0;
#if defined(__SSE2__)
  if constexpr ((std::is_same_v<T, float> || std::is_same_v<T, double>) && requires { typename Op::of_number; }) {
    using vector = vec<T, 16>;
    constexpr index width = 16 / size;
    for (; i + 2 * width <= n; i += 2 * width)
      for (index k = 0; k < 2; ++k) {
        std::byte* const p = to + (i + k * width) * size;
        vector a, x;  // __m128 or __m128d
        std::memcpy(&a, p, sizeof a);
        std::memcpy(&x, from + (i + k * width) * size, sizeof x);
        a = Op::on_vector(a, x);
        std::memcpy(p, &a, sizeof a);
      }
  }
#endif
  for (; i < n; ++i) {
    const T x = Op::on(load<T>(to + i * size), load<T>(from + i * size));
    std::memcpy(to + i * size, &x, sizeof x);
  }
}

// The type whose sums and products have the same bits: integers wrap around with a sign as they do without.
template <class T>
struct same_sums_of {
  using type = T;
};
template <std::signed_integral T>
struct same_sums_of<T> {
  using type = std::make_unsigned_t<T>;
};
template <class T>
using same_sums = typename same_sums_of<T>::type;
// Loop<Op, T>::value, a Function, for an element type.
template <template <class, class> class Loop, class Function, class T>
Function updater_of(update what) {
  // Complex numbers have no order; headers refuse minima and maxima of them.
  if constexpr (!is_complex(dtype_of<T>)) {
    if (what == update::amin) return Loop<amin_f, T>::value;
    if (what == update::amax) return Loop<amax_f, T>::value;
  }
  return what == update::add ? Loop<add_f, same_sums<T>>::value : Loop<mul_f, same_sums<T>>::value;
}
// The same for a type known by name. For put only its size matters.
template <template <class, class> class Loop, class Function>
Function updater(dtype type, update what, int size) {
  if (what == update::overwrite) {
    Function f = nullptr;
    with_size(size, [&]<class T>(T) { f = Loop<put_f, T>::value; });
    return f;
  }
  return by_type(all_types{}, type, [what]<class T>() { return updater_of<Loop, Function, T>(what); });
}

}  // namespace broadloom::runtime
