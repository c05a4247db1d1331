// What the file of one level provides: a strip function for every function, accuracy and element type.
#pragma once

#include <broadloom/core/maths.hpp>

#include "../base/level.hpp"
#include "find.hpp"

// Whether the C library has libmvec with all functions of the list (glibc 2.35 and later).
#if defined(__x86_64__) && __has_include(<features.h>)
#include <features.h>
#endif
#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GLIBC_PREREQ)
#if __GLIBC_PREREQ(2, 35)
#define BROADLOOM_HAS_LIBMVEC 1
#endif
#endif
#if !defined(BROADLOOM_SLEEF)
#define BROADLOOM_SLEEF 1
#endif
#if !defined(BROADLOOM_HAS_LIBMVEC)
#define BROADLOOM_HAS_LIBMVEC 0
#endif

namespace broadloom::runtime {

enum class maths_source : unsigned char { sleef, libmvec, own };

template <class Strip>
struct maths_entry {
  Strip run;
  const char* backend;
};

template <class T>
struct maths_entry<strip1<T>> {
  strip1<T> run;
  const char* backend;
  strip_sums<T> summed[before_count] = {};  // null: none
};

inline constexpr int simple_exponent_count = 6;
inline constexpr double simple_exponents[simple_exponent_count] = {2, 0.5, -1,
                                                                   3, 1,   0};  // as simple_powers.hpp has them
template <class T>
struct maths_entry<strip2<T>> {
  strip2<T> run;
  const char* backend;
  strip1<T> by_number[simple_exponent_count] = {};  // for a second argument that is this exponent; null: none
};

template <class T>
struct maths_rows {
  maths_entry<strip1<T>> one[2][maths1_count];
  maths_entry<strip2<T>> two[2][maths2_count];
  // sin(x) and cos(x), the accurate ones, of one number; false where the strips are to compute them. Null: none.
  bool (*sine_and_cosine)(T x, T* to) noexcept;
  // e^z of n complex numbers, as complex_exponentials.hpp has it. Null: none.
  void (*complex_exponentials)(const T* pairs, T* out, index n, void (*others)(const T* z, T* out));
};

struct maths_table {
  maths_rows<float> f32;
  maths_rows<double> f64;
};

BROADLOOM_LEVELS(v4, maths_table, maths)

// f(x) by the C library in the next wider type, rounded: accurate to about half an ULP, and slow. For the few arguments
// for which a vector function is wrong.
float exact(maths1 f, float x) noexcept;
double exact(maths1 f, double x) noexcept;
float exact(maths2 f, float x, float y) noexcept;
double exact(maths2 f, double x, double y) noexcept;
void fmod_one_by_one(const double* x, const double* y, double* out, index n) noexcept;

}  // namespace broadloom::runtime
