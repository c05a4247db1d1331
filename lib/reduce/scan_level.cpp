// Running sums and products of several rows at once in the registers of AVX2 or AVX-512.
#include <cstdint>

#include <broadloom/core/array.hpp>
#include <broadloom/core/simd_vec.hpp>
#include <broadloom/fn/lanes.hpp>

#include "../base/level.hpp"
#include "operations.hpp"
#include "scan_rows.hpp"

namespace broadloom::runtime::BROADLOOM_LEVEL {

#if BROADLOOM_LEVEL_BYTES > 16
namespace {

using detail::load;
using detail::sequence;
using detail::simd_vec;
using detail::splat;
using detail::store;

// As many rows as a vector has lanes: squares of elements are transposed, scanned as columns, and transposed back.
template <class Op, class T>
struct squares {
  static constexpr int w = BROADLOOM_LEVEL_BYTES / static_cast<int>(sizeof(T));
  using vector = simd_vec<T, w>;
  static constexpr index ahead = 512 / static_cast<index>(sizeof(T));  // of what is read: is prefetched

  template <int Step, int... I>
  BROADLOOM_INLINE static void exchange_two(vector& a, vector& b, sequence<I...>) {
    const vector low = __builtin_shufflevector(a, b, ((I & Step) != 0 ? I - Step + w : I)...);
    b = __builtin_shufflevector(a, b, ((I & Step) != 0 ? I + w : I + Step)...);
    a = low;
  }
  template <int Step>
  BROADLOOM_INLINE static void transpose(vector* r) {
    if constexpr (Step < w) {
#pragma GCC unroll 16
      for (int i = 0; i < w; ++i)
        if ((i & Step) == 0) exchange_two<Step>(r[i], r[i + Step], detail::make_sequence<w>{});
      transpose<2 * Step>(r);
    }
  }

  template <bool PastCaches>
  static void scan_squares(const T* from, index from_pitch, T* to, index to_pitch, index n) {
    vector sum = splat<w>(Op::template identity<T>());
    index i = 0;
    for (; i + w <= n; i += w) {
      vector r[w];
#pragma GCC unroll 16
      for (int k = 0; k < w; ++k) {
        const T* const x = from + k * from_pitch + i;
        __builtin_prefetch(x + ahead);
        r[k] = load<T, w>(x);
      }
      transpose<1>(r);
#pragma GCC unroll 16
      for (int k = 0; k < w; ++k) r[k] = sum = Op::on(sum, r[k]);
      transpose<1>(r);
#pragma GCC unroll 16
      for (int k = 0; k < w; ++k) {
        T* const x = to + k * to_pitch + i;
        if constexpr (PastCaches)
          detail::stream(x, r[k]);
        else
          store<T>(x, r[k]);
      }
    }
    alignas(64) T sums[w];
    store<T>(sums, sum);
    for (; i < n; ++i)
      for (int k = 0; k < w; ++k) to[k * to_pitch + i] = sums[k] = Op::on(sums[k], from[k * from_pitch + i]);
  }

  static void rows(const void* from, index from_pitch, void* to, index to_pitch, index n, bool streaming) {
    const auto at = reinterpret_cast<std::uintptr_t>(to), pitch = static_cast<std::uintptr_t>(to_pitch) * sizeof(T);
    const bool aligned = at % BROADLOOM_LEVEL_BYTES == 0 && pitch % BROADLOOM_LEVEL_BYTES == 0;
    const auto run = streaming && aligned ? scan_squares<true> : scan_squares<false>;
    run(static_cast<const T*>(from), from_pitch, static_cast<T*>(to), to_pitch, n);
  }
  static constexpr scan_rows_kernel kernel{rows, w};
};

template <class Op>
const scan_rows_kernel* squares_of(dtype t) {
  switch (t) {
    case dtype::f32: return &squares<Op, float>::kernel;
    case dtype::f64: return &squares<Op, double>::kernel;
    case dtype::i64: return &squares<Op, std::int64_t>::kernel;
    default: return nullptr;
  }
}

}  // namespace

static const scan_rows_kernel* find_scan(reduction op, dtype t) {
  return op == reduction::running_sum ? squares_of<operation<reduction::sum>>(t)
                                      : squares_of<operation<reduction::prod>>(t);
}
#else
static const scan_rows_kernel* find_scan(reduction, dtype) { return nullptr; }
#endif

}  // namespace broadloom::runtime::BROADLOOM_LEVEL

namespace broadloom::runtime {
constinit const scan_rows_kernels BROADLOOM_OF_LEVEL(wide_scans){BROADLOOM_LEVEL::find_scan};
}  // namespace broadloom::runtime
