// Broadloom, each workload written as one expression. Built twice: with plain -O2, as users build, and for this
// processor.
#include <broadloom/broadloom.hpp>

#include <algorithm>
#include <memory>

#include "../contender.hpp"

namespace {

namespace bl = broadloom;
using bench::job;
using bench::problem;
using bench::repeat;

// A row-major view of an operand or of the output, extents known at run time.
template <int R>
bl::dshape<R> extents(const bench::shape& s) {
  if constexpr (R == 1) return bl::dshape<1>{s[0]};
  if constexpr (R == 2) return bl::dshape<2>{s[0], s[1]};
  if constexpr (R == 3) return bl::dshape<3>{s[0], s[1], s[2]};
  if constexpr (R == 4) return bl::dshape<4>{s[0], s[1], s[2], s[3]};
}
template <class T, int R>
using array = bl::view<T, bl::dshape<R>, bl::row_major>;
template <class T, int R>
array<const T, R> in(const problem& p, std::size_t k) {
  return {p.in<T>(k), extents<R>(p.shapes[k])};
}
template <class T, int R>
array<T, R> out(const problem& p) {
  return {p.out<T>(), extents<R>(p.output_shape)};
}

bl::policy threads(const problem& p) { return bl::par.threads(p.threads); }

template <class T>
job chain(const problem& p) {
  return repeat(p.threads, [a = in<T, 1>(p, 0), b = in<T, 1>(p, 1), c = in<T, 1>(p, 2), d = in<T, 1>(p, 3),
                            e = in<T, 1>(p, 4), o = out<T, 1>(p),
                            how = threads(p)]() mutable { bl::assign(o, (a + b * c - d) / (e * e + 1.5), how); });
}

// Small arrays of sizes known at run time: the same memory as everybody else's. Evaluation is a plain assignment.
// The views are members of one object, as the static arrays below are.
job small_dynamic(const problem& p) {
  struct arrays {
    array<const float, 1> a, b, c;
    array<float, 1> o;
  };
  const auto t =
      std::make_shared<arrays>(arrays{in<float, 1>(p, 0), in<float, 1>(p, 1), in<float, 1>(p, 2), out<float, 1>(p)});
  return repeat(1, [t, q = t.get()] { q->o = q->a + q->b * q->c; });
}
job small_dynamic_outer(const problem& p) {
  struct arrays {
    array<const float, 2> x, y;
    array<float, 2> o;
  };
  const auto t = std::make_shared<arrays>(arrays{in<float, 2>(p, 0), in<float, 2>(p, 1), out<float, 2>(p)});
  return repeat(1, [t, q = t.get()] { q->o = q->x + q->y; });
}

// Small arrays of sizes in their type: members of one object.
template <bl::index N>
job small_static(const problem& p) {
  struct arrays {
    bl::tensor<float, bl::shape<N>> a, b, c, o;
  };
  auto t = std::make_shared<arrays>();
  std::copy_n(p.in<float>(0), N, t->a.data());
  std::copy_n(p.in<float>(1), N, t->b.data());
  std::copy_n(p.in<float>(2), N, t->c.data());
  job j = repeat(1, [t, q = t.get()] { q->o = q->a + q->b * q->c; });
  j.output = t->o.data();
  return j;
}
job small_static_outer(const problem& p) {
  struct arrays {
    bl::tensor<float, bl::shape<8, 1>> x;
    bl::tensor<float, bl::shape<1, 8>> y;
    bl::tensor<float, bl::shape<8, 8>> o;
  };
  auto t = std::make_shared<arrays>();
  std::copy_n(p.in<float>(0), 8, t->x.data());
  std::copy_n(p.in<float>(1), 8, t->y.data());
  job j = repeat(1, [t, q = t.get()] { q->o = q->x + q->y; });
  j.output = t->o.data();
  return j;
}

}  // namespace

void broadloom_bench_register(bench::registry& r) {
  r.contender(BENCH_NAME, "Broadloom, GCC " __VERSION__, BENCH_FLAGS);
  r.solves("add_big", [](const problem& p) {
    return repeat(p.threads, [a = in<float, 1>(p, 0), b = in<float, 1>(p, 1), o = out<float, 1>(p),
                              how = threads(p)]() mutable { bl::assign(o, a + b, how); });
  });
  r.solves("addcmul_bcast", [](const problem& p) {
    return repeat(p.threads, [a = in<float, 3>(p, 0), b = in<float, 3>(p, 1), c = in<float, 3>(p, 2),
                              o = out<float, 3>(p), how = threads(p)]() mutable { bl::assign(o, a + b * c, how); });
  });
  r.solves("chain_f32", chain<float>);
  r.solves("chain_f64", chain<double>);
  r.solves("outer", [](const problem& p) {
    return repeat(p.threads, [x = in<float, 2>(p, 0), y = in<float, 2>(p, 1), o = out<float, 2>(p),
                              how = threads(p)]() mutable { bl::assign(o, x + y, how); });
  });
  r.solves("batchnorm", [](const problem& p) {
    return repeat(p.threads, [x = in<float, 4>(p, 0), m = in<float, 3>(p, 1), v = in<float, 3>(p, 2),
                              g = in<float, 3>(p, 3), b = in<float, 3>(p, 4), o = out<float, 4>(p),
                              how = threads(p)]() mutable { bl::assign(o, (x - m) * v * g + b, how); });
  });
  r.solves("transpose_add", [](const problem& p) {
    return repeat(p.threads, [a = in<float, 2>(p, 0), b = in<float, 2>(p, 1), o = out<float, 2>(p),
                              how = threads(p)]() mutable { bl::assign(o, a + b.T(), how); });
  });
  const auto black_scholes = [](const problem& p, const bl::policy& policy) {
    return repeat(p.threads, [S = in<float, 1>(p, 0), K = in<float, 1>(p, 1), T = in<float, 1>(p, 2),
                              o = out<float, 1>(p), how = policy]() mutable {
      constexpr float rate = 0.02F, volatility = 0.3F;
      const auto w = volatility * bl::sqrt(T);
      const auto d1 = (bl::log(S / K) + (rate + volatility * volatility / 2) * T) / w;
      const auto cdf = [](const auto& x) { return 0.5F + 0.5F * bl::erf(x * 0.707106781F); };
      bl::assign(o, S * cdf(d1) - K * bl::exp(-rate * T) * cdf(d1 - w), how);
    });
  };
  r.solves("black_scholes", [=](const problem& p) { return black_scholes(p, threads(p)); });
  r.solves("black_scholes_fast", [=](const problem& p) { return black_scholes(p, threads(p) | bl::fast); });
  r.solves("strided", [](const problem& p) {
    return repeat(
        p.threads, [a = in<float, 2>(p, 0), b = in<float, 2>(p, 1), o = out<float, 2>(p), how = threads(p)]() mutable {
          bl::assign(o, bl::slice(a, bl::range(bl::none, bl::none, 2), bl::range(bl::none, bl::none, 3)) * b, how);
        });
  });
  r.solves("where_clamp", [](const problem& p) {
    return repeat(p.threads,
                  [a = in<float, 1>(p, 0), b = in<float, 1>(p, 1), c = in<float, 1>(p, 2), o = out<float, 1>(p),
                   how = threads(p)]() mutable { bl::assign(o, bl::where(a > b, bl::clamp(c, 0, 1), b), how); });
  });
  r.solves("int_add_compare", [](const problem& p) {
    return repeat(p.threads,
                  [a = in<std::int32_t, 1>(p, 0), b = in<std::int32_t, 1>(p, 1), c = in<std::int32_t, 1>(p, 2),
                   o = out<bool, 1>(p), how = threads(p)]() mutable { bl::assign(o, (a + b) > c, how); });
  });
  r.solves("hoist", [](const problem& p) {
    return repeat(p.threads,
                  [x = in<float, 2>(p, 0), b = in<float, 2>(p, 1), c = in<float, 2>(p, 2), o = out<float, 2>(p),
                   how = threads(p)]() mutable { bl::assign(o, x * bl::exp(b) + bl::log(c), how); });
  });
  r.solves("mixed_channels", [](const problem& p) {
    return repeat(p.threads, [x = in<std::uint8_t, 3>(p, 0), f = in<float, 1>(p, 1), o = out<std::uint8_t, 3>(p),
                              how = threads(p)]() mutable { bl::assign(o, bl::cast<std::uint8_t>(x * f), how); });
  });
  r.solves("mixed_flat", [](const problem& p) {
    return repeat(p.threads, [x = in<std::uint8_t, 2>(p, 0), f = in<float, 2>(p, 1), o = out<std::uint8_t, 2>(p),
                              how = threads(p)]() mutable { bl::assign(o, bl::cast<std::uint8_t>(x * f), how); });
  });
  for (long n : {4, 16, 64, 256, 1024, 4096}) r.solves("small_dynamic_" + std::to_string(n), small_dynamic);
  r.solves("small_static_4", small_static<4>);
  r.solves("small_static_16", small_static<16>);
  r.solves("small_static_64", small_static<64>);
  r.solves("small_static_256", small_static<256>);
  r.solves("small_static_1024", small_static<1024>);
  r.solves("small_static_4096", small_static<4096>);
  r.solves("small_dynamic_outer", small_dynamic_outer);
  r.solves("small_static_outer", small_static_outer);
}
