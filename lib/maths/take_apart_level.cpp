// Complex numbers taken apart by whole vectors.
#include "take_apart.hpp"

#include <broadloom/core/simd_vec.hpp>

namespace broadloom::runtime {
namespace BROADLOOM_LEVEL {
namespace {

template <class R>
struct apart_code {
  static constexpr int width = BROADLOOM_LEVEL_BYTES / static_cast<int>(sizeof(R));

  template <int... At>
  static void take_vectors(const R* pairs, R* re, R* im, index n, detail::sequence<At...>) {
    for (index i = 0; i + width <= n; i += width) {
      const auto a = detail::load<R, width>(pairs + 2 * i), b = detail::load<R, width>(pairs + 2 * i + width);
      detail::store<R>(re + i, detail::shuffled<(2 * At)...>(a, b));
      detail::store<R>(im + i, detail::shuffled<(2 * At + 1)...>(a, b));
    }
  }
  static void take(const R* pairs, R* re, R* im, index n) {
    take_vectors(pairs, re, im, n, detail::make_sequence<width>{});
    for (index i = n / width * width; i < n; ++i) {
      re[i] = pairs[2 * i];
      im[i] = pairs[2 * i + 1];
    }
  }
  static constexpr apart<R> table = {&take};
};

}  // namespace
}  // namespace BROADLOOM_LEVEL

BROADLOOM_REAL_TABLES(apart, apart_of, apart_code)

}  // namespace broadloom::runtime
