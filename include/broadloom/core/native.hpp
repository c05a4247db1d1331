// The vector width that the including file is compiled for. It is a template argument of all code that depends on it,
// so that files compiled with different flags do not share one function's code.
#pragma once

namespace broadloom::detail {

#if defined(__AVX512F__)
#define BROADLOOM_NATIVE 64
#elif defined(__AVX2__)
#define BROADLOOM_NATIVE 32
#else
#define BROADLOOM_NATIVE 16
#endif

}  // namespace broadloom::detail
