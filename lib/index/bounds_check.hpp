// Checks indices against their bounds without a branch.
#pragma once

#include <cstdint>

#include <broadloom/core/index.hpp>

#include "../base/level.hpp"

namespace broadloom::runtime {

// The sign bits say whether an index was outside [low, high], and whether one was negative.
struct findings {
  std::uint64_t outside = 0, negative = 0;
};
constexpr std::uint64_t sign_bit = std::uint64_t{1} << 63;

// Bytes to prefetch ahead of a sequential read: the hardware prefetcher stops at the end of a page.
constexpr index bytes_ahead = 4096;

// n indices, i64 (wide) or i32, each `stride` elements after the one before. low <= 0 and high >= -1.
void look(const void* positions, bool wide, index n, index stride, index low, index high, findings& f);

// n contiguous indices, made relative to 0: to[i] = p[i], or p[i] + extent if that is negative. extent < 2^30. For
// indices outside [low, extent) the value written is unspecified.
void narrow(const void* positions, bool wide, index n, index low, index extent, std::uint32_t* to, findings& f);

// Narrows i64 indices for extents up to 2^16; only if can_narrow().
bool can_narrow();
void narrow(const std::int64_t* positions, index n, index low, index extent, std::uint16_t* to, findings& f);

// The same for contiguous indices by whole vectors; bounds are below 2^30. They return how many indices that was.
struct bounds_checks {
  index (*look_32)(const std::int32_t* p, index n, index low, index high, findings& f);
  index (*look_64)(const std::int64_t* p, index n, index low, index high, findings& f);
  index (*narrow_32)(const std::int32_t* p, index n, index low, index extent, std::uint32_t* to, findings& f);
  index (*narrow_64)(const std::int64_t* p, index n, index low, index extent, std::uint32_t* to, findings& f);
  // Null where other loops are as fast.
  index (*narrow_64_to_16)(const std::int64_t* p, index n, index low, index extent, std::uint16_t* to, findings& f);
};
BROADLOOM_LEVELS(all, bounds_checks, bounds_checks_of_level)

}  // namespace broadloom::runtime
