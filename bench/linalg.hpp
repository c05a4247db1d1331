// The workloads of linear algebra, and what each contender does for them.
#pragma once

#include <cstddef>

namespace linalg_bench {

using index = std::ptrdiff_t;

// Row-major arrays; contenders write to c.
struct contender {
  const char* name;
  // c (n x n) = a (n x n) * b (n x n)
  void (*square_f32)(const float* a, const float* b, float* c, index n);
  void (*square_f64)(const double* a, const double* b, double* c, index n);
  // c (x, y, n, n) = a (x, 1, n, n) * b (1, y, n, n)
  void (*stack_f32)(const float* a, const float* b, float* c, index x, index y, index n);
  // out (m x n) = relu(x (m x k) * w (k x n) + bias (n))
  void (*layer_f32)(const float* x, const float* w, const float* bias, float* out, index m, index k, index n);
  // c (count, n, n) = a (count, n, n) * b (n, n)
  void (*small_f32)(const float* a, const float* b, float* c, index count, index n);
  // x (count, n) with a (count, n, n) x = b (count, n)
  void (*solve_f32)(const float* a, const float* b, float* x, index count, index n);
  // x (count, n) with a (count, n, n) x = b (count, n), a positive definite
  void (*cholesky_f64)(const double* a, const double* b, double* x, index count, index n);
};

contender broadloom_contender();
contender eigen_contender();
contender openblas_contender();
contender torch_contender();

}  // namespace linalg_bench
