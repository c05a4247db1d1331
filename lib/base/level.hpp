// Kernels of several instruction-set levels. A file named *_level.cpp is compiled for each of them: the build defines
// BROADLOOM_LEVEL (a line of core/levels.def) and the bytes of its vectors. What it defines stands in the namespace of
// that name.
#pragma once

#include <broadloom/core/isa.hpp>
#include <broadloom/core/levels.def>

#ifndef BROADLOOM_LEVEL
#define BROADLOOM_LEVEL base
#define BROADLOOM_LEVEL_BYTES 16
#endif

// Vectors are only passed to functions that are inlined.
#pragma GCC diagnostic ignored "-Wpsabi"
// GCC 12 warns that the undefined halves of AVX-512 intrinsics are uninitialised.
#if !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"
#endif

#define BROADLOOM_JOIN_AS(a, b) a##b
#define BROADLOOM_JOIN(a, b) BROADLOOM_JOIN_AS(a, b)
// NAME_base, NAME_v3 and so on.
#define BROADLOOM_OF_LEVEL(NAME) BROADLOOM_JOIN(NAME##_, BROADLOOM_LEVEL)

// BROADLOOM_LEVELS(all, ...) declares tables of kernels NAME_base, NAME_v3 and so on, and NAME(), which gives that of
// the level in force. With v3 for `all`, higher levels use that of v3, as they gain too little; with v4, that of v4, as
// each level's is written by hand.
#if defined(__x86_64__)
#define BROADLOOM_TABLE(LEVEL, BYTES, FEATURES, TABLE, NAME) extern const TABLE NAME##_##LEVEL;
#define BROADLOOM_CHOICE(LEVEL, BYTES, FEATURES, TABLE, NAME) \
  if (level == isa::LEVEL) return NAME##_##LEVEL;
#define BROADLOOM_LEVELS_all(TABLE, NAME)                       \
  extern const TABLE NAME##_base;                               \
  BROADLOOM_EACH_LEVEL(BROADLOOM_TABLE, TABLE, NAME)            \
  inline const TABLE& NAME(isa level = active_isa()) noexcept { \
    BROADLOOM_EACH_LEVEL(BROADLOOM_CHOICE, TABLE, NAME)         \
    return NAME##_base;                                         \
  }
#define BROADLOOM_LEVELS_v4(TABLE, NAME)                                              \
  extern const TABLE NAME##_base, NAME##_v3, NAME##_v4;                               \
  inline const TABLE& NAME(isa level = active_isa()) noexcept {                       \
    return level >= isa::v4 ? NAME##_v4 : level >= isa::v3 ? NAME##_v3 : NAME##_base; \
  }
#define BROADLOOM_LEVELS_v3(TABLE, NAME)     \
  extern const TABLE NAME##_base, NAME##_v3; \
  inline const TABLE& NAME(isa level = active_isa()) noexcept { return level >= isa::v3 ? NAME##_v3 : NAME##_base; }
#define BROADLOOM_LEVELS(HIGHEST, TABLE, NAME) BROADLOOM_LEVELS_##HIGHEST(TABLE, NAME)
#else
#define BROADLOOM_LEVELS(HIGHEST, TABLE, NAME) \
  extern const TABLE NAME##_base;              \
  inline const TABLE& NAME(isa = isa::base) noexcept { return NAME##_base; }
#endif

// The same of TABLE<T>: NAME<T>().
#define BROADLOOM_LEVELS_OF(HIGHEST, TABLE, NAME, T, SUFFIX) \
  BROADLOOM_LEVELS(HIGHEST, TABLE<T>, NAME##_##SUFFIX)       \
  template <>                                                \
  inline const TABLE<T>& NAME<T>() noexcept {                \
    return NAME##_##SUFFIX();                                \
  }
#define BROADLOOM_REAL_LEVELS(HIGHEST, TABLE, NAME)     \
  template <class T>                                    \
  const TABLE<T>& NAME() noexcept;                      \
  BROADLOOM_LEVELS_OF(HIGHEST, TABLE, NAME, float, f32) \
  BROADLOOM_LEVELS_OF(HIGHEST, TABLE, NAME, double, f64)
#define BROADLOOM_COMPLEX_LEVELS(HIGHEST, TABLE, NAME)                \
  BROADLOOM_LEVELS_OF(HIGHEST, TABLE, NAME, std::complex<float>, c64) \
  BROADLOOM_LEVELS_OF(HIGHEST, TABLE, NAME, std::complex<double>, c128)

// Defines them in a file of the level: CODE<T>::table in the level's namespace.
#define BROADLOOM_TABLE_OF(TABLE, NAME, CODE, T, SUFFIX) \
  constinit const TABLE<T> BROADLOOM_OF_LEVEL(NAME##_##SUFFIX) = BROADLOOM_LEVEL::CODE<T>::table;
#define BROADLOOM_REAL_TABLES(TABLE, NAME, CODE)    \
  BROADLOOM_TABLE_OF(TABLE, NAME, CODE, float, f32) \
  BROADLOOM_TABLE_OF(TABLE, NAME, CODE, double, f64)
#define BROADLOOM_COMPLEX_TABLES(TABLE, NAME, CODE)               \
  BROADLOOM_TABLE_OF(TABLE, NAME, CODE, std::complex<float>, c64) \
  BROADLOOM_TABLE_OF(TABLE, NAME, CODE, std::complex<double>, c128)
