// The check of contiguous indices by the vectors of a level.
#include <type_traits>

#include "../base/level.hpp"
#include "../base/vectors.hpp"
#include "bounds_check.hpp"

#ifdef __AVX512F__
#include <immintrin.h>
#endif

namespace broadloom::runtime::BROADLOOM_LEVEL {
namespace {

constexpr int vector_bytes = BROADLOOM_LEVEL_BYTES;

// index - low or high - index is negative if the index is outside. Neither overflows if both bounds are within half of
// the type's range. Checks whole vectors and returns how many indices that was.
template <class I>
index look_at_vectors(const I* p, index n, index low, index high, findings& f) {
  using U = std::make_unsigned_t<I>;
  constexpr int lanes = vector_bytes / sizeof(I);
  using V = vec<U, vector_bytes>;
  using memory = vec_in_memory<U, vector_bytes>;
  const V l = V{} + static_cast<U>(low), h = V{} + static_cast<U>(high);
  V a{}, b{};
  index i = 0;
  for (; i + lanes <= n; i += lanes) {
    const V x = *reinterpret_cast<const memory*>(p + i);
    a |= (x - l) | (h - x);
    b |= x;
  }
  constexpr int shift = 64 - static_cast<int>(sizeof(I)) * 8;
  for (int k = 0; k < lanes; ++k) {
    f.outside |= static_cast<std::uint64_t>(a[k]) << shift;
    f.negative |= static_cast<std::uint64_t>(b[k]) << shift;
  }
  return i;
}

template <class I, class O>
index narrow_vectors(const I* p, index n, index low, index extent, O* to, findings& f) {
  using U = std::make_unsigned_t<I>;
  constexpr int lanes = vector_bytes / sizeof(I), narrow_bytes = lanes * static_cast<int>(sizeof(O));
  using V = vec<I, vector_bytes>;
  using unsigned_vec = vec<U, vector_bytes>;
  using memory = vec_in_memory<I, vector_bytes>;
  const unsigned_vec l = unsigned_vec{} + static_cast<U>(low), h = unsigned_vec{} + static_cast<U>(extent - 1);
  const V e = V{} + static_cast<I>(extent);
  unsigned_vec a{};
  index i = 0;
  for (; i + lanes <= n; i += lanes) {
    __builtin_prefetch(reinterpret_cast<const char*>(p + i) + bytes_ahead);
    const V x = *reinterpret_cast<const memory*>(p + i);
    const auto u = reinterpret_cast<unsigned_vec>(x);
    a |= (u - l) | (h - u);
    const auto from_start = reinterpret_cast<unsigned_vec>(x + ((x < V{}) & e));
#ifdef __AVX512F__
    // GCC 12 would split the vector
    if constexpr (sizeof(I) == 8 && sizeof(O) == 4)
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(to + i),
                          _mm512_cvtepi64_epi32(reinterpret_cast<__m512i>(from_start)));
    else if constexpr (sizeof(I) == 8 && sizeof(O) == 2)
      _mm_storeu_si128(reinterpret_cast<__m128i*>(to + i),
                       _mm512_cvtepi64_epi16(reinterpret_cast<__m512i>(from_start)));
    else
#endif
    {
      const auto part = __builtin_convertvector(from_start, vec<O, narrow_bytes>);
      __builtin_memcpy(to + i, &part, sizeof part);
    }
  }
  for (int k = 0; k < lanes; ++k)
    f.outside |= static_cast<std::uint64_t>(a[k]) << (64 - static_cast<int>(sizeof(I)) * 8);
  return i;
}

struct bounds_code {
#ifdef __AVX512F__
  static constexpr auto narrow_64_to_16 = &narrow_vectors<std::int64_t, std::uint16_t>;
#else
  static constexpr std::nullptr_t narrow_64_to_16 = nullptr;
#endif
  static constexpr bounds_checks table{look_at_vectors<std::int32_t>, look_at_vectors<std::int64_t>,
                                       narrow_vectors<std::int32_t, std::uint32_t>,
                                       narrow_vectors<std::int64_t, std::uint32_t>, narrow_64_to_16};
};

}  // namespace
}  // namespace broadloom::runtime::BROADLOOM_LEVEL

namespace broadloom::runtime {
constinit const bounds_checks BROADLOOM_OF_LEVEL(bounds_checks_of_level) = BROADLOOM_LEVEL::bounds_code::table;
}  // namespace broadloom::runtime
