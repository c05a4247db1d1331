// libtorch's reductions, its own fused softmax and layer norm among them; compositions in the out= forms, scratch
// tensors kept.
#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <ATen/core/grad_mode.h>
#include <torch/csrc/api/include/torch/version.h>

#include "../contender.hpp"

namespace {

using at::Tensor;
using bench::job;
using bench::problem;

Tensor wrap(const void* memory, const bench::shape& s, at::ScalarType type = at::kFloat) {
  return at::from_blob(const_cast<void*>(memory), std::vector<std::int64_t>(s.begin(), s.end()),
                       at::TensorOptions().dtype(type));
}
Tensor in(const problem& p, std::size_t k) { return wrap(p.operands[k], p.shapes[k]); }
Tensor out(const problem& p, at::ScalarType type = at::kFloat) { return wrap(p.output, p.output_shape, type); }

// OpenMP threads keep spinning for some milliseconds after a call: the program then waits before the next contender.
template <class Solve>
job repeat(const problem& p, Solve f) {
  at::set_num_threads(p.threads);
  job j = bench::repeat(p.threads, [f]() mutable {
    at::NoGradGuard no_gradients;
    f();
  });
  j.settle_ms = p.threads > 1 ? 8 : 0;
  return j;
}

}  // namespace

void broadloom_bench_register(bench::registry& r) {
  r.contender("torch", "libtorch " TORCH_VERSION ", reductions, out= forms", BENCH_FLAGS);
  r.solves("softmax_rows", [](const problem& p) {
    return repeat(p, [x = in(p, 0), o = out(p)]() mutable { at::_softmax_out(o, x, 1, false); });
  });
  r.solves("layer_norm", [](const problem& p) {
    return repeat(p,
                  [x = in(p, 0), g = in(p, 1), h = in(p, 2), o = out(p), m = at::empty({8192, 1}),
                   s = at::empty({8192, 1})]() mutable { at::native_layer_norm_out(o, m, s, x, {1024}, g, h, 1e-5); });
  });
  r.solves("normalize", [](const problem& p) {
    return repeat(p, [x = in(p, 0), o = out(p)]() mutable { at::div_out(o, x, x.sum()); });
  });
  r.solves("row_sums", [](const problem& p) {
    return repeat(p, [x = in(p, 0), o = out(p)]() mutable { at::sum_out(o, x, {1}); });
  });
  r.solves("column_sums", [](const problem& p) {
    return repeat(p, [x = in(p, 0), o = out(p)]() mutable { at::sum_out(o, x, {0}); });
  });
  r.solves("full_sum", [](const problem& p) {
    return repeat(p, [x = in(p, 0), o = wrap(p.output, {})]() mutable { at::sum_out(o, x, {0}); });
  });
  r.solves("square_distance_rows", [](const problem& p) {
    return repeat(p, [a = in(p, 0), b = in(p, 1), o = out(p), t = at::empty({65536, 128})]() mutable {
      at::sub_out(t, a, b);
      t.square_();
      at::sum_out(o, t, {1});
    });
  });
  r.solves("pairwise", [](const problem& p) {
    return repeat(p, [x = in(p, 0), y = in(p, 1), o = out(p), t = at::empty({1024, 1024, 64})]() mutable {
      at::sub_out(t, x, y);
      t.square_();
      at::sum_out(o, t, {2});
    });
  });
  r.solves("argmax_rows", [](const problem& p) {
    return repeat(p, [x = in(p, 0), o = out(p, at::kLong)]() mutable { at::argmax_out(o, x, 1); });
  });
  r.solves("cumsum_rows", [](const problem& p) {
    return repeat(p, [x = in(p, 0), o = out(p)]() mutable { at::cumsum_out(o, x, 1); });
  });
}
