// The part of the floating-point environment that decides results: rounding mode, flush-to-zero, trap masks.
#pragma once

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace broadloom::runtime {

class fp_control {
 public:
  // That of the calling thread.
  fp_control() noexcept {
#if defined(__x86_64__)
    sse_ = _mm_getcsr() & ~sticky_flags;
    asm volatile("fnstcw %0" : "=m"(x87_));
#elif defined(__aarch64__)
    asm volatile("mrs %0, fpcr" : "=r"(fpcr_));
#endif
  }

  // Makes it that of the calling thread, whose exception flags stay as they are.
  void apply() const noexcept {
#if defined(__x86_64__)
    _mm_setcsr(sse_ | (_mm_getcsr() & sticky_flags));
    asm volatile("fldcw %0" : : "m"(x87_));
#elif defined(__aarch64__)
    asm volatile("msr fpcr, %0" : : "r"(fpcr_));
#endif
  }

 private:
#if defined(__x86_64__)
  static constexpr unsigned sticky_flags = 0x3f;
  unsigned sse_;
  unsigned short x87_;
#elif defined(__aarch64__)
  unsigned long fpcr_;
#endif
};

// Puts a setting in force for the calling thread until the end of the scope.
class fp_scope {
 public:
  explicit fp_scope(const fp_control& wanted) noexcept { wanted.apply(); }
  fp_scope(const fp_scope&) = delete;
  fp_scope& operator=(const fp_scope&) = delete;
  ~fp_scope() { before_.apply(); }

 private:
  fp_control before_;
};

}  // namespace broadloom::runtime
