// The workloads of linear algebra as calls of OpenBLAS and its LAPACK, which has threads of its own for large products;
// loops over small matrices are shared out by hand.
#include <cblas.h>
#include <lapacke.h>

#include <algorithm>
#include <vector>

#include "linalg_shared.hpp"

namespace linalg_bench {

namespace {

void gemm(const float* a, const float* b, float* c, index m, index k, index n) {
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, int(m), int(n), int(k), 1, a, int(k), b, int(n), 0, c, int(n));
}
void square_f32(const float* a, const float* b, float* c, index n) { gemm(a, b, c, n, n, n); }
void square_f64(const double* a, const double* b, double* c, index n) {
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, int(n), int(n), int(n), 1, a, int(n), b, int(n), 0, c, int(n));
}
void stack(const float* a, const float* b, float* c, index x, index y, index n) {
  for (index i = 0; i < x; ++i)
    for (index j = 0; j < y; ++j) gemm(a + i * n * n, b + j * n * n, c + (i * y + j) * n * n, n, n, n);
}
void layer(const float* x, const float* w, const float* bias, float* to, index m, index k, index n) {
  gemm(x, w, to, m, k, n);
  shared(m, [=](index first, index last) {
    for (index i = first; i < last; ++i)
      for (index j = 0; j < n; ++j) to[i * n + j] = std::max(to[i * n + j] + bias[j], 0.0f);
  });
}
// One tall matrix.
void small(const float* a, const float* b, float* c, index count, index n) { gemm(a, b, c, count * n, n, n); }
void solve(const float* a, const float* b, float* x, index count, index n) {
  shared(count, [=](index first, index last) {
    float m[64];
    int pivots[8];
    for (index k = first; k < last; ++k) {
      for (index i = 0; i < n; ++i) {
        for (index j = 0; j < n; ++j) m[j * n + i] = a[(k * n + i) * n + j];
        x[k * n + i] = b[k * n + i];
      }
      LAPACKE_sgesv_work(LAPACK_COL_MAJOR, int(n), 1, m, int(n), pivots, x + k * n, int(n));
    }
  });
}
void cholesky(const double* a, const double* b, double* x, index count, index n) {
  shared(count, [=](index first, index last) {
    std::vector<double> m(static_cast<std::size_t>(n * n));
    for (index k = first; k < last; ++k) {
      std::copy_n(a + k * n * n, n * n, m.data());
      std::copy_n(b + k * n, n, x + k * n);
      LAPACKE_dposv_work(LAPACK_COL_MAJOR, 'L', int(n), 1, m.data(), int(n), x + k * n, int(n));
    }
  });
}

}  // namespace

contender openblas_contender() { return {"openblas", square_f32, square_f64, stack, layer, small, solve, cholesky}; }

}  // namespace linalg_bench
