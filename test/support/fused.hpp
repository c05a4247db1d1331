// Which levels multiply and add in one rounding: maths functions have the same bits at all of these.
#pragma once

#include <broadloom/core/isa.hpp>

inline bool has_fma([[maybe_unused]] broadloom::isa level) {
#if defined(__x86_64__)
  return level != broadloom::isa::base;
#else
  return true;
#endif
}
