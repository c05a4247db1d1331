// Eigen's reductions, as its users would write each workload: Array expressions (one thread) and Tensor expressions
// (its thread pool).
#define EIGEN_USE_THREADS
#include <Eigen/Core>
#include <memory>
#include <unsupported/Eigen/CXX11/Tensor>

#include "../contender.hpp"

namespace {

using bench::job;
using bench::problem;
using bench::repeat;
using Eigen::Dynamic;
using Eigen::Index;

using grid = Eigen::Array<float, Dynamic, Dynamic, Eigen::RowMajor>;
using column = Eigen::Array<float, Dynamic, 1>;
using row = Eigen::Array<float, 1, Dynamic, Eigen::RowMajor>;

Eigen::Map<const grid> in(const problem& p, std::size_t k) {
  return {p.in<float>(k), bench::count(p.shapes[k]) / p.shapes[k].back(), p.shapes[k].back()};
}
Eigen::Map<const row> in_row(const problem& p, std::size_t k) { return {p.in<float>(k), bench::count(p.shapes[k])}; }
Eigen::Map<grid> out(const problem& p) { return {p.out<float>(), p.output_shape[0], p.output_shape.back()}; }
Eigen::Map<column> out_column(const problem& p) { return {p.out<float>(), p.size()}; }
Eigen::Map<row> out_row(const problem& p) { return {p.out<float>(), p.size()}; }

void register_array(bench::registry& r) {
  r.solves("softmax_rows", [](const problem& p) {
    return repeat(1, [x = in(p, 0), o = out(p)]() mutable {
      o = (x.colwise() - x.rowwise().maxCoeff()).exp();
      o.colwise() /= o.rowwise().sum().eval();
    });
  });
  r.solves("layer_norm", [](const problem& p) {
    return repeat(1, [x = in(p, 0), g = in_row(p, 1), h = in_row(p, 2), o = out(p)]() mutable {
      o = x.colwise() - x.rowwise().mean();
      const column scale = (o.square().rowwise().mean() + 1e-5f).rsqrt();
      o = ((o.colwise() * scale).rowwise() * g).rowwise() + h;
    });
  });
  r.solves("normalize", [](const problem& p) {
    return repeat(1, [x = in_row(p, 0), o = out_row(p)]() mutable { o = x / x.sum(); });
  });
  r.solves("row_sums", [](const problem& p) {
    return repeat(1, [x = in(p, 0), o = out_column(p)]() mutable { o = x.rowwise().sum(); });
  });
  r.solves("column_sums", [](const problem& p) {
    return repeat(1, [x = in(p, 0), o = out_row(p)]() mutable { o = x.colwise().sum(); });
  });
  r.solves("full_sum",
           [](const problem& p) { return repeat(1, [x = in_row(p, 0), o = p.out<float>()] { *o = x.sum(); }); });
  r.solves("square_distance_rows", [](const problem& p) {
    return repeat(1, [a = in(p, 0), b = in_row(p, 1), o = out_column(p)]() mutable {
      o = (a.rowwise() - b).square().rowwise().sum();
    });
  });
  r.solves("pairwise", [](const problem& p) {
    return repeat(1, [x = in(p, 0), y = in(p, 1), o = out(p)]() mutable {
      for (Index i = 0; i < x.rows(); ++i) o.row(i) = (y.rowwise() - x.row(i)).square().rowwise().sum().transpose();
    });
  });
  r.solves("argmax_rows", [](const problem& p) {
    return repeat(1, [x = in(p, 0), o = p.out<std::int64_t>()] {
      for (Index i = 0; i < x.rows(); ++i) {
        Index at = 0;
        x.row(i).maxCoeff(&at);
        o[i] = at;
      }
    });
  });
}

// ---------------------------------------------------------------- Tensor
template <int R>
using tensor = Eigen::TensorMap<Eigen::Tensor<float, R, Eigen::RowMajor>>;
template <int R>
using const_tensor = Eigen::TensorMap<Eigen::Tensor<const float, R, Eigen::RowMajor>>;
template <int R>
Eigen::DSizes<Index, R> sizes(const bench::shape& s) {
  Eigen::DSizes<Index, R> e;
  for (int k = 0; k < R; ++k) e[k] = s[std::size_t(k)];
  return e;
}
template <int R>
const_tensor<R> tin(const problem& p, std::size_t k) {
  return {p.in<float>(k), sizes<R>(p.shapes[k])};
}
template <int R>
tensor<R> tout(const problem& p) {
  return {p.out<float>(), sizes<R>(p.output_shape)};
}

struct pool {
  Eigen::ThreadPool threads;
  Eigen::ThreadPoolDevice device;
  explicit pool(int n) : threads(n), device(&threads, n) {}
};
template <class Solve>
job pooled(const problem& p, Solve f) {
  auto with = std::make_shared<pool>(p.threads);
  return repeat(p.threads, [with, f]() mutable { f(with->device); });
}
using along = Eigen::array<Index, 1>;
using two = Eigen::array<Index, 2>;

void register_tensor(bench::registry& r) {
  r.solves("softmax_rows", [](const problem& p) {
    return pooled(p, [x = tin<2>(p, 0), o = tout<2>(p)](auto& device) mutable {
      const Index n = x.dimension(0), m = x.dimension(1);
      o.device(device) = (x - x.maximum(along{1}).eval().reshape(two{n, 1}).broadcast(two{1, m})).exp();
      o.device(device) = o * o.sum(along{1}).inverse().eval().reshape(two{n, 1}).broadcast(two{1, m});
    });
  });
  r.solves("normalize", [](const problem& p) {
    return pooled(p, [x = tin<1>(p, 0), o = tout<1>(p)](auto& device) mutable {
      Eigen::Tensor<float, 0, Eigen::RowMajor> s;
      s.device(device) = x.sum();
      o.device(device) = x / s();
    });
  });
  r.solves("row_sums", [](const problem& p) {
    return pooled(p, [x = tin<2>(p, 0), o = tout<1>(p)](auto& device) mutable { o.device(device) = x.sum(along{1}); });
  });
  r.solves("column_sums", [](const problem& p) {
    return pooled(p, [x = tin<2>(p, 0), o = tout<1>(p)](auto& device) mutable { o.device(device) = x.sum(along{0}); });
  });
  r.solves("full_sum", [](const problem& p) {
    return pooled(
        p, [x = tin<1>(p, 0), o = tensor<0>(p.out<float>())](auto& device) mutable { o.device(device) = x.sum(); });
  });
  r.solves("square_distance_rows", [](const problem& p) {
    return pooled(p, [a = tin<2>(p, 0), b = tin<1>(p, 1), o = tout<1>(p)](auto& device) mutable {
      const Index n = a.dimension(0), m = a.dimension(1);
      o.device(device) = (a - b.reshape(two{1, m}).broadcast(two{n, 1})).square().sum(along{1});
    });
  });
  r.solves("pairwise", [](const problem& p) {
    return pooled(p, [x = tin<3>(p, 0), y = tin<3>(p, 1), o = tout<2>(p)](auto& device) mutable {
      using three = Eigen::array<Index, 3>;
      const Index n = x.dimension(0), m = y.dimension(1);
      o.device(device) = (x.broadcast(three{1, m, 1}) - y.broadcast(three{n, 1, 1})).square().sum(along{2});
    });
  });
  r.solves("cumsum_rows", [](const problem& p) {
    return pooled(p, [x = tin<2>(p, 0), o = tout<2>(p)](auto& device) mutable { o.device(device) = x.cumsum(1); });
  });
}

}  // namespace

void broadloom_bench_register(bench::registry& r) {
  const std::string version = "Eigen " + std::to_string(EIGEN_WORLD_VERSION) + "." +
                              std::to_string(EIGEN_MAJOR_VERSION) + "." + std::to_string(EIGEN_MINOR_VERSION) +
                              ", reductions";
  r.contender("eigen_array", version, BENCH_FLAGS);
  register_array(r);
  r.contender("eigen_tensor", version, BENCH_FLAGS);
  register_tensor(r);
}
