// Eigen, as its users would write each workload: Array expressions (one thread) and Tensor expressions (its thread
// pool).
#define EIGEN_USE_THREADS
#include <Eigen/Core>
#include <memory>
#include <unsupported/Eigen/CXX11/Tensor>
#include <unsupported/Eigen/SpecialFunctions>

#include "../contender.hpp"

namespace {

using bench::job;
using bench::problem;
using bench::repeat;
using Eigen::Dynamic;
using Eigen::Index;

// ---------------------------------------------------------------- Array
template <class T>
using flat = Eigen::Map<Eigen::Array<T, Dynamic, 1>>;
template <class T>
using grid = Eigen::Map<Eigen::Array<T, Dynamic, Dynamic, Eigen::RowMajor>>;
template <class T>
using const_flat = Eigen::Map<const Eigen::Array<T, Dynamic, 1>>;
template <class T>
using const_grid = Eigen::Map<const Eigen::Array<T, Dynamic, Dynamic, Eigen::RowMajor>>;
template <class T>
using const_row = Eigen::Map<const Eigen::Array<T, 1, Dynamic, Eigen::RowMajor>>;

template <class T>
const_flat<T> in(const problem& p, std::size_t k) {
  return {p.in<T>(k), bench::count(p.shapes[k])};
}
template <class T>
flat<T> out(const problem& p) {
  return {p.out<T>(), p.size()};
}
template <class T>
const_grid<T> in2(const problem& p, std::size_t k) {
  const auto& s = p.shapes[k];
  return {p.in<T>(k), s[s.size() - 2], s.back()};
}
template <class T>
grid<T> out2(const problem& p) {
  return {p.out<T>(), p.output_shape[0], p.output_shape[1]};
}

template <class T>
job chain(const problem& p) {
  return repeat(1, [a = in<T>(p, 0), b = in<T>(p, 1), c = in<T>(p, 2), d = in<T>(p, 3), e = in<T>(p, 4),
                    o = out<T>(p)]() mutable { o = (a + b * c - d) / (e * e + T(1.5)); });
}

job addcmul_bcast(const problem& p) {
  return repeat(1, [=, n0 = p.output_shape[0], n1 = p.output_shape[1], n2 = p.output_shape[2], a = p.in<float>(0),
                    c = p.in<float>(2), o = p.out<float>(), b = in2<float>(p, 1)] {
    for (Index i = 0; i < n0; ++i)
      grid<float>(o + i * n1 * n2, n1, n2) =
          (b.colwise() * const_flat<float>(c + i * n1, n1)).rowwise() + const_row<float>(a + i * n2, n2);
  });
}

job batchnorm(const problem& p) {
  const Index channels = p.output_shape[1], plane = p.output_shape[2] * p.output_shape[3],
              planes = p.output_shape[0] * channels;
  return repeat(1, [=, x = p.in<float>(0), m = p.in<float>(1), r = p.in<float>(2), g = p.in<float>(3),
                    b = p.in<float>(4), o = p.out<float>()] {
    for (Index u = 0; u < planes; ++u) {
      const Index c = u % channels;
      flat<float>(o + u * plane, plane) = (const_flat<float>(x + u * plane, plane) - m[c]) * r[c] * g[c] + b[c];
    }
  });
}

job black_scholes(const problem& p) {
  return repeat(1, [S = in<float>(p, 0), K = in<float>(p, 1), T = in<float>(p, 2), o = out<float>(p)]() mutable {
    constexpr float r = 0.02f, v = 0.3f, h = 0.707106781f;
    const auto w = v * T.sqrt();
    const auto d1 = ((S / K).log() + (r + v * v / 2) * T) / w;
    o = S * (0.5f + 0.5f * (d1 * h).erf()) - K * (T * -r).exp() * (0.5f + 0.5f * ((d1 - w) * h).erf());
  });
}

job strided(const problem& p) {
  using steps = Eigen::Stride<Dynamic, Dynamic>;
  using view = Eigen::Map<const Eigen::Array<float, Dynamic, Dynamic, Eigen::RowMajor>, 0, steps>;
  const Index rows = p.output_shape[0], n = p.output_shape[1];
  return repeat(1, [a = view(p.in<float>(0), rows, n, steps(2 * p.shapes[0][1], 3)), b = in2<float>(p, 1),
                    o = out2<float>(p)]() mutable { o = a * b; });
}

template <Index N>
job small(const problem& p) {
  using array = Eigen::Array<float, N, 1>;
  const Index n = p.size();
  Eigen::Map<const array> a(p.in<float>(0), n), b(p.in<float>(1), n), c(p.in<float>(2), n);
  return repeat(1, [=, o = Eigen::Map<array>(p.out<float>(), n)]() mutable { o = a + b * c; });
}
template <int N>
job small_outer(const problem& p) {
  using column = Eigen::Array<float, N, 1>;
  using row = Eigen::Array<float, 1, N, Eigen::RowMajor>;
  using square = Eigen::Array<float, N, N, Eigen::RowMajor>;
  const Index n = p.output_shape[1];
  Eigen::Map<const column> x(p.in<float>(0), n);
  Eigen::Map<const row> y(p.in<float>(1), n);
  return repeat(1, [=, o = Eigen::Map<square>(p.out<float>(), n, n)]() mutable {
    o = (N == Dynamic ? x.replicate(1, y.size()) : x.replicate(1, N)).rowwise() + y;
  });
}

void register_array(bench::registry& r) {
  r.solves("add_big", [](const problem& p) {
    return repeat(1, [a = in<float>(p, 0), b = in<float>(p, 1), o = out<float>(p)]() mutable { o = a + b; });
  });
  r.solves("addcmul_bcast", addcmul_bcast);
  r.solves("chain_f32", chain<float>);
  r.solves("chain_f64", chain<double>);
  r.solves("outer", [](const problem& p) {
    return repeat(1, [x = in<float>(p, 0), y = const_row<float>(p.in<float>(1), p.output_shape[1]),
                      o = out2<float>(p)]() mutable { o = x.replicate(1, y.size()).rowwise() + y; });
  });
  r.solves("batchnorm", batchnorm);
  r.solves("transpose_add", [](const problem& p) {
    return repeat(
        1, [a = in2<float>(p, 0), b = in2<float>(p, 1), o = out2<float>(p)]() mutable { o = a + b.transpose(); });
  });
  for (const char* name : {"black_scholes", "black_scholes_fast"}) r.solves(name, black_scholes);
  r.solves("strided", strided);
  r.solves("where_clamp", [](const problem& p) {
    return repeat(1, [a = in<float>(p, 0), b = in<float>(p, 1), c = in<float>(p, 2), o = out<float>(p)]() mutable {
      o = (a > b).select(c.max(0.f).min(1.f), b);
    });
  });
  r.solves("int_add_compare", [](const problem& p) {
    return repeat(1, [a = in<std::int32_t>(p, 0), b = in<std::int32_t>(p, 1), c = in<std::int32_t>(p, 2),
                      o = out<bool>(p)]() mutable { o = (a + b) > c; });
  });
  r.solves("hoist", [](const problem& p) {
    return repeat(1, [x = in2<float>(p, 0), b = const_row<float>(p.in<float>(1), p.output_shape[1]),
                      c = in<float>(p, 2), o = out2<float>(p)]() mutable {
      const Eigen::Array<float, 1, Dynamic> scale = b.exp();
      const Eigen::Array<float, Dynamic, 1> shift = c.log();
      o = (x.rowwise() * scale).colwise() + shift;
    });
  });
  r.solves("mixed_channels", [](const problem& p) {
    using pixels = Eigen::Array<std::uint8_t, Dynamic, 3, Eigen::RowMajor>;
    const Index n = p.size() / 3;
    return repeat(1, [x = Eigen::Map<const pixels>(p.in<std::uint8_t>(0), n, 3),
                      f = Eigen::Map<const Eigen::Array<float, 1, 3, Eigen::RowMajor>>(p.in<float>(1)),
                      o = Eigen::Map<pixels>(p.out<std::uint8_t>(), n, 3)]() mutable {
      o = (x.cast<float>().rowwise() * f).cast<std::uint8_t>();
    });
  });
  r.solves("mixed_flat", [](const problem& p) {
    return repeat(1, [x = in<std::uint8_t>(p, 0), f = in<float>(p, 1), o = out<std::uint8_t>(p)]() mutable {
      o = (x.cast<float>() * f).cast<std::uint8_t>();
    });
  });
  for (long n : {4, 16, 64, 256, 1024, 4096}) r.solves("small_dynamic_" + std::to_string(n), small<Dynamic>);
  r.solves("small_static_4", small<4>);
  r.solves("small_static_16", small<16>);
  r.solves("small_static_64", small<64>);
  r.solves("small_static_256", small<256>);
  r.solves("small_static_1024", small<1024>);
  r.solves("small_static_4096", small<4096>);
  r.solves("small_dynamic_outer", small_outer<Dynamic>);
  r.solves("small_static_outer", small_outer<8>);
}

// ---------------------------------------------------------------- Tensor
template <class T, int R>
using tensor = Eigen::TensorMap<Eigen::Tensor<T, R, Eigen::RowMajor>>;
template <class T, int R>
using const_tensor = Eigen::TensorMap<Eigen::Tensor<const T, R, Eigen::RowMajor>>;
template <int R>
using sizes = Eigen::array<Index, R>;

template <int R>
sizes<R> extents(const bench::shape& s) {
  sizes<R> e;
  for (std::size_t k = 0; k < R; ++k) e[k] = s[k];
  return e;
}
template <class T, int R>
const_tensor<T, R> arg(const problem& p, std::size_t k) {
  return {p.in<T>(k), extents<R>(p.shapes[k])};
}
template <class T, int R>
tensor<T, R> result(const problem& p) {
  return {p.out<T>(), extents<R>(p.output_shape)};
}

// The pool and the device on it: kept alive by every job that uses them.
struct pool {
  explicit pool(int n) : threads(n), device(&threads, n) {}
  Eigen::ThreadPool threads;
  Eigen::ThreadPoolDevice device;
};
std::shared_ptr<pool> threads_of(const problem& p) { return std::make_shared<pool>(p.threads); }

template <class T>
job tensor_chain(const problem& p) {
  return repeat(p.threads, [d_ = threads_of(p), a = arg<T, 1>(p, 0), b = arg<T, 1>(p, 1), c = arg<T, 1>(p, 2),
                            d = arg<T, 1>(p, 3), e = arg<T, 1>(p, 4), o = result<T, 1>(p)]() mutable {
    o.device(d_->device) = (a + b * c - d) / (e * e + T(1.5));
  });
}

void register_tensor(bench::registry& r) {
  r.solves("add_big", [](const problem& p) {
    return repeat(p.threads, [d = threads_of(p), a = arg<float, 1>(p, 0), b = arg<float, 1>(p, 1),
                              o = result<float, 1>(p)]() mutable { o.device(d->device) = a + b; });
  });
  r.solves("addcmul_bcast", [](const problem& p) {
    return repeat(
        p.threads, [d = threads_of(p), a = arg<float, 3>(p, 0), b = arg<float, 3>(p, 1), c = arg<float, 3>(p, 2),
                    o = result<float, 3>(p), s = extents<3>(p.output_shape)]() mutable {
          o.device(d->device) =
              a.broadcast(sizes<3>{1, s[1], 1}) + b.broadcast(sizes<3>{s[0], 1, 1}) * c.broadcast(sizes<3>{1, 1, s[2]});
        });
  });
  r.solves("chain_f32", tensor_chain<float>);
  r.solves("chain_f64", tensor_chain<double>);
  r.solves("outer", [](const problem& p) {
    return repeat(p.threads, [d = threads_of(p), x = arg<float, 2>(p, 0), y = arg<float, 2>(p, 1),
                              o = result<float, 2>(p), s = extents<2>(p.output_shape)]() mutable {
      o.device(d->device) = x.broadcast(sizes<2>{1, s[1]}) + y.broadcast(sizes<2>{s[0], 1});
    });
  });
  r.solves("batchnorm", [](const problem& p) {
    const Index n0 = p.output_shape[0], n1 = p.output_shape[1], n2 = p.output_shape[2] * p.output_shape[3];
    const auto channel = [&](std::size_t k) { return const_tensor<float, 3>(p.in<float>(k), sizes<3>{1, n1, 1}); };
    return repeat(p.threads,
                  [d = threads_of(p), x = const_tensor<float, 3>(p.in<float>(0), sizes<3>{n0, n1, n2}), m = channel(1),
                   v = channel(2), g = channel(3), b = channel(4),
                   o = tensor<float, 3>(p.out<float>(), sizes<3>{n0, n1, n2}), e = sizes<3>{n0, 1, n2}]() mutable {
                    o.device(d->device) = (x - m.broadcast(e)) * v.broadcast(e) * g.broadcast(e) + b.broadcast(e);
                  });
  });
  r.solves("transpose_add", [](const problem& p) {
    return repeat(p.threads,
                  [d = threads_of(p), a = arg<float, 2>(p, 0), b = arg<float, 2>(p, 1),
                   o = result<float, 2>(p)]() mutable { o.device(d->device) = a + b.shuffle(sizes<2>{1, 0}); });
  });
  for (const char* name : {"black_scholes", "black_scholes_fast"})
    r.solves(name, [](const problem& p) {
      return repeat(p.threads, [d = threads_of(p), S = arg<float, 1>(p, 0), K = arg<float, 1>(p, 1),
                                T = arg<float, 1>(p, 2), o = result<float, 1>(p)]() mutable {
        constexpr float rate = 0.02f, v = 0.3f, h = 0.707106781f;
        const auto w = T.sqrt() * v;
        const auto d1 = ((S / K).log() + T * (rate + v * v / 2)) / w;
        o.device(d->device) =
            S * ((d1 * h).erf() * 0.5f + 0.5f) - K * (T * -rate).exp() * (((d1 - w) * h).erf() * 0.5f + 0.5f);
      });
    });
  r.solves("strided", [](const problem& p) {
    return repeat(p.threads,
                  [d = threads_of(p), a = arg<float, 2>(p, 0), b = arg<float, 2>(p, 1),
                   o = result<float, 2>(p)]() mutable { o.device(d->device) = a.stride(sizes<2>{2, 3}) * b; });
  });
  r.solves("where_clamp", [](const problem& p) {
    return repeat(p.threads, [d = threads_of(p), a = arg<float, 1>(p, 0), b = arg<float, 1>(p, 1),
                              c = arg<float, 1>(p, 2), o = result<float, 1>(p)]() mutable {
      o.device(d->device) = (a > b).select(c.cwiseMax(0.f).cwiseMin(1.f), b);
    });
  });
  r.solves("int_add_compare", [](const problem& p) {
    return repeat(p.threads, [d = threads_of(p), a = arg<std::int32_t, 1>(p, 0), b = arg<std::int32_t, 1>(p, 1),
                              c = arg<std::int32_t, 1>(p, 2),
                              o = result<bool, 1>(p)]() mutable { o.device(d->device) = (a + b) > c; });
  });
  r.solves("hoist", [](const problem& p) {
    return repeat(p.threads,
                  [d = threads_of(p), x = arg<float, 2>(p, 0), b = arg<float, 2>(p, 1), c = arg<float, 2>(p, 2),
                   o = result<float, 2>(p), s = extents<2>(p.output_shape)]() mutable {
                    o.device(d->device) =
                        x * b.exp().eval().broadcast(sizes<2>{s[0], 1}) + c.log().eval().broadcast(sizes<2>{1, s[1]});
                  });
  });
  r.solves("mixed_channels", [](const problem& p) {
    const Index n = p.size() / 3;
    return repeat(
        p.threads, [d = threads_of(p), n, x = const_tensor<std::uint8_t, 2>(p.in<std::uint8_t>(0), sizes<2>{n, 3}),
                    f = const_tensor<float, 2>(p.in<float>(1), sizes<2>{1, 3}),
                    o = tensor<std::uint8_t, 2>(p.out<std::uint8_t>(), sizes<2>{n, 3})]() mutable {
          o.device(d->device) = (x.template cast<float>() * f.broadcast(sizes<2>{n, 1})).template cast<std::uint8_t>();
        });
  });
  r.solves("mixed_flat", [](const problem& p) {
    return repeat(p.threads, [d = threads_of(p), x = arg<std::uint8_t, 2>(p, 0), f = arg<float, 2>(p, 1),
                              o = result<std::uint8_t, 2>(p)]() mutable {
      o.device(d->device) = (x.template cast<float>() * f).template cast<std::uint8_t>();
    });
  });
  for (long n : {4, 16, 64, 256, 1024, 4096})
    r.solves("small_dynamic_" + std::to_string(n), [](const problem& p) {
      return repeat(1, [a = arg<float, 1>(p, 0), b = arg<float, 1>(p, 1), c = arg<float, 1>(p, 2),
                        o = result<float, 1>(p)]() mutable { o = a + b * c; });
    });
  r.solves("small_dynamic_outer", [](const problem& p) {
    return repeat(1, [x = arg<float, 2>(p, 0), y = arg<float, 2>(p, 1), o = result<float, 2>(p)]() mutable {
      o = x.broadcast(sizes<2>{1, y.dimension(1)}) + y.broadcast(sizes<2>{x.dimension(0), 1});
    });
  });
}

}  // namespace

void broadloom_bench_register(bench::registry& r) {
  const std::string version = "Eigen " + std::to_string(EIGEN_WORLD_VERSION) + "." +
                              std::to_string(EIGEN_MAJOR_VERSION) + "." + std::to_string(EIGEN_MINOR_VERSION) +
                              ", GCC " __VERSION__;
  r.contender("eigen_array", version, BENCH_FLAGS);
  register_array(r);
  r.contender("eigen_tensor", version, BENCH_FLAGS);
  register_tensor(r);
}
