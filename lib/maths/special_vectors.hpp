// Special functions in vectors, for those that need not be computed one at a time: of floats in f64, of f64 in f64 with
// corrections.
#pragma once

#include <broadloom/special/evaluate.hpp>

#include "../base/level.hpp"

namespace broadloom::runtime {

// False, and nothing done, if there is no such loop. `out` may be x. An advance is -1, or 0 for a number; the degree of
// polynomials is a number from 2 on. `single`: the function of single numbers, for arguments that vectors leave out.
template <class T>
struct special_vectors {
  bool (*one)(special1 f, const T* x, T* out, index n, double (*single)(double));
  bool (*polynomial)(special2 f, const T* x, index advance, int degree, T* out, index n,
                     double (*single)(double, double));
  // The zeta function is multiplied by `factor`.
  bool (*pairs)(special2 f, const T* x, const T* y, index x_advance, index y_advance, T* out, index n,
                long double factor, double (*single)(double, double));
};
BROADLOOM_REAL_LEVELS(all, special_vectors, special_vectors_of)

bool BROADLOOM_OF_LEVEL(airy_vectors)(const float* x, float* out, index n, double (*single)(double));
bool BROADLOOM_OF_LEVEL(airy_vectors)(const double* x, double* out, index n, double (*single)(double));
bool BROADLOOM_OF_LEVEL(bessel_vectors)(special1 f, const float* x, float* out, index n);
bool BROADLOOM_OF_LEVEL(bessel_vectors)(special1 f, const double* x, double* out, index n, double (*single)(double));
bool BROADLOOM_OF_LEVEL(digamma_vectors)(special1 f, const float* x, float* out, index n, double (*single)(double));
bool BROADLOOM_OF_LEVEL(digamma_vectors)(special1 f, const double* x, double* out, index n, double (*single)(double));
bool BROADLOOM_OF_LEVEL(normal_vectors)(special1 f, const double* x, double* out, index n, double (*single)(double));
bool BROADLOOM_OF_LEVEL(polynomial_vectors)(special2 f, const float* x, index advance, int degree, float* out, index n,
                                            double (*single)(double, double));
bool BROADLOOM_OF_LEVEL(polynomial_vectors)(special2 f, const double* x, index advance, int degree, double* out,
                                            index n, double (*single)(double, double));
bool BROADLOOM_OF_LEVEL(pair_vectors)(special2 f, const float* x, const float* y, index x_advance, index y_advance,
                                      float* out, index n, long double factor, double (*single)(double, double));
bool BROADLOOM_OF_LEVEL(pair_vectors)(special2 f, const double* x, const double* y, index x_advance, index y_advance,
                                      double* out, index n, long double factor, double (*single)(double, double));

}  // namespace broadloom::runtime
