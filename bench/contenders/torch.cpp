// libtorch, in the forms that write into existing memory; where one call cannot do it, scratch tensors are kept
// between calls.
#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <ATen/core/grad_mode.h>
#include <torch/csrc/api/include/torch/version.h>

#include "../contender.hpp"

namespace {

using at::Tensor;
using bench::job;
using bench::problem;

Tensor wrap(const void* memory, const bench::shape& s, at::ScalarType type) {
  return at::from_blob(const_cast<void*>(memory), std::vector<std::int64_t>(s.begin(), s.end()),
                       at::TensorOptions().dtype(type));
}
Tensor in(const problem& p, std::size_t k, at::ScalarType type = at::kFloat) {
  return wrap(p.operands[k], p.shapes[k], type);
}
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

job add(const problem& p) {
  return repeat(p, [a = in(p, 0), b = in(p, 1), o = out(p)]() mutable { at::add_out(o, a, b); });
}
job addcmul(const problem& p) {
  return repeat(p, [a = in(p, 0), b = in(p, 1), c = in(p, 2), o = out(p)]() mutable { at::addcmul_out(o, a, b, c); });
}

template <at::ScalarType Type>
job chain(const problem& p) {
  return repeat(p, [a = in(p, 0, Type), b = in(p, 1, Type), c = in(p, 2, Type), d = in(p, 3, Type), e = in(p, 4, Type),
                    o = out(p, Type), t = at::empty({p.size()}, Type)]() mutable {
    at::addcmul_out(o, a, b, c);
    o.sub_(d);
    at::mul_out(t, e, e);
    t.add_(1.5);
    o.div_(t);
  });
}

}  // namespace

void broadloom_bench_register(bench::registry& r) {
  r.contender("torch", "libtorch " TORCH_VERSION ", out= forms", BENCH_FLAGS);
  r.solves("add_big", add);
  r.solves("addcmul_bcast", addcmul);
  r.solves("chain_f32", chain<at::kFloat>);
  r.solves("chain_f64", chain<at::kDouble>);
  r.solves("outer", add);
  r.solves("batchnorm", [](const problem& p) {
    return repeat(p, [x = in(p, 0), m = in(p, 1), v = in(p, 2), g = in(p, 3), b = in(p, 4), o = out(p)]() mutable {
      // scale and shift are as small as a channel: two passes over x
      const Tensor scale = v * g;
      at::mul_out(o, x, scale);
      o.add_(at::addcmul(b, m, scale, -1));
    });
  });
  r.solves("transpose_add", [](const problem& p) {
    return repeat(p, [a = in(p, 0), b = in(p, 1), o = out(p)]() mutable { at::add_out(o, a, b.t()); });
  });
  for (const char* name : {"black_scholes", "black_scholes_fast"})
    r.solves(name, [](const problem& p) {
      const std::vector<std::int64_t> n{p.size()};
      return repeat(p, [S = in(p, 0), K = in(p, 1), T = in(p, 2), o = out(p), w = at::empty(n), d = at::empty(n),
                        u = at::empty(n)]() mutable {
        const double rate = 0.02f, v = 0.3f, h = 0.70710678118654752;
        at::sqrt_out(w, T);
        w.mul_(v);
        at::div_out(d, S, K);
        d.log_().add_(T, rate + v * v / 2).div_(w);
        at::sub_out(u, d, w);
        u.mul_(h).erf_().mul_(0.5).add_(0.5).mul_(K);
        at::mul_out(w, T, at::scalar_tensor(-rate));
        w.exp_();
        at::mul_out(o, d, at::scalar_tensor(h));
        o.erf_().mul_(0.5).add_(0.5).mul_(S).addcmul_(u, w, -1);
      });
    });
  r.solves("strided", [](const problem& p) {
    return repeat(p, [a = in(p, 0), b = in(p, 1), o = out(p)]() mutable {
      at::mul_out(o, a.slice(0, c10::nullopt, c10::nullopt, 2).slice(1, c10::nullopt, c10::nullopt, 3), b);
    });
  });
  r.solves("where_clamp", [](const problem& p) {
    return repeat(p, [a = in(p, 0), b = in(p, 1), c = in(p, 2), o = out(p), t = at::empty({p.size()}),
                      m = at::empty({p.size()}, at::kBool)]() mutable {
      at::gt_out(m, a, b);
      at::clamp_out(t, c, 0, 1);
      at::where_out(o, m, t, b);
    });
  });
  r.solves("int_add_compare", [](const problem& p) {
    return repeat(p, [a = in(p, 0, at::kInt), b = in(p, 1, at::kInt), c = in(p, 2, at::kInt), o = out(p, at::kBool),
                      t = at::empty({p.size()}, at::kInt)]() mutable {
      at::add_out(t, a, b);
      at::gt_out(o, t, c);
    });
  });
  r.solves("hoist", [](const problem& p) {
    return repeat(p, [x = in(p, 0), b = in(p, 1), c = in(p, 2), o = out(p)]() mutable {
      at::addcmul_out(o, c.log(), x, b.exp());
    });
  });
  for (const char* name : {"mixed_channels", "mixed_flat"})
    r.solves(name, [](const problem& p) {
      return repeat(p,
                    [x = in(p, 0, at::kByte), f = in(p, 1), o = out(p, at::kByte),
                     t = at::empty(std::vector<std::int64_t>(p.output_shape.begin(), p.output_shape.end()))]() mutable {
                      at::mul_out(t, x, f);
                      o.copy_(t);
                    });
    });
  for (const char* kind : {"dynamic", "static"}) {
    for (long n : {4, 16, 64, 256, 1024, 4096})
      r.solves(std::string("small_") + kind + "_" + std::to_string(n), addcmul);
    r.solves(std::string("small_") + kind + "_outer", add);
  }
}
