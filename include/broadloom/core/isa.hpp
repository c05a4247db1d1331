// The instruction-set levels that compiled kernels exist for, and which of them is in force.
#pragma once

#include <broadloom/core/api.hpp>
#include <broadloom/core/levels.def>

namespace broadloom {

#define BROADLOOM_LEVEL_NAME(NAME, BYTES, FEATURES, BEFORE, BEHIND) , BEFORE NAME BEHIND

// base: what every processor of the architecture has (SSE2 on x86-64, NEON on aarch64).
// v3: AVX2, FMA, F16C, BMI2. v4: v3 with AVX-512 F, VL, BW and DQ.
enum class isa : unsigned char { base BROADLOOM_EACH_LEVEL(BROADLOOM_LEVEL_NAME, , ) };

// Puts a level in force for all later evaluations, as far as the processor allows; returns the level now in force.
BROADLOOM_API isa set_isa(isa level) noexcept;

BROADLOOM_API const char* to_string(isa level) noexcept;

namespace runtime {

inline constexpr isa every_isa[] = {isa::base BROADLOOM_EACH_LEVEL(BROADLOOM_LEVEL_NAME, isa::, )};
inline constexpr int isa_levels = sizeof every_isa;
#define BROADLOOM_LEVEL_BYTES_OF(NAME, BYTES, FEATURES, A, B) , BYTES
inline constexpr unsigned char vector_bytes[] = {
    16 BROADLOOM_EACH_LEVEL(BROADLOOM_LEVEL_BYTES_OF, , )};  // of each level
#undef BROADLOOM_LEVEL_BYTES_OF

inline constexpr unsigned char isa_not_detected = 0xff;
BROADLOOM_API extern unsigned char isa_in_force;

// Looks at the processor and at the environment variable BROADLOOM_ISA (a level's name; it can only lower the level).
BROADLOOM_API isa detect_isa() noexcept;

// The highest level this processor and operating system can run.
BROADLOOM_API isa highest_isa() noexcept;

// The level in force: one relaxed load once it has been detected.
inline isa active_isa() noexcept {
  const unsigned char level = __atomic_load_n(&isa_in_force, __ATOMIC_RELAXED);
  return level != isa_not_detected ? static_cast<isa>(level) : detect_isa();
}

// Of what isa_in_force holds: whether it is a level and not isa_not_detected, and at least `lowest`.
constexpr bool is_at_least(unsigned level, isa lowest) {
  return level - static_cast<unsigned>(lowest) < static_cast<unsigned>(isa_levels) - static_cast<unsigned>(lowest);
}
constexpr bool is_detected(isa level) { return is_at_least(static_cast<unsigned>(level), isa::base); }

}  // namespace runtime
}  // namespace broadloom

#undef BROADLOOM_LEVEL_NAME
#ifndef BROADLOOM_BUILDING_LIBRARY
#undef BROADLOOM_EACH_LEVEL
#endif
