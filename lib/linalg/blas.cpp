// Calls the BLAS that the library was built with, if any.
#include "blas.hpp"

#ifdef BROADLOOM_BLAS
#include <limits>

#include <cblas.h>
#endif

namespace broadloom::runtime {

#ifdef BROADLOOM_BLAS
namespace {

template <class T>
bool fits(const blas_product<T>& p) {
  constexpr index most = std::numeric_limits<int>::max();
  const auto stride = [](index s, index length) { return s >= length && s >= 1 && s <= most; };
  return p.m <= most && p.n <= most && p.k <= most && stride(p.a_stride, p.a_rows ? p.k : p.m) &&
         stride(p.b_stride, p.b_rows ? p.n : p.k) && stride(p.c_stride, p.n);
}
template <class T, class F, class Number>
bool call(const blas_product<T>& p, F gemm, Number alpha, Number beta) {
  if (!fits(p)) return false;
  const auto whole = [](index x) { return static_cast<int>(x); };
  gemm(CblasRowMajor, p.a_rows ? CblasNoTrans : CblasTrans, p.b_rows ? CblasNoTrans : CblasTrans, whole(p.m),
       whole(p.n), whole(p.k), alpha, p.a, whole(p.a_stride), p.b, whole(p.b_stride), beta, p.c, whole(p.c_stride));
  return true;
}

}  // namespace

bool multiply_by_blas(const blas_product<float>& p) {
  return call(p, cblas_sgemm, p.alpha, p.accumulate ? 1.0f : 0.0f);
}
bool multiply_by_blas(const blas_product<double>& p) { return call(p, cblas_dgemm, p.alpha, p.accumulate ? 1.0 : 0.0); }
bool multiply_by_blas(const blas_product<std::complex<float>>& p) {
  const std::complex<float> beta = p.accumulate ? 1.0f : 0.0f;
  return call<std::complex<float>, decltype(&cblas_cgemm), const void*>(p, cblas_cgemm, &p.alpha, &beta);
}
bool multiply_by_blas(const blas_product<std::complex<double>>& p) {
  const std::complex<double> beta = p.accumulate ? 1.0 : 0.0;
  return call<std::complex<double>, decltype(&cblas_zgemm), const void*>(p, cblas_zgemm, &p.alpha, &beta);
}
bool has_blas() { return true; }
#else
bool has_blas() { return false; }
bool multiply_by_blas(const blas_product<float>&) { return false; }
bool multiply_by_blas(const blas_product<double>&) { return false; }
bool multiply_by_blas(const blas_product<std::complex<float>>&) { return false; }
bool multiply_by_blas(const blas_product<std::complex<double>>&) { return false; }
#endif

}  // namespace broadloom::runtime
