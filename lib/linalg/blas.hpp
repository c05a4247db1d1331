// Large products by a BLAS, if the library was built with one (-Dblas=openblas).
#pragma once

#include <complex>

#include <broadloom/core/index.hpp>

namespace broadloom::runtime {

// c = alpha * a * b, or c += it. c is row-major, m x n; a (m x k) and b (k x n) are contiguous along one axis.
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

// False, and nothing written, if there is no BLAS or it does not support these strides.
bool multiply_by_blas(const blas_product<float>& p);
bool multiply_by_blas(const blas_product<double>& p);
bool multiply_by_blas(const blas_product<std::complex<float>>& p);
bool multiply_by_blas(const blas_product<std::complex<double>>& p);

}  // namespace broadloom::runtime
