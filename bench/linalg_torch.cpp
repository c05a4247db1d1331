// The workloads of linear algebra by libtorch, into existing results where it has a way to say so.
#include <ATen/ATen.h>

#include "linalg.hpp"

namespace linalg_bench {

namespace {

template <class T>
at::Tensor seen(const T* p, at::IntArrayRef shape) {
  return at::from_blob(const_cast<T*>(p), shape, std::is_same_v<T, float> ? at::kFloat : at::kDouble);
}

template <class T>
void square(const T* a, const T* b, T* c, index n) {
  auto out = seen(c, {n, n});
  at::mm_out(out, seen(a, {n, n}), seen(b, {n, n}));
}
void stack(const float* a, const float* b, float* c, index x, index y, index n) {
  auto out = seen(c, {x, y, n, n});
  at::matmul_out(out, seen(a, {x, 1, n, n}), seen(b, {1, y, n, n}));
}
void layer(const float* x, const float* w, const float* bias, float* to, index m, index k, index n) {
  auto out = seen(to, {m, n});
  at::addmm_out(out, seen(bias, {n}), seen(x, {m, k}), seen(w, {k, n}));
  out.relu_();
}
void small(const float* a, const float* b, float* c, index count, index n) {
  auto out = seen(c, {count, n, n});
  at::matmul_out(out, seen(a, {count, n, n}), seen(b, {n, n}));
}
void solve(const float* a, const float* b, float* x, index count, index n) {
  auto out = seen(x, {count, n});
  at::linalg_solve_out(out, seen(a, {count, n, n}), seen(b, {count, n}));
}
void cholesky(const double* a, const double* b, double* x, index count, index n) {
  auto out = seen(x, {count, n, 1});
  at::cholesky_solve_out(out, seen(b, {count, n, 1}), at::linalg_cholesky(seen(a, {count, n, n})));
}

}  // namespace

contender torch_contender() { return {"torch", square<float>, square<double>, stack, layer, small, solve, cholesky}; }

}  // namespace linalg_bench
