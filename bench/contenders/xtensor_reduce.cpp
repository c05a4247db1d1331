// xtensor's reductions with xsimd and TBB, as its users would write each workload: sums that are used again are
// evaluated first.
#define XTENSOR_USE_XSIMD
#define XTENSOR_USE_TBB
#include <tbb/global_control.h>

#include <array>
#include <memory>
#include <xsimd/xsimd.hpp>
#include <xtensor/xadapt.hpp>
#include <xtensor/xmath.hpp>
#include <xtensor/xnoalias.hpp>
#include <xtensor/xsort.hpp>
#include <xtensor/xtensor.hpp>
#include <xtensor/xtensor_config.hpp>
#include <xtensor/xview.hpp>

#include "../contender.hpp"

namespace {

using bench::job;
using bench::problem;
using bench::repeat;

template <std::size_t R>
std::array<std::size_t, R> extents(const bench::shape& s) {
  std::array<std::size_t, R> e{};
  for (std::size_t k = 0; k < R; ++k) e[k] = std::size_t(s[k]);
  return e;
}
// xtensor adapts pointers to non-const elements only.
template <std::size_t R>
auto in(const problem& p, std::size_t k) {
  return xt::adapt(const_cast<float*>(p.in<float>(k)), std::size_t(bench::count(p.shapes[k])), xt::no_ownership(),
                   extents<R>(p.shapes[k]));
}
template <std::size_t R, class T = float>
auto out(const problem& p) {
  return xt::adapt(p.out<T>(), std::size_t(p.size()), xt::no_ownership(), extents<R>(p.output_shape));
}
// Limits TBB for the rest of the process to what the program was started with.
int use_threads(const problem& p) {
  static std::unique_ptr<tbb::global_control> control;
  static int now = 0;
  if (now != p.threads)
    control =
        std::make_unique<tbb::global_control>(tbb::global_control::max_allowed_parallelism, std::size_t(p.threads));
  return now = p.threads;
}

}  // namespace

void broadloom_bench_register(bench::registry& r) {
  r.contender("xtensor",
              "xtensor " + std::to_string(XTENSOR_VERSION_MAJOR) + "." + std::to_string(XTENSOR_VERSION_MINOR) +
                  ", reductions, with TBB",
              BENCH_FLAGS);
  r.solves("softmax_rows", [](const problem& p) {
    return repeat(use_threads(p), [x = in<2>(p, 0), o = out<2>(p)]() mutable {
      const xt::xtensor<float, 2> most = xt::amax(x, {1}, xt::keep_dims);
      xt::noalias(o) = xt::exp(x - most);
      const xt::xtensor<float, 2> sum = xt::sum(o, {1}, xt::keep_dims);
      o /= sum;
    });
  });
  r.solves("layer_norm", [](const problem& p) {
    return repeat(use_threads(p), [x = in<2>(p, 0), g = in<1>(p, 1), h = in<1>(p, 2), o = out<2>(p)]() mutable {
      const xt::xtensor<float, 2> mean = xt::mean(x, {1}, xt::keep_dims);
      const xt::xtensor<float, 2> scale = 1.f / xt::sqrt(xt::mean(xt::square(x - mean), {1}, xt::keep_dims) + 1e-5f);
      xt::noalias(o) = (x - mean) * scale * g + h;
    });
  });
  r.solves("normalize", [](const problem& p) {
    return repeat(use_threads(p), [x = in<1>(p, 0), o = out<1>(p)]() mutable {
      const float s = xt::sum(x, xt::evaluation_strategy::immediate)();
      xt::noalias(o) = x / s;
    });
  });
  r.solves("row_sums", [](const problem& p) {
    return repeat(use_threads(p), [x = in<2>(p, 0), o = out<1>(p)]() mutable {
      xt::noalias(o) = xt::sum(x, {1}, xt::evaluation_strategy::immediate);
    });
  });
  r.solves("column_sums", [](const problem& p) {
    return repeat(use_threads(p), [x = in<2>(p, 0), o = out<1>(p)]() mutable {
      xt::noalias(o) = xt::sum(x, {0}, xt::evaluation_strategy::immediate);
    });
  });
  r.solves("full_sum", [](const problem& p) {
    return repeat(use_threads(p), [x = in<1>(p, 0), o = p.out<float>()]() mutable {
      *o = xt::sum(x, xt::evaluation_strategy::immediate)();
    });
  });
  r.solves("square_distance_rows", [](const problem& p) {
    return repeat(use_threads(p), [a = in<2>(p, 0), b = in<1>(p, 1), o = out<1>(p)]() mutable {
      xt::noalias(o) = xt::sum(xt::square(a - b), {1});
    });
  });
  r.solves("pairwise", [](const problem& p) {
    return repeat(use_threads(p), [x = in<3>(p, 0), y = in<3>(p, 1), o = out<2>(p)]() mutable {
      xt::noalias(o) = xt::sum(xt::square(x - y), {2});
    });
  });
  r.solves("argmax_rows", [](const problem& p) {
    return repeat(use_threads(p),
                  [x = in<2>(p, 0), o = out<1, std::int64_t>(p)]() mutable { xt::noalias(o) = xt::argmax(x, 1); });
  });
  r.solves("cumsum_rows", [](const problem& p) {
    return repeat(use_threads(p), [x = in<2>(p, 0), o = out<2>(p)]() mutable { xt::noalias(o) = xt::cumsum(x, 1); });
  });
}
