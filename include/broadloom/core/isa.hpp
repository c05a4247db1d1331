// The instruction-set levels that compiled kernels exist for, and which of them is in force.
#pragma once

#include <broadloom/core/api.hpp>

namespace broadloom {

// base: what every processor of the architecture has (SSE2 on x86-64, NEON on aarch64).
// v3: AVX2, FMA, F16C, BMI2. v4: v3 with AVX-512 F, VL, BW and DQ.
enum class isa : unsigned char { base, v3, v4 };

// Puts a level in force for all later evaluations, as far as the processor allows; returns the level now in force.
BROADLOOM_API isa set_isa(isa level) noexcept;

BROADLOOM_API const char* to_string(isa level) noexcept;

namespace runtime {

inline constexpr unsigned char isa_not_detected = 0xff;
BROADLOOM_API extern unsigned char isa_in_force;

// Looks at the processor and at the environment variable BROADLOOM_ISA (base, v3 or v4; it can only lower the level).
BROADLOOM_API isa detect_isa() noexcept;

// The highest level this processor and operating system can run.
BROADLOOM_API isa highest_isa() noexcept;

// The level in force: one relaxed load once it has been detected.
inline isa active_isa() noexcept {
  const unsigned char level = __atomic_load_n(&isa_in_force, __ATOMIC_RELAXED);
  return level != isa_not_detected ? static_cast<isa>(level) : detect_isa();
}

}  // namespace runtime
}  // namespace broadloom
