// Positions against their bounds, collected without a branch.
#pragma once

#include <cstdint>

#include <broadloom/core/index.hpp>

namespace broadloom::runtime {

// The sign bits say whether a position was outside [low, high], and whether one was negative.
struct findings {
  std::uint64_t outside = 0, negative = 0;
};
constexpr std::uint64_t sign_bit = std::uint64_t{1} << 63;

// What is read from one end to the other is asked for this far ahead: prefetchers stop at the end of a page.
constexpr index bytes_ahead = 4096;

// n positions, each `stride` elements behind the one before, i64 (wide) or i32. low <= 0 and high >= -1.
void look(const void* positions, bool wide, index n, index stride, index low, index high, findings& f);

// n neighbours counted from the start: to[i] = p[i], or p[i] + extent where that is negative. extent < 2^30; what is
// written for positions outside [low, extent) has no meaning.
void narrow(const void* positions, bool wide, index n, index low, index extent, std::uint32_t* to, findings& f);

// narrow for i64 and extents up to 2^16; only where can_narrow().
bool can_narrow();
void narrow(const std::int64_t* positions, index n, index low, index extent, std::uint16_t* to, findings& f);

// The same for neighbours, whole vectors of them; bounds are below 2^30. How many that was.
index look_v4(const std::int32_t* p, index n, index low, index high, findings& f);
index look_v4(const std::int64_t* p, index n, index low, index high, findings& f);
index narrow_v4(const std::int32_t* p, index n, index low, index extent, std::uint32_t* to, findings& f);
index narrow_v4(const std::int64_t* p, index n, index low, index extent, std::uint32_t* to, findings& f);
index narrow_v4(const std::int64_t* p, index n, index low, index extent, std::uint16_t* to, findings& f);

}  // namespace broadloom::runtime
