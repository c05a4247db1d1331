// The loops of functions of complex numbers, as kernels of a stage. They are compiled once, in the library.
#pragma once

#include <broadloom/core/api.hpp>
#include <broadloom/core/complex_maths.hpp>
#include <broadloom/plan/problem.hpp>

namespace broadloom::runtime {

// Of complex<float>, and of complex<double>.
BROADLOOM_API extern const kernel complex_kernels[2][complex_maths_count];

}  // namespace broadloom::runtime
