// Short rows with AVX2.
#include "short_rows.hpp"
#include "small_broadcast.hpp"

#include <immintrin.h>

namespace broadloom::runtime {

namespace {

#define ALWAYS_INLINE [[gnu::always_inline]] inline

struct vectors {
  static constexpr index bytes = 32;
  static constexpr int level = 1;
  ALWAYS_INLINE static void store(std::byte* p, __m256i x) { _mm256_store_si256(reinterpret_cast<__m256i*>(p), x); }
  ALWAYS_INLINE static __m256i row(const std::byte* p) {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p));
  }
  ALWAYS_INLINE static __m256i half_row(const std::byte* p) {
    return _mm256_broadcastsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)));
  }
};
struct vectors_of_four : vectors {
  static constexpr index size = 4;
  ALWAYS_INLINE static __m256i one(const std::byte* p) {
    return _mm256_set1_epi32(*reinterpret_cast<const bits32*>(p));
  }
  ALWAYS_INLINE static __m256i two(const std::byte* p, const std::byte* q) {
    return _mm256_blend_epi32(one(p), one(q), 0xf0);
  }
};
struct vectors_of_eight : vectors {
  static constexpr index size = 8;
  ALWAYS_INLINE static __m256i one(const std::byte* p) {
    return _mm256_set1_epi64x(*reinterpret_cast<const bits64*>(p));
  }
  ALWAYS_INLINE static __m256i two(const std::byte* p, const std::byte* q) {
    return _mm256_blend_epi32(one(p), one(q), 0xf0);
  }
};

#undef ALWAYS_INLINE

}  // namespace

void assign_short_rows_v3(const slot* leaves, const index* extents, void* out, const unplanned_form& form,
                          options how) {
  run_short_rows<vectors_of_four, vectors_of_eight>(leaves, extents, out, form, how);
}
bool are_short_rows_v3(const slot* leaves, const index* extents, const void* out, const unplanned_form& form) {
  return fit_short_rows<vectors_of_four, vectors_of_eight>(leaves, extents, out, form);
}

}  // namespace broadloom::runtime
