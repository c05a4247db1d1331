// Sums and maxima of absolute values of short rows, reduced while they are computed. Part of kernels_level.cpp.
#pragma once

#include "products_level.hpp"

namespace broadloom::runtime {
namespace {

template <class Op, class T, magnitude_of Term>
struct magnitude_loops : term_loops<Op, T, term_elements<T, Term>> {
  using base = term_loops<Op, T, term_elements<T, Term>>;
  static constexpr int w = base::w, vectors = base::vectors, batch = base::batch, side = base::side;
  using typename base::elements, typename base::vector;
  // Whether a batch with a NaN is read anew. GCC would keep the first vectors of each batch on the stack for it, which
  // takes up to 1.25 times as long. Not of vectors of eight f64: their bits of NaN are in general registers, of which
  // the loop has then too few, 1.05 times as long.
  static constexpr bool reads_anew = sizeof(T) < 8 || BROADLOOM_VECTOR < 64;

  BROADLOOM_INLINE static elements elements_at(const char* x, const char* y) {
    return {reinterpret_cast<const T*>(x), reinterpret_cast<const T*>(y)};
  }
  // The lanes of `Side` rows of n elements, as many as lanes or more; By is Op, or Op of vectors without NaN, which
  // are looked for then.
  template <class By, int Side>
  BROADLOOM_INLINE static void lanes_of_rows(const elements* e, index n, vector* to, no_nan<vector>& numbers) {
    constexpr bool looks = !__is_same(By, Op);
    vector acc[Side][vectors];
    no_nan<vector> of_rows;  // their own, as each comparison waits for the one before it
    const auto combine = [&](const auto& term) __attribute__((always_inline)) {
#pragma GCC unroll 2
      for (int v = 0; v < vectors; ++v) {
        vector next[Side];
#pragma GCC unroll 4
        for (int s = 0; s < Side; ++s) next[s] = term(s, v);
#pragma GCC unroll 4
        for (int s = 0; s < Side; ++s) acc[s][v] = By::on(acc[s][v], next[s]);
        if constexpr (looks)
#pragma GCC unroll 2
          for (int s = 0; s < Side; s += 2) of_rows.look_at(next[s], next[s + 1]);
      }
    };
#pragma GCC unroll 4
    for (int s = 0; s < Side; ++s)
#pragma GCC unroll 2
      for (int v = 0; v < vectors; ++v) acc[s][v] = e[s].at(v * w);
    if constexpr (looks)
#pragma GCC unroll 2
      for (int s = 0; s < Side; s += 2)
#pragma GCC unroll 2
        for (int v = 0; v < vectors; ++v) of_rows.look_at(acc[s][v], acc[s + 1][v]);
    index i = lane_total<T>;
    for (; i + lane_total<T> <= n; i += lane_total<T>)
      combine([&](int s, int v) __attribute__((always_inline)) { return e[s].at(i + v * w); });
    if (i < n) {
      const vector identity = splat<w>(Op::template identity<T>());
      combine([&](int s, int v) __attribute__((always_inline)) {
        const index count = n - i - v * w;
        return count > 0 ? e[s].partly_at(i + v * w, count < w ? count : w, identity) : identity;
      });
    }
    if constexpr (looks) numbers.look_at(of_rows);
#pragma GCC unroll 4
    for (int s = 0; s < Side; ++s) to[s] = vector_fold<By, T>::one_vector(acc[s]);
  }
  template <class By>
  BROADLOOM_INLINE static bool batch_of_rows(const char* x, const char* y, index n, index x_pitch, index y_pitch,
                                             T* to) {
    vector found[batch];
    no_nan<vector> numbers;
#pragma GCC unroll 4
    for (int k = 0; k < batch; k += side) {
      const auto next = [&](int s) __attribute__((always_inline)) {
        return elements_at(x + (k + s) * x_pitch, y + (k + s) * y_pitch);
      };
      const elements e[] = {next(0), next(1), next(2), next(3)};
      lanes_of_rows<By, side>(e, n, found + k, numbers);
    }
    if (!__is_same(By, Op) && numbers.was_there()) return false;
    vector_fold<By, T>::template across_batch<batch>(found);
    store<T>(to, found[0]);
    return true;
  }

  // Four of fewer rows than a batch has. By themselves they take 1.7 times as long where NaN are looked for, as each
  // vector waits for four instructions of the one before it; sums and integers are no sooner together.
  template <class By>
  BROADLOOM_INLINE static bool four_rows(const char* x, const char* y, index n, index x_pitch, index y_pitch, T* to) {
    const auto row = [&](index i)
                         __attribute__((always_inline)) { return elements_at(x + i * x_pitch, y + i * y_pitch); };
    const elements e[] = {row(0), row(1), row(2), row(3)};
    vector found[batch];
    no_nan<vector> numbers;
    lanes_of_rows<By, side>(e, n, found, numbers);
    if (!__is_same(By, Op) && numbers.was_there()) return false;
    vector_fold<By, T>::template across_batch<batch, side>(found);
    store<T>(to, base::template lanes_from<0>(found[0], detail::make_sequence<side>{}));
    return true;
  }
  // The last four overlap those before.
  [[gnu::noinline]] static void few_rows(const char* x, const char* y, index rows, index n, index x_pitch,
                                         index y_pitch, T* to) {
    for (index r = 0; r < rows; r += side) {
      if (r > rows - side) r = rows - side;
      const char *a = x + r * x_pitch, *b = y + r * y_pitch;
      if (four_rows<min_max_of_numbers<Op>>(a, b, n, x_pitch, y_pitch, to + r)) continue;
      if constexpr (reads_anew) __asm__("" : "+r"(a), "+r"(b));
      four_rows<Op>(a, b, n, x_pitch, y_pitch, to + r);
    }
  }

  // The last batch overlaps the one before it; fewer rows than one go four at a time, or, as rows of fewer elements
  // than lanes or of more than a strip, one by one.
  static void all(const void* first_x, const void* first_y, index rows, index n, index x_pitch, index y_pitch,
                  void* out) {
    const char *const x = static_cast<const char*>(first_x), *const y = static_cast<const char*>(first_y);
    T* const to = static_cast<T*>(out);
    const bool alone = rows < batch || n < lane_total<T> || n > strip_length;
    if constexpr (has_min_max_instruction<Op, vector> && batch > side)
      if (rows >= side && rows < batch && n >= lane_total<T> && n <= strip_length)
        return few_rows(x, y, rows, n, x_pitch, y_pitch, to);
    for (index r = 0; r < rows && alone; ++r) base::reduce(x + r * x_pitch, y + r * y_pitch, n, to + r);
    for (index r = 0; r < rows && !alone; r += batch) {
      if (r > rows - batch) r = rows - batch;
      const char *a = x + r * x_pitch, *b = y + r * y_pitch;
      if constexpr (has_min_max_instruction<Op, vector>)
        if (batch_of_rows<min_max_of_numbers<Op>>(a, b, n, x_pitch, y_pitch, to + r)) continue;
      if constexpr (reads_anew) __asm__("" : "+r"(a), "+r"(b));
      batch_of_rows<Op>(a, b, n, x_pitch, y_pitch, to + r);
    }
  }
};

}  // namespace
}  // namespace broadloom::runtime
