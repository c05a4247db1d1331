// Large products by a BLAS, where the library was built with one (-Dblas=openblas).
#pragma once

#include <complex>

#include <broadloom/core/index.hpp>

namespace broadloom::runtime {

// c = alpha * a * b, or c += it: c is row-major, m x n; a (m x k) and b (k x n) have rows or columns without gaps.
template <class T>
struct blas_product {
  index m, n, k;
  T alpha;
  const T* a;
  index a_stride;
  bool a_rows;
  const T* b;
  index b_stride;
  bool b_rows;
  bool accumulate;
  T* c;
  index c_stride;
};

bool has_blas();

// False where there is no BLAS, or it cannot take these strides; then nothing is written.
bool multiply_by_blas(const blas_product<float>& p);
bool multiply_by_blas(const blas_product<double>& p);
bool multiply_by_blas(const blas_product<std::complex<float>>& p);
bool multiply_by_blas(const blas_product<std::complex<double>>& p);

}  // namespace broadloom::runtime
