// The workloads of linear algebra as careful loops over Eigen, shared out over threads by hand.
#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <Eigen/LU>

#include <algorithm>
#include <vector>

#include "linalg_shared.hpp"

namespace linalg_bench {

namespace {

template <class T>
using rows = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
template <class T>
using in = Eigen::Map<const rows<T>>;
template <class T>
using out = Eigen::Map<rows<T>>;

template <class T>
void square(const T* a, const T* b, T* c, index n) {
  shared(n, [=](index first, index last) {
    out<T>(c + first * n, last - first, n).noalias() = in<T>(a + first * n, last - first, n) * in<T>(b, n, n);
  });
}
void stack(const float* a, const float* b, float* c, index x, index y, index n) {
  shared(x, [=](index first, index last) {
    for (index i = first; i < last; ++i)
      for (index j = 0; j < y; ++j)
        out<float>(c + (i * y + j) * n * n, n, n).noalias() =
            in<float>(a + i * n * n, n, n) * in<float>(b + j * n * n, n, n);
  });
}
void layer(const float* x, const float* w, const float* bias, float* to, index m, index k, index n) {
  shared(m, [=](index first, index last) {
    out<float> o(to + first * n, last - first, n);
    o.noalias() = in<float>(x + first * k, last - first, k) * in<float>(w, k, n);
    o = (o.rowwise() + Eigen::Map<const Eigen::RowVectorXf>(bias, n)).cwiseMax(0.0f);
  });
}
template <int N>
void small_fixed(const float* a, const float* b, float* c, index count) {
  using square_matrix = Eigen::Matrix<float, N, N, Eigen::RowMajor>;
  const square_matrix right = Eigen::Map<const square_matrix>(b);
  shared(count, [=](index first, index last) {
    for (index i = first; i < last; ++i)
      Eigen::Map<square_matrix>(c + i * N * N).noalias() = Eigen::Map<const square_matrix>(a + i * N * N) * right;
  });
}
void small(const float* a, const float* b, float* c, index count, index n) {
  n == 3 ? small_fixed<3>(a, b, c, count) : small_fixed<4>(a, b, c, count);
}
template <int N>
void solve_fixed(const float* a, const float* b, float* x, index count) {
  using square_matrix = Eigen::Matrix<float, N, N, Eigen::RowMajor>;
  using column = Eigen::Matrix<float, N, 1>;
  shared(count, [=](index first, index last) {
    for (index i = first; i < last; ++i)
      Eigen::Map<column>(x + i * N) =
          Eigen::Map<const square_matrix>(a + i * N * N).partialPivLu().solve(Eigen::Map<const column>(b + i * N));
  });
}
void solve(const float* a, const float* b, float* x, index count, index n) {
  n == 3 ? solve_fixed<3>(a, b, x, count) : solve_fixed<4>(a, b, x, count);
}
void cholesky(const double* a, const double* b, double* x, index count, index n) {
  shared(count, [=](index first, index last) {
    Eigen::LLT<Eigen::MatrixXd> llt(n);
    for (index i = first; i < last; ++i) {
      llt.compute(in<double>(a + i * n * n, n, n));
      Eigen::Map<Eigen::VectorXd>(x + i * n, n) = llt.solve(Eigen::Map<const Eigen::VectorXd>(b + i * n, n));
    }
  });
}

}  // namespace

contender eigen_contender() { return {"eigen", square<float>, square<double>, stack, layer, small, solve, cholesky}; }

}  // namespace linalg_bench
