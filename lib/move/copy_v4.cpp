// A cache line is one vector here, so every line of a square is loaded once.
#include "copy_v4.hpp"

#include <cstring>

#include "../base/vectors.hpp"
#include "transpose.hpp"

namespace broadloom::runtime {

namespace {

#define ALWAYS_INLINE [[gnu::always_inline]] inline

using vector = vec<float, 64>;

// In every quarter: elements a, b, ... of the same quarter of x, and from 16 on of y.
template <int A, int B, int C, int D>
ALWAYS_INLINE vector in_quarters(vector x, vector y) {
  return __builtin_shufflevector(x, y, A, B, C, D, A + 4, B + 4, C + 4, D + 4, A + 8, B + 8, C + 8, D + 8, A + 12,
                                 B + 12, C + 12, D + 12);
}
// Quarters `first` and `first` + 2 of x, then of y.
template <int First>
ALWAYS_INLINE vector quarters(vector x, vector y) {
  constexpr int a = 4 * First, b = a + 8, c = a + 16, d = a + 24;
  return __builtin_shufflevector(x, y, a, a + 1, a + 2, a + 3, b, b + 1, b + 2, b + 3, c, c + 1, c + 2, c + 3, d, d + 1,
                                 d + 2, d + 3);
}

struct square {
  static constexpr index size = 4, side = 16;
  ALWAYS_INLINE static void move(const std::byte* from, index from_step, std::byte* to, index to_step) {
    vector r[16], s[16];
#pragma GCC unroll 16
    for (int k = 0; k < 16; ++k) std::memcpy(&r[k], from + k * from_step, sizeof r[k]);
    // Transposes squares of 4 x 4 within the quarters of vectors in two steps, then the quarters in two more.
#pragma GCC unroll 8
    for (int k = 0; k < 16; k += 2) {
      s[k] = in_quarters<0, 16, 1, 17>(r[k], r[k + 1]);
      s[k + 1] = in_quarters<2, 18, 3, 19>(r[k], r[k + 1]);
    }
#pragma GCC unroll 4
    for (int k = 0; k < 16; k += 4) {
      r[k] = in_quarters<0, 1, 16, 17>(s[k], s[k + 2]);
      r[k + 1] = in_quarters<2, 3, 18, 19>(s[k], s[k + 2]);
      r[k + 2] = in_quarters<0, 1, 16, 17>(s[k + 1], s[k + 3]);
      r[k + 3] = in_quarters<2, 3, 18, 19>(s[k + 1], s[k + 3]);
    }
    const auto put = [=](int k, vector x)
                         __attribute__((always_inline)) { std::memcpy(to + k * to_step, &x, sizeof x); };
#pragma GCC unroll 4
    for (int k = 0; k < 4; ++k) {
      const vector a = quarters<0>(r[k], r[k + 4]);
      const vector b = quarters<0>(r[k + 8], r[k + 12]);
      const vector c = quarters<1>(r[k], r[k + 4]);
      const vector d = quarters<1>(r[k + 8], r[k + 12]);
      put(k, quarters<0>(a, b));
      put(k + 4, quarters<0>(c, d));
      put(k + 8, quarters<1>(a, b));
      put(k + 12, quarters<1>(c, d));
    }
  }
};

#undef ALWAYS_INLINE

// Bytes between addresses of one set of the first-level cache, which has 8 to 12 lines: the 16 lines of a square drive
// out each other, and what was prefetched. In tiles of more columns, halves of lines do not stay either.
constexpr index same_set = 4096, few_columns = 64;

}  // namespace

bool gather_v4(void* to, const std::byte* from, int size, index rows, index columns, index rs, index cs) {
  if (size != square::size || (rs != square::size && rs != -square::size) || cs == 0 || rows < square::side ||
      columns < square::side || (cs % same_set == 0 && columns <= few_columns))
    return false;
  transpose<square>(static_cast<std::byte*>(to), from, rows, columns, rs, cs);
  return true;
}

}  // namespace broadloom::runtime
