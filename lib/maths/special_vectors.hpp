// Special functions of floats in vectors of f64, for those that need not be computed one at a time.
#pragma once

#include <broadloom/special/evaluate.hpp>

#include "../base/level.hpp"

namespace broadloom::runtime {

// False, and nothing done, if there is no such loop. `out` may be x. An advance is -1, or 0 for a number; the degree of
// polynomials is a number from 2 on.
struct special_vectors {
  // `airy`: that of a single number.
  bool (*one)(special1 f, const float* x, float* out, index n, double (*airy)(double));
  bool (*polynomial)(special2 f, const float* x, index advance, int degree, float* out, index n);
  // `single`: that of single numbers. The zeta function is multiplied by `factor`.
  bool (*pairs)(special2 f, const float* x, const float* y, index x_advance, index y_advance, float* out, index n,
                double factor, double (*single)(double, double));
};
BROADLOOM_LEVELS(all, special_vectors, special_vectors_of)

bool BROADLOOM_OF_LEVEL(airy_vectors)(const float* x, float* out, index n, double (*single)(double));
bool BROADLOOM_OF_LEVEL(bessel_vectors)(special1 f, const float* x, float* out, index n);
bool BROADLOOM_OF_LEVEL(polynomial_vectors)(special2 f, const float* x, index advance, int degree, float* out, index n);
bool BROADLOOM_OF_LEVEL(pair_vectors)(special2 f, const float* x, const float* y, index x_advance, index y_advance,
                                      float* out, index n, double factor, double (*single)(double, double));

}  // namespace broadloom::runtime
