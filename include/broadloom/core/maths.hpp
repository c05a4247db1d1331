// Transcendental functions on strips of elements: compiled, vectorised, chosen by processor at run time.
#pragma once

#include <broadloom/core/api.hpp>
#include <broadloom/core/index.hpp>

namespace broadloom::runtime {

// accurate: within 1 ULP or so of the true value (erfc 1.5, gelu 4), and the same bits on every processor with FMA.
// fast: within 4 ULP; bits may differ from processor to processor.
enum class accuracy : unsigned char { accurate, fast };

enum class maths1 : unsigned char {
  exp,
  exp2,
  exp10,
  expm1,
  log,
  log2,
  log10,
  log1p,
  cbrt,
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  sinh,
  cosh,
  tanh,
  asinh,
  acosh,
  atanh,
  erf,
  erfc,
  lgamma,
  tgamma,
  gelu
};
inline constexpr int maths1_count = static_cast<int>(maths1::gelu) + 1;

enum class maths2 : unsigned char { pow, atan2, hypot, fmod };
inline constexpr int maths2_count = static_cast<int>(maths2::fmod) + 1;

// out[i] = f(x[i]) for i < n. Any n, any alignment; out may be x, but not overlap it otherwise.
// The value of an element depends on x[i] alone, never on i, n or the alignment. Special values are those of C99.
BROADLOOM_API void map1(maths1 f, accuracy a, bool f64, const void* x, void* out, index n) noexcept;
inline void map1(maths1 f, accuracy a, const float* x, float* out, index n) noexcept { map1(f, a, false, x, out, n); }
inline void map1(maths1 f, accuracy a, const double* x, double* out, index n) noexcept { map1(f, a, true, x, out, n); }

// out[i] = f(x[i], y[i]), on the same terms; out may be x or y. pow(x, y), atan2(y, x) as in C, hypot, and C's fmod.
BROADLOOM_API void map2(maths2 f, accuracy a, bool f64, const void* x, const void* y, void* out, index n) noexcept;
inline void map2(maths2 f, accuracy a, const float* x, const float* y, float* out, index n) noexcept {
  map2(f, a, false, x, y, out, n);
}
inline void map2(maths2 f, accuracy a, const double* x, const double* y, double* out, index n) noexcept {
  map2(f, a, true, x, y, out, n);
}

// to[0] = sin(*x) and to[1] = cos(*x) of one element, the accurate ones.
BROADLOOM_API void sine_and_cosine(bool f64, const void* x, void* to) noexcept;

// Functions of strips of elements.
template <class T>
using strip1 = void (*)(const T* x, T* out, index n);
template <class T>
using strip2 = void (*)(const T* x, const T* y, T* out, index n);

// x^by alone, where that is simpler than any power; else null. The elements are those that pow gives.
struct power_loops {
  strip1<float> f32;
  strip1<double> f64;
};
BROADLOOM_API power_loops find_power(double by, accuracy a) noexcept;

// Where a function's code comes from at the level in force: "sleef", "libmvec", "libm" or "broadloom".
BROADLOOM_API const char* backend(maths1 f, accuracy a, bool f64) noexcept;
BROADLOOM_API const char* backend(maths2 f, accuracy a, bool f64) noexcept;

}  // namespace broadloom::runtime
