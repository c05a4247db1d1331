// xtensor with xsimd and TBB, as its users would write each workload. Built a second time without TBB for the small
// arrays, which its threads slow down.
#define XTENSOR_USE_XSIMD
#if !defined(BENCH_SERIAL)
#define XTENSOR_USE_TBB
#include <tbb/global_control.h>
#endif

#include <array>
#include <memory>
#include <xsimd/xsimd.hpp>
#include <xtensor/xadapt.hpp>
#include <xtensor/xfixed.hpp>
#include <xtensor/xmath.hpp>
#include <xtensor/xnoalias.hpp>
#include <xtensor/xstrided_view.hpp>
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
template <class T, std::size_t R>
auto in(const problem& p, std::size_t k) {
  return xt::adapt(const_cast<T*>(p.in<T>(k)), std::size_t(bench::count(p.shapes[k])), xt::no_ownership(),
                   extents<R>(p.shapes[k]));
}
template <class T, std::size_t R>
auto out(const problem& p) {
  return xt::adapt(p.out<T>(), std::size_t(p.size()), xt::no_ownership(), extents<R>(p.output_shape));
}

// Limits TBB for the rest of the process to what the program was started with.
int use_threads([[maybe_unused]] const problem& p) {
#if defined(BENCH_SERIAL)
  return 1;
#else
  static std::unique_ptr<tbb::global_control> control;
  static int now = 0;
  if (now != p.threads)
    control =
        std::make_unique<tbb::global_control>(tbb::global_control::max_allowed_parallelism, std::size_t(p.threads));
  return now = p.threads;
#endif
}

template <class T>
job chain(const problem& p) {
  return repeat(use_threads(p),
                [a = in<T, 1>(p, 0), b = in<T, 1>(p, 1), c = in<T, 1>(p, 2), d = in<T, 1>(p, 3), e = in<T, 1>(p, 4),
                 o = out<T, 1>(p)]() mutable { xt::noalias(o) = (a + b * c - d) / (e * e + T(1.5)); });
}

template <std::size_t N>
job small_static(const problem& p) {
  using fixed = xt::xtensor_fixed<float, xt::xshape<N>>;
  struct arrays {
    fixed a, b, c, o;
  };
  auto s = std::make_shared<arrays>();
  std::copy_n(p.in<float>(0), N, s->a.data());
  std::copy_n(p.in<float>(1), N, s->b.data());
  std::copy_n(p.in<float>(2), N, s->c.data());
  job j = repeat(1, [s, q = s.get()] { xt::noalias(q->o) = q->a + q->b * q->c; });
  j.output = s->o.data();
  return j;
}
job small_static_outer(const problem& p) {
  struct arrays {
    xt::xtensor_fixed<float, xt::xshape<8, 1>> x;
    xt::xtensor_fixed<float, xt::xshape<1, 8>> y;
    xt::xtensor_fixed<float, xt::xshape<8, 8>> o;
  };
  auto s = std::make_shared<arrays>();
  std::copy_n(p.in<float>(0), 8, s->x.data());
  std::copy_n(p.in<float>(1), 8, s->y.data());
  job j = repeat(1, [s, q = s.get()] { xt::noalias(q->o) = q->x + q->y; });
  j.output = s->o.data();
  return j;
}

job multiply_add(const problem& p) {
  return repeat(use_threads(p), [a = in<float, 1>(p, 0), b = in<float, 1>(p, 1), c = in<float, 1>(p, 2),
                                 o = out<float, 1>(p)]() mutable { xt::noalias(o) = a + b * c; });
}
job outer(const problem& p) {
  return repeat(use_threads(p), [x = in<float, 2>(p, 0), y = in<float, 2>(p, 1), o = out<float, 2>(p)]() mutable {
    xt::noalias(o) = x + y;
  });
}

#if !defined(BENCH_SERIAL)
void register_large(bench::registry& r) {
  r.solves("add_big", [](const problem& p) {
    return repeat(use_threads(p), [a = in<float, 1>(p, 0), b = in<float, 1>(p, 1), o = out<float, 1>(p)]() mutable {
      xt::noalias(o) = a + b;
    });
  });
  r.solves("addcmul_bcast", [](const problem& p) {
    return repeat(use_threads(p), [a = in<float, 3>(p, 0), b = in<float, 3>(p, 1), c = in<float, 3>(p, 2),
                                   o = out<float, 3>(p)]() mutable { xt::noalias(o) = a + b * c; });
  });
  r.solves("chain_f32", chain<float>);
  r.solves("chain_f64", chain<double>);
  r.solves("outer", outer);
  r.solves("batchnorm", [](const problem& p) {
    return repeat(use_threads(p),
                  [x = in<float, 4>(p, 0), m = in<float, 3>(p, 1), v = in<float, 3>(p, 2), g = in<float, 3>(p, 3),
                   b = in<float, 3>(p, 4), o = out<float, 4>(p)]() mutable { xt::noalias(o) = (x - m) * v * g + b; });
  });
  r.solves("transpose_add", [](const problem& p) {
    return repeat(use_threads(p), [a = in<float, 2>(p, 0), b = in<float, 2>(p, 1), o = out<float, 2>(p)]() mutable {
      xt::noalias(o) = a + xt::transpose(b);
    });
  });
  for (const char* name : {"black_scholes", "black_scholes_fast"})
    r.solves(name, [](const problem& p) {
      return repeat(use_threads(p), [S = in<float, 1>(p, 0), K = in<float, 1>(p, 1), T = in<float, 1>(p, 2),
                                     o = out<float, 1>(p)]() mutable {
        constexpr float rate = 0.02f, v = 0.3f, h = 0.707106781f;
        auto w = v * xt::sqrt(T);
        auto d1 = (xt::log(S / K) + (rate + v * v / 2) * T) / w;
        xt::noalias(o) =
            S * (0.5f + 0.5f * xt::erf(d1 * h)) - K * xt::exp(T * -rate) * (0.5f + 0.5f * xt::erf((d1 - w) * h));
      });
    });
  r.solves("strided", [](const problem& p) {
    return repeat(use_threads(p), [a = in<float, 2>(p, 0), b = in<float, 2>(p, 1), o = out<float, 2>(p)]() mutable {
      xt::noalias(o) = xt::view(a, xt::range(xt::placeholders::_, xt::placeholders::_, 2),
                                xt::range(xt::placeholders::_, xt::placeholders::_, 3)) *
                       b;
    });
  });
  r.solves("where_clamp", [](const problem& p) {
    return repeat(use_threads(p),
                  [a = in<float, 1>(p, 0), b = in<float, 1>(p, 1), c = in<float, 1>(p, 2),
                   o = out<float, 1>(p)]() mutable { xt::noalias(o) = xt::where(a > b, xt::clip(c, 0.f, 1.f), b); });
  });
  r.solves("int_add_compare", [](const problem& p) {
    return repeat(use_threads(p),
                  [a = in<std::int32_t, 1>(p, 0), b = in<std::int32_t, 1>(p, 1), c = in<std::int32_t, 1>(p, 2),
                   o = out<bool, 1>(p)]() mutable { xt::noalias(o) = (a + b) > c; });
  });
  r.solves("hoist", [](const problem& p) {
    return repeat(use_threads(p), [x = in<float, 2>(p, 0), b = in<float, 2>(p, 1), c = in<float, 2>(p, 2),
                                   o = out<float, 2>(p)]() mutable {
      const xt::xtensor<float, 2> scale = xt::exp(b), shift = xt::log(c);
      xt::noalias(o) = x * scale + shift;
    });
  });
  r.solves("mixed_channels", [](const problem& p) {
    return repeat(use_threads(p),
                  [x = in<std::uint8_t, 3>(p, 0), f = in<float, 1>(p, 1), o = out<std::uint8_t, 3>(p)]() mutable {
                    xt::noalias(o) = xt::cast<std::uint8_t>(xt::cast<float>(x) * f);
                  });
  });
  r.solves("mixed_flat", [](const problem& p) {
    return repeat(use_threads(p),
                  [x = in<std::uint8_t, 2>(p, 0), f = in<float, 2>(p, 1), o = out<std::uint8_t, 2>(p)]() mutable {
                    xt::noalias(o) = xt::cast<std::uint8_t>(xt::cast<float>(x) * f);
                  });
  });
}
#endif

}  // namespace

void broadloom_bench_register(bench::registry& r) {
  const std::string version = "xtensor " + std::to_string(XTENSOR_VERSION_MAJOR) + "." +
                              std::to_string(XTENSOR_VERSION_MINOR) + "." + std::to_string(XTENSOR_VERSION_PATCH) +
                              ", xsimd " + std::to_string(XSIMD_VERSION_MAJOR) + "." +
                              std::to_string(XSIMD_VERSION_MINOR) + ", GCC " __VERSION__;
#if defined(BENCH_SERIAL)
  r.contender("xtensor_serial", version + ", without TBB", BENCH_FLAGS);
#else
  r.contender("xtensor", version + ", with TBB", BENCH_FLAGS);
  register_large(r);
#endif
  for (long n : {4, 16, 64, 256, 1024, 4096}) r.solves("small_dynamic_" + std::to_string(n), multiply_add);
  r.solves("small_dynamic_outer", outer);
  r.solves("small_static_4", small_static<4>);
  r.solves("small_static_16", small_static<16>);
  r.solves("small_static_64", small_static<64>);
  r.solves("small_static_256", small_static<256>);
  r.solves("small_static_1024", small_static<1024>);
  r.solves("small_static_4096", small_static<4096>);
  r.solves("small_static_outer", small_static_outer);
}
