// Vector maths for every aarch64 processor: Advanced SIMD, with FMA.
#if defined(__aarch64__)

#include <arm_neon.h>

#include "strips.hpp"

#if BROADLOOM_SLEEF
#include <sleef.h>
#endif

#define BROADLOOM_HAS_FMA 1
#define BROADLOOM_TABLES 0
#if BROADLOOM_SLEEF
#define BROADLOOM_SLEEF32(name, variant) Sleef_finz_##name##f4_##variant##advsimd
#define BROADLOOM_SLEEF64(name, variant) Sleef_finz_##name##d2_##variant##advsimd
#endif

namespace broadloom::runtime {
namespace base {

struct f32_vec {
  using element = float;
  using value = float32x4_t;
  static constexpr bool has_fma = true;
  static constexpr index width = 4;
  static value load(const float* p) { return vld1q_f32(p); }
  static void store(float* p, value v) { vst1q_f32(p, v); }
  static value splat(float x) { return vdupq_n_f32(x); }
  static value abs(value v) { return vabsq_f32(v); }
  static value multiply_add(value a, value b, value c) { return vfmaq_f32(c, a, b); }
  static value sqrt(value x) { return vsqrtq_f32(x); }
  static unsigned less(value a, value b) {
    const uint32x4_t bits = {1, 2, 4, 8};
    return vaddvq_u32(vandq_u32(vcltq_f32(a, b), bits));
  }
};

struct f64_vec {
  using element = double;
  using value = float64x2_t;
  static constexpr bool has_fma = true;
  static constexpr index width = 2;
  static value load(const double* p) { return vld1q_f64(p); }
  static void store(double* p, value v) { vst1q_f64(p, v); }
  static value splat(double x) { return vdupq_n_f64(x); }
  static value abs(value v) { return vabsq_f64(v); }
  static unsigned less(value a, value b) {
    const uint64x2_t bits = {1, 2};
    return static_cast<unsigned>(vaddvq_u64(vandq_u64(vcltq_f64(a, b), bits)));
  }
  static value multiply_add(value a, value b, value c) { return vfmaq_f64(c, a, b); }
  static value divide(value a, value b) { return vdivq_f64(a, b); }
  static value sqrt(value x) { return vsqrtq_f64(x); }
  static value low_half(float32x4_t x) { return vcvt_f64_f32(vget_low_f32(x)); }
  static value high_half(float32x4_t x) { return vcvt_high_f64_f32(x); }
  static float32x4_t rounded(value low, value high) { return vcvt_high_f32_f64(vcvt_f32_f64(low), high); }
};

#include "maths_table.inc"

}  // namespace base

constinit const maths_table maths_base = base::make_table();

}  // namespace broadloom::runtime

#endif
