// Rows divided by one number each: with the bits of one division for each element, several vectors at a time.
#pragma once

#include <broadloom/plan/problem.hpp>

namespace broadloom::runtime {

// n elements x / *y. `streaming`: the output is aligned to the level's vectors, and n is a multiple of their lanes.
template <class T>
using quotients = void (*)(const T* x, const T* y, T* out, index n, bool streaming);

#if defined(__x86_64__)
void quotients_v4_f32(const float* x, const float* y, float* out, index n, bool streaming);
void quotients_v4_f64(const double* x, const double* y, double* out, index n, bool streaming);
#endif

}  // namespace broadloom::runtime
