// The part of the floating-point environment that affects results: rounding mode, flush-to-zero, exception masks.
#pragma once

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace broadloom::runtime {

class fp_control {
 public:
  // Reads the calling thread's settings.
  fp_control() noexcept {
#if defined(__x86_64__)
    sse_ = _mm_getcsr() & ~sticky_flags;
    asm volatile("fnstcw %0" : "=m"(x87_));
#elif defined(__aarch64__)
    asm volatile("mrs %0, fpcr" : "=r"(fpcr_));
#endif
  }

  // Sets them for the calling thread. Its exception flags stay as they are.
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

// Sets them for the calling thread until the end of the scope.
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
