// Single elements of the special functions: compiled, through Boost.Math where it has them.
#pragma once

#include <broadloom/core/api.hpp>
#include <broadloom/core/index.hpp>

namespace broadloom::runtime {

enum class special1 : unsigned char {
#define BROADLOOM_SPECIAL1(NAME) NAME,
#define BROADLOOM_SPECIAL2(NAME)
#include <broadloom/special/functions.def>
#undef BROADLOOM_SPECIAL1
#undef BROADLOOM_SPECIAL2
};
enum class special2 : unsigned char {
#define BROADLOOM_SPECIAL1(NAME)
#define BROADLOOM_SPECIAL2(NAME) NAME,
#include <broadloom/special/functions.def>
#undef BROADLOOM_SPECIAL1
#undef BROADLOOM_SPECIAL2
};

// n elements of f32, or of f64, in memory: out[i] = f(x[i]), and f(x[i], y[i]). An advance is -1, or 0 where there is a
// single element for all; `out` may be an operand. f32 is computed in f64 and rounded, f64 in f64 with corrections or
// in long double. Poles and arguments outside of the domain give PyTorch's infinities and NaN. Throws
// std::runtime_error in a library that was built without Boost.Math.
BROADLOOM_API void special(special1 f, const void* x, void* out, index n, bool is_f32);
BROADLOOM_API void special(special2 f, const void* x, const void* y, index x_advance, index y_advance, void* out,
                           index n, bool is_f32);
// The same for the sum over lgamma(x - i / 2), i < p.
BROADLOOM_API void multigammaln(const void* x, int p, void* out, index n, bool is_f32) noexcept;
// Throws std::invalid_argument, which names the function, unless p is at least 1.
BROADLOOM_API void check_dimension(const char* function, int p);

}  // namespace broadloom::runtime
