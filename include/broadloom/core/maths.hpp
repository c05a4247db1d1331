// Transcendental functions on strips of elements: compiled, vectorised, chosen by processor at run time.
#pragma once

#include <broadloom/core/api.hpp>
#include <broadloom/core/index.hpp>

namespace broadloom::runtime {

// accurate: within 1 ULP or so of the true value (erfc 1.5), and the same bits on every processor with FMA.
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
  tgamma
};
inline constexpr int maths1_count = static_cast<int>(maths1::tgamma) + 1;

enum class maths2 : unsigned char { pow, atan2, hypot, fmod };
inline constexpr int maths2_count = static_cast<int>(maths2::fmod) + 1;

// out[i] = f(x[i]) for i < n. Any n, any alignment; out may be x, but not overlap it otherwise.
// The value of an element depends on x[i] alone, never on i, n or the alignment. Special values are those of C99.
BROADLOOM_API void map1(maths1 f, accuracy a, const float* x, float* out, index n) noexcept;
BROADLOOM_API void map1(maths1 f, accuracy a, const double* x, double* out, index n) noexcept;

// out[i] = f(x[i], y[i]), on the same terms; out may be x or y. pow(x, y), atan2(y, x) as in C, hypot, and C's fmod.
BROADLOOM_API void map2(maths2 f, accuracy a, const float* x, const float* y, float* out, index n) noexcept;
BROADLOOM_API void map2(maths2 f, accuracy a, const double* x, const double* y, double* out, index n) noexcept;

// The functions behind map1 and map2 at the level in force, for callers that look them up once per evaluation.
template <class T>
using strip1 = void (*)(const T* x, T* out, index n);
template <class T>
using strip2 = void (*)(const T* x, const T* y, T* out, index n);

// A function of rows of elements, optionally after arithmetic with one number of each row, and the sums of its
// results: for each strip of summed_strip elements, in order, 64 bytes of lanes, of which lane k has the sum of
// elements k, k + lanes, k + 2 lanes ... in this order. Pitches are the distances of rows, in elements. With each
// 64 bytes a line from `prefetch` on is prefetched, `prefetch_step` bytes further each time.
inline constexpr index summed_strip = 512;
enum class before : unsigned char { nothing, minus, times };
inline constexpr int before_count = 3;
// Rows of elements divided by one number of each row; pitches in elements. `streaming`: `out` is aligned to vectors.
struct divided_rows {
  const void* x;
  index x_pitch;
  const void* by;
  index by_pitch;
  void* out;
  index out_pitch;
  bool streaming;
};
template <class T>
struct summed_rows {
  const T* x;
  index x_pitch;
  const T* by;
  index by_pitch;
  T* out;
  index out_pitch;
  T* lanes;
  const void* prefetch;
  index prefetch_step;
  const divided_rows* meanwhile;  // as many rows, at level v4 only, and of whole vectors; null: none
};
template <class T>
using strip_sums = void (*)(const summed_rows<T>& a, index rows, index n);

BROADLOOM_API strip1<float> find_f32(maths1 f, accuracy a) noexcept;
BROADLOOM_API strip1<double> find_f64(maths1 f, accuracy a) noexcept;
BROADLOOM_API strip2<float> find_f32(maths2 f, accuracy a) noexcept;
BROADLOOM_API strip2<double> find_f64(maths2 f, accuracy a) noexcept;

// x^by alone, where that is simpler than any power; else null. The elements are those that pow gives.
BROADLOOM_API strip1<float> find_power_f32(float by, accuracy a) noexcept;
BROADLOOM_API strip1<double> find_power_f64(double by, accuracy a) noexcept;

// Null where the function has no such loop at the level in force.
BROADLOOM_API strip_sums<float> find_sums_f32(maths1 f, before how, accuracy a) noexcept;
BROADLOOM_API strip_sums<double> find_sums_f64(maths1 f, before how, accuracy a) noexcept;

// Where a function's code comes from at the level in force: "sleef", "libmvec", "libm" or "broadloom".
BROADLOOM_API const char* backend(maths1 f, accuracy a, bool f64) noexcept;
BROADLOOM_API const char* backend(maths2 f, accuracy a, bool f64) noexcept;

}  // namespace broadloom::runtime
