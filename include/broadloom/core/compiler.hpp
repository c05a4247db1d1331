// Refuses compilers, language standards and processors that Broadloom cannot be compiled with, in one sentence. Every
// public header includes it before anything that such a compiler would not understand.
#pragma once

#if defined(_MSVC_LANG)
#define BROADLOOM_LANGUAGE _MSVC_LANG
#else
#define BROADLOOM_LANGUAGE __cplusplus
#endif

#if defined(__clang__)
#if __clang_major__ < 14
#define BROADLOOM_STOPS
#error "Broadloom needs clang 14 or later, or GCC 11 or later [errors.md#compiler]"
#endif
#elif defined(__GNUC__)
#if __GNUC__ < 11
#define BROADLOOM_STOPS
#error "Broadloom needs GCC 11 or later, or clang 14 or later [errors.md#compiler]"
#endif
#else
#define BROADLOOM_STOPS
#error "Broadloom needs the vector extensions of GCC (11 or later) or clang (14 or later) [errors.md#compiler]"
#endif

#if !defined(BROADLOOM_STOPS) && BROADLOOM_LANGUAGE < 202002L
#define BROADLOOM_STOPS
#error "Broadloom needs C++20: compile with -std=c++20 or later [errors.md#compiler]"
#endif

#if !defined(BROADLOOM_STOPS) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#define BROADLOOM_STOPS
#error "Broadloom needs a processor that stores the lowest byte of a number first [errors.md#compiler]"
#endif

#if defined(BROADLOOM_STOPS)
// No such file: a compiler goes on after #error, and would report all that it does not understand. It ends here.
#include <the_error_above_says_why>
#endif

#undef BROADLOOM_LANGUAGE
