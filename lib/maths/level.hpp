// Makes one level's table out of the list of functions. Included once, inside the level's namespace, by a file that has
// defined there f32_pack and f64_pack, and the macros
//   BROADLOOM_SLEEF32(name, variant), BROADLOOM_SLEEF64(name, variant)   SLEEF's vector function
//   BROADLOOM_LIBMVEC32_1(name), ..64_1, ..32_2, ..64_2                   libmvec's for one and two arguments
//   BROADLOOM_HAS_FMA                                                    1 or 0
// those of libmvec only where BROADLOOM_HAS_LIBMVEC is 1. No include guard: the text is part of its includer.

#if BROADLOOM_HAS_LIBMVEC
extern "C" {
#define BROADLOOM_MATHS1(name, accurate32, accurate64, accurate, fast, best32, best64) \
  f32_pack::value BROADLOOM_LIBMVEC32_1(name)(f32_pack::value) noexcept;               \
  f64_pack::value BROADLOOM_LIBMVEC64_1(name)(f64_pack::value) noexcept;
#define BROADLOOM_MATHS2(name, accurate32, accurate64, accurate, fast, best32, best64)    \
  f32_pack::value BROADLOOM_LIBMVEC32_2(name)(f32_pack::value, f32_pack::value) noexcept; \
  f64_pack::value BROADLOOM_LIBMVEC64_2(name)(f64_pack::value, f64_pack::value) noexcept;
#include "functions.def"
}
#define BROADLOOM_FAST_libmvec(count, f, name, pack, of_sleef, of_libmvec) \
  entry##count<f, maths_source::libmvec, pack, of_libmvec>()
#else
#define BROADLOOM_FAST_libmvec(count, f, name, pack, of_sleef, of_libmvec) \
  entry##count<f, maths_source::sleef, pack, of_sleef>()
#endif
#define BROADLOOM_FAST_sleef(count, f, name, pack, of_sleef, of_libmvec) \
  entry##count<f, maths_source::sleef, pack, of_sleef>()
#define BROADLOOM_ACCURATE_own(count, f, name, pack, of_sleef) \
  entry##count<f, maths_source::own, f32_pack, floats<f32_pack, f64_pack>::name>()
#if BROADLOOM_HAS_FMA
#define BROADLOOM_FUSED(count, f, name, pack, of_sleef, otherwise) \
  entry##count<f, maths_source::own, pack, fused<pack>::name, of_sleef>()
#define BROADLOOM_QUICK(count, f, name, pack, of_sleef, otherwise) \
  entry##count<f, maths_source::own, pack, fused<pack>::quick_##name, of_sleef>()
#else
#define BROADLOOM_FUSED(count, f, name, pack, of_sleef, otherwise) otherwise
#define BROADLOOM_QUICK(count, f, name, pack, of_sleef, otherwise) otherwise
#endif
#define BROADLOOM_ACCURATE_fused_or_own(count, f, name, pack, of_sleef) \
  BROADLOOM_FUSED(count, f, name, pack, of_sleef, BROADLOOM_ACCURATE_own(count, f, name, pack, of_sleef))
#define BROADLOOM_ACCURATE_fused_or_sleef(count, f, name, pack, of_sleef) \
  BROADLOOM_FUSED(count, f, name, pack, of_sleef, BROADLOOM_ACCURATE_sleef(count, f, name, pack, of_sleef))
#define BROADLOOM_FAST_fused_or_sleef(count, f, name, pack, of_sleef, of_libmvec) \
  BROADLOOM_FUSED(count, f, name, pack, of_sleef, BROADLOOM_FAST_sleef(count, f, name, pack, of_sleef, of_libmvec))
#define BROADLOOM_FAST_fused_or_libmvec(count, f, name, pack, of_sleef, of_libmvec) \
  BROADLOOM_FUSED(count, f, name, pack, of_sleef, BROADLOOM_FAST_libmvec(count, f, name, pack, of_sleef, of_libmvec))
#define BROADLOOM_FAST_quick_or_sleef(count, f, name, pack, of_sleef, of_libmvec) \
  BROADLOOM_QUICK(count, f, name, pack, of_sleef, BROADLOOM_FAST_sleef(count, f, name, pack, of_sleef, of_libmvec))
#define BROADLOOM_FAST_quick_or_libmvec(count, f, name, pack, of_sleef, of_libmvec) \
  BROADLOOM_QUICK(count, f, name, pack, of_sleef, BROADLOOM_FAST_libmvec(count, f, name, pack, of_sleef, of_libmvec))
#define BROADLOOM_ACCURATE_sleef(count, f, name, pack, of_sleef) entry##count<f, maths_source::sleef, pack, of_sleef>()

consteval maths_table make_table() {
  maths_table t{};
#define BROADLOOM_MATHS1(name, accurate32, accurate64, accurate, fast, best32, best64)                             \
  {                                                                                                                \
    constexpr maths1 f = maths1::name;                                                                             \
    constexpr int at = static_cast<int>(f);                                                                        \
    t.f32.one[0][at] = BROADLOOM_ACCURATE_##accurate32(1, f, name, f32_pack, BROADLOOM_SLEEF32(name, accurate));   \
    t.f64.one[0][at] = BROADLOOM_ACCURATE_##accurate64(1, f, name, f64_pack, BROADLOOM_SLEEF64(name, accurate));   \
    t.f32.one[1][at] =                                                                                             \
        BROADLOOM_FAST_##best32(1, f, name, f32_pack, BROADLOOM_SLEEF32(name, fast), BROADLOOM_LIBMVEC32_1(name)); \
    t.f64.one[1][at] =                                                                                             \
        BROADLOOM_FAST_##best64(1, f, name, f64_pack, BROADLOOM_SLEEF64(name, fast), BROADLOOM_LIBMVEC64_1(name)); \
  }
#define BROADLOOM_MATHS2(name, accurate32, accurate64, accurate, fast, best32, best64)                             \
  {                                                                                                                \
    constexpr maths2 f = maths2::name;                                                                             \
    constexpr int at = static_cast<int>(f);                                                                        \
    t.f32.two[0][at] = BROADLOOM_ACCURATE_##accurate32(2, f, name, f32_pack, BROADLOOM_SLEEF32(name, accurate));   \
    t.f64.two[0][at] = BROADLOOM_ACCURATE_##accurate64(2, f, name, f64_pack, BROADLOOM_SLEEF64(name, accurate));   \
    t.f32.two[1][at] =                                                                                             \
        BROADLOOM_FAST_##best32(2, f, name, f32_pack, BROADLOOM_SLEEF32(name, fast), BROADLOOM_LIBMVEC32_2(name)); \
    t.f64.two[1][at] =                                                                                             \
        BROADLOOM_FAST_##best64(2, f, name, f64_pack, BROADLOOM_SLEEF64(name, fast), BROADLOOM_LIBMVEC64_2(name)); \
  }
#include "functions.def"
  // Exact for either accuracy.
  for (int a = 0; a < 2; ++a) {
    constexpr int at = static_cast<int>(maths2::fmod);
    t.f32.two[a][at] = entry2<maths2::fmod, maths_source::own, f32_pack, floats<f32_pack, f64_pack>::fmod>();
#if BROADLOOM_HAS_FMA
    t.f64.two[a][at] = entry2<maths2::fmod, maths_source::own, f64_pack, fused<f64_pack>::fmod>();
#else
    t.f64.two[a][at] = {&fmod_one_by_one, "libm"};
#endif
  }
  return t;
}

#undef BROADLOOM_ACCURATE_fused_or_own
#undef BROADLOOM_ACCURATE_fused_or_sleef
#undef BROADLOOM_FAST_fused_or_libmvec
#undef BROADLOOM_FAST_fused_or_sleef
#undef BROADLOOM_FAST_quick_or_libmvec
#undef BROADLOOM_FAST_quick_or_sleef
#undef BROADLOOM_FUSED
#undef BROADLOOM_QUICK
#undef BROADLOOM_ACCURATE_own
#undef BROADLOOM_ACCURATE_sleef
#undef BROADLOOM_FAST_libmvec
#undef BROADLOOM_FAST_sleef
