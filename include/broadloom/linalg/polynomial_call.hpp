// What compiled code is given for polynomials of real coefficients.
#pragma once

#include <broadloom/core/api.hpp>
#include <broadloom/core/dtype.hpp>
#include <broadloom/core/index.hpp>

namespace broadloom::runtime {

// Each of `size` elements x becomes c[0] x^(n - 1) + ... + c[n - 1], by Horner's rule, each step rounded.
BROADLOOM_API void evaluate_polynomial(dtype type, const void* c, index n, void* x, index size);
// The n + m - 1 coefficients of the product of p and q, n and m > 0. Terms are added in the order of p's coefficients.
BROADLOOM_API void multiply_polynomials(dtype type, const void* p, index n, const void* q, index m, void* to);

}  // namespace broadloom::runtime
