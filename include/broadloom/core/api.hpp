// Attributes: what the compiled library exports, everything else in it being hidden; what a result refers to; a call
// that is refused; what is computed though nothing reads it.
#pragma once

#include <broadloom/core/compiler.hpp>

#if defined(_WIN32)
#define BROADLOOM_API  // MinGW's linker exports all names, and finds those of a library by itself
#else
#define BROADLOOM_API [[gnu::visibility("default")]]
#endif

// A parameter that the result refers to by its address. clang warns where a function returns what refers to an array of
// its own, which is gone by then.
#if defined(__clang__)
#define BROADLOOM_LIFETIMEBOUND [[clang::lifetimebound]]
#else
#define BROADLOOM_LIFETIMEBOUND
#endif

// A call that does not compile, whose return type says why. Of a deleted one clang would list all that it did not
// choose.
#if defined(__clang__)
#define BROADLOOM_REFUSED_AS(TEXT)                                                      \
  _Pragma("clang diagnostic push") _Pragma("clang diagnostic ignored \"-Wgcc-compat\"") \
      __attribute__((diagnose_if(true, TEXT, "error"))) _Pragma("clang diagnostic pop")
#else
#define BROADLOOM_REFUSED_AS(TEXT) = delete
#endif
#define BROADLOOM_REFUSED BROADLOOM_REFUSED_AS("refused: the last template argument below says why")

// What GCC must compute although nothing reads it: an error may come of it. clang leaves no call out that may throw.
#if defined(__clang__)
#define BROADLOOM_USED(X) static_cast<void>(0)
#else
#define BROADLOOM_USED(X) __asm__ volatile("" ::"r"(X))
#endif

// Flags that let a compiler assume that there is no NaN, or reorder sums: kernels are compiled in the caller's files.
#if !defined(BROADLOOM_ALLOW_FAST_MATH) &&                                                    \
    (defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__ > 0) || \
     defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__) || defined(__NO_SIGNED_ZEROS__))
#error \
    "Broadloom: -ffast-math, -Ofast and their parts lose NaN and change bits; compile without them, or define BROADLOOM_ALLOW_FAST_MATH [errors.md#fast-math]"
#endif
