// Short rows with AVX-512.
#include "short_rows.hpp"
#include "small_broadcast.hpp"

#include <immintrin.h>

namespace broadloom::runtime {

namespace {

#define ALWAYS_INLINE [[gnu::always_inline]] inline

struct vectors {
  static constexpr index bytes = 64;
  static constexpr int level = 2;
  ALWAYS_INLINE static void store(std::byte* p, __m512i x) { _mm512_store_si512(p, x); }
  ALWAYS_INLINE static __m512i row(const std::byte* p) { return _mm512_loadu_si512(p); }
  ALWAYS_INLINE static __m512i half_row(const std::byte* p) {
    return _mm512_maskz_broadcast_i64x4(0xff, _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)));
  }
};
struct vectors_of_four : vectors {
  static constexpr index size = 4;
  ALWAYS_INLINE static __m512i one(const std::byte* p) {
    return _mm512_set1_epi32(*reinterpret_cast<const bits32*>(p));
  }
  ALWAYS_INLINE static __m512i two(const std::byte* p, const std::byte* q) {
    return _mm512_mask_set1_epi32(one(p), 0xff00, *reinterpret_cast<const bits32*>(q));
  }
};
struct vectors_of_eight : vectors {
  static constexpr index size = 8;
  ALWAYS_INLINE static __m512i one(const std::byte* p) {
    return _mm512_set1_epi64(*reinterpret_cast<const bits64*>(p));
  }
  ALWAYS_INLINE static __m512i two(const std::byte* p, const std::byte* q) {
    return _mm512_mask_set1_epi64(one(p), 0xf0, *reinterpret_cast<const bits64*>(q));
  }
};

#undef ALWAYS_INLINE

}  // namespace

void assign_short_rows_v4(const slot* leaves, const index* extents, void* out, const unplanned_form& form,
                          options how) {
  run_short_rows<vectors_of_four, vectors_of_eight>(leaves, extents, out, form, how);
}
bool are_short_rows_v4(const slot* leaves, const index* extents, const void* out, const unplanned_form& form) {
  return fit_short_rows<vectors_of_four, vectors_of_eight>(leaves, extents, out, form);
}

}  // namespace broadloom::runtime
