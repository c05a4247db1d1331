// Detects the instruction-set level of the processor; a lower one can be chosen.
#include <broadloom/core/isa.hpp>

#include <cstdlib>
#include <cstring>
#include <string_view>

#include <broadloom/core/levels.def>

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
// A level that asks for more than these is never detected. The builtin also checks XCR0: it does not report what the
// operating system does not save the registers of.
bool has(std::string_view feature) noexcept {
#define BROADLOOM_FEATURE(NAME) \
  if (feature == #NAME) return __builtin_cpu_supports(#NAME);
  BROADLOOM_FEATURE(avx2)
  BROADLOOM_FEATURE(fma)
  BROADLOOM_FEATURE(bmi2)
  BROADLOOM_FEATURE(avx512f)
  BROADLOOM_FEATURE(avx512vl)
  BROADLOOM_FEATURE(avx512bw)
  BROADLOOM_FEATURE(avx512dq)
#undef BROADLOOM_FEATURE
  return feature == "f16c" && has_f16c();
}
bool has_all(std::string_view features) noexcept {
  for (std::size_t end; (end = features.find(',')) != features.npos; features.remove_prefix(end + 1))
    if (!has(features.substr(0, end))) return false;
  return has(features);
}
}  // namespace
#endif

constinit unsigned char isa_in_force = isa_not_detected;

isa highest_isa() noexcept {
#if defined(__x86_64__)
  __builtin_cpu_init();
  isa highest = isa::base;
#define BROADLOOM_DETECT(NAME, BYTES, FEATURES, A, B) \
  if (!has_all(FEATURES)) return highest;             \
  highest = isa::NAME;
  BROADLOOM_EACH_LEVEL(BROADLOOM_DETECT, , )
#undef BROADLOOM_DETECT
  return highest;
#else
  return isa::base;
#endif
}

isa detect_isa() noexcept {
  isa level = highest_isa();
  if (const char* wish = std::getenv("BROADLOOM_ISA"))
    for (isa lower : every_isa)
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
#define BROADLOOM_LEVEL_NAME(NAME, BYTES, FEATURES, A, B) \
  case isa::NAME: return #NAME;
    BROADLOOM_EACH_LEVEL(BROADLOOM_LEVEL_NAME, , )
#undef BROADLOOM_LEVEL_NAME
    case isa::base: break;
  }
  return "base";
}

}  // namespace broadloom
