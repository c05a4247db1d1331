// Attributes: what the compiled library exports, everything else in it being hidden; what a result refers to; a call
// that is refused.
#pragma once

#include <broadloom/core/compiler.hpp>

#define BROADLOOM_API [[gnu::visibility("default")]]

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
