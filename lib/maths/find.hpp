// The strip functions behind map1 and map2 at the level in force, for callers that look them up once per evaluation.
#pragma once

#include <broadloom/core/maths.hpp>

namespace broadloom::runtime {

// A function of rows of elements, optionally after arithmetic with one number of each row, and the sums of its
// results: for each strip of summed_strip elements, in order, 64 bytes of lanes, of which lane k has the sum of
// elements k, k + lanes, k + 2 lanes ... in this order. Pitches are the distances of rows, in elements. With each
// 64 bytes a line from `prefetch` on is prefetched, `prefetch_step` bytes further each time.
inline constexpr index summed_strip = 512;
enum class before : unsigned char { nothing, minus, times };
inline constexpr int before_count = 3;
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
};
template <class T>
using strip_sums = void (*)(const summed_rows<T>& a, index rows, index n);

strip1<float> find_f32(maths1 f, accuracy a) noexcept;
strip1<double> find_f64(maths1 f, accuracy a) noexcept;
strip2<float> find_f32(maths2 f, accuracy a) noexcept;
strip2<double> find_f64(maths2 f, accuracy a) noexcept;

// Null where the function has no such loop at the level in force.
strip_sums<float> find_sums_f32(maths1 f, before how, accuracy a) noexcept;
strip_sums<double> find_sums_f64(maths1 f, before how, accuracy a) noexcept;

}  // namespace broadloom::runtime
