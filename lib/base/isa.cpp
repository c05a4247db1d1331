// Detects the instruction-set level of the processor; a lower one can be chosen.
#include <broadloom/core/isa.hpp>

#include <cstdlib>
#include <cstring>
#include <initializer_list>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace broadloom {

namespace runtime {

#if defined(__x86_64__)
namespace {
// Clang 14's __builtin_cpu_supports does not know the name.
bool has_f16c() noexcept {
  unsigned a = 0, b = 0, c = 0, d = 0;
  return __get_cpuid(1, &a, &b, &c, &d) != 0 && (c & bit_F16C) != 0;
}
}  // namespace
#endif

constinit unsigned char isa_in_force = isa_not_detected;

isa highest_isa() noexcept {
#if defined(__x86_64__)
  // The builtin also checks XCR0: a level whose registers the operating system does not save is not reported.
  __builtin_cpu_init();
  if (!(__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && has_f16c() &&
        __builtin_cpu_supports("bmi2")))
    return isa::base;
  if (!(__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq")))
    return isa::v3;
  return isa::v4;
#else
  return isa::base;
#endif
}

isa detect_isa() noexcept {
  isa level = highest_isa();
  if (const char* wish = std::getenv("BROADLOOM_ISA"))
    for (isa lower : {isa::base, isa::v3})
      if (lower < level && std::strcmp(wish, to_string(lower)) == 0) level = lower;
  // A level that another thread has set in the meantime is kept.
  unsigned char seen = isa_not_detected;
  if (!__atomic_compare_exchange_n(&isa_in_force, &seen, static_cast<unsigned char>(level), false, __ATOMIC_RELAXED,
                                   __ATOMIC_RELAXED))
    level = static_cast<isa>(seen);
  return level;
}

}  // namespace runtime

isa set_isa(isa level) noexcept {
  const isa highest = runtime::highest_isa();
  if (level > highest) level = highest;
  __atomic_store_n(&runtime::isa_in_force, static_cast<unsigned char>(level), __ATOMIC_RELAXED);
  return level;
}

const char* to_string(isa level) noexcept {
  switch (level) {
    case isa::v3: return "v3";
    case isa::v4: return "v4";
    case isa::base: break;
  }
  return "base";
}

}  // namespace broadloom
