// The vector width that the including file is compiled for, and whether it is optimised. It is a template argument of
// all code that depends on it, so that files compiled with different flags do not share one function's code.
#pragma once

#include <broadloom/core/compiler.hpp>

namespace broadloom::detail {

// Bytes of a vector, and 1 more without optimisation; 0 where trees are evaluated one element after the other, without
// the library, as in broadloom_single.hpp.
#if defined(BROADLOOM_SINGLE)
#define BROADLOOM_NATIVE 0
#elif defined(__OPTIMIZE__)
#if defined(__AVX512F__)
#define BROADLOOM_NATIVE 64
#elif defined(__AVX2__)
#define BROADLOOM_NATIVE 32
#else
#define BROADLOOM_NATIVE 16
#endif
#elif defined(__AVX512F__)
#define BROADLOOM_NATIVE 65
#elif defined(__AVX2__)
#define BROADLOOM_NATIVE 33
#else
#define BROADLOOM_NATIVE 17
#endif

constexpr int native_bytes(int native) { return native & ~1; }
constexpr bool is_optimised(int native) { return (native & 1) == 0; }
constexpr bool is_by_element(int native) { return native == 0; }

}  // namespace broadloom::detail
