// The workloads of linear algebra as a user of Broadloom writes them.
#include <broadloom/broadloom.hpp>
#include <broadloom/linalg.hpp>

#include "linalg.hpp"

namespace bl = broadloom;

namespace linalg_bench {

namespace {

template <class T, class... N>
auto in(const T* data, N... n) {
  return bl::from(data, bl::dshape<sizeof...(N)>(n...));
}
template <class T, class... N>
auto out(T* data, N... n) {
  return bl::from(data, bl::dshape<sizeof...(N)>(n...));
}

template <class T>
void square(const T* a, const T* b, T* c, index n) {
  out(c, n, n) = bl::mm(in(a, n, n), in(b, n, n));
}
void stack(const float* a, const float* b, float* c, index x, index y, index n) {
  out(c, x, y, n, n) = bl::matmul(in(a, x, index{1}, n, n), in(b, index{1}, y, n, n));
}
void layer(const float* x, const float* w, const float* bias, float* to, index m, index k, index n) {
  out(to, m, n) = bl::relu(bl::matmul(in(x, m, k), in(w, k, n)) + in(bias, n));
}
void small(const float* a, const float* b, float* c, index count, index n) {
  out(c, count, n, n) = bl::matmul(in(a, count, n, n), in(b, n, n));
}
void solve(const float* a, const float* b, float* x, index count, index n) {
  out(x, count, n) = bl::solve_vec(in(a, count, n, n), in(b, count, n));
}
void cholesky(const double* a, const double* b, double* x, index count, index n) {
  const auto columns = in(b, count, n, index{1});
  out(x, count, n, index{1}) = bl::cholesky_solve(columns, bl::cholesky(in(a, count, n, n)));
}

}  // namespace

contender broadloom_contender() {
  return {"broadloom", square<float>, square<double>, stack, layer, small, solve, cholesky};
}

}  // namespace linalg_bench
