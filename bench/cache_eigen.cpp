// Eigen's share of the workloads in cache, on one thread: its largest and smallest elements ignore NaN, as they do
// unless told otherwise.
#include <Eigen/Core>

#include "cache.hpp"

namespace bench_cache {
namespace {

template <class T>
struct maps {
  using array = Eigen::Array<T, Eigen::Dynamic, 1>;
  Eigen::Map<const array> x, y, z;
  Eigen::Map<array> out;
  maps(const arrays& a, long results)
      : x(static_cast<const T*>(a.x), a.n),
        y(static_cast<const T*>(a.y), a.n),
        z(static_cast<const T*>(a.z), a.n),
        out(static_cast<T*>(a.out), results) {}
};
template <class T>
struct matrices {
  using array = Eigen::Array<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  Eigen::Map<const array> x;
  Eigen::Map<array> out;
  matrices(const arrays& a, long rows, long columns)
      : x(static_cast<const T*>(a.x), rows, columns), out(static_cast<T*>(a.out), rows, columns) {}
};

#define AGAIN(...)                   \
  for (long i = 0; i < times; ++i) { \
    __VA_ARGS__;                     \
    BENCH_CACHE_AGAIN();             \
  }
#define DO(NAME, RESULTS, ...)                          \
  static void NAME(const arrays& a, long times) {       \
    maps<T> m(a, RESULTS);                              \
    [[maybe_unused]] auto &x = m.x, &y = m.y, &z = m.z; \
    [[maybe_unused]] auto& out = m.out;                 \
    AGAIN(__VA_ARGS__)                                  \
  }
#define ONE(NAME, R, E) DO(NAME, 1, *static_cast<R*>(a.out) = static_cast<R>(E))
#define EACH(NAME, E) DO(NAME, a.n, out = E)
#define MATRIX(NAME, ROWS, COLUMNS, ...)          \
  static void NAME(const arrays& a, long times) { \
    matrices<T> m(a, ROWS, COLUMNS);              \
    auto &x = m.x, &out = m.out;                  \
    AGAIN(__VA_ARGS__)                            \
  }

template <class T>
struct eigen_formulas {
  ONE(sum, sum_of<T>, x.template cast<sum_of<T>>().sum())
  ONE(mean, T, x.mean())
  ONE(dot, sum_of<T>, (x * y).template cast<sum_of<T>>().sum())
  ONE(amax, T, x.maxCoeff())
  ONE(amin, T, x.minCoeff())
  DO(argmax, 1, {
    Eigen::Index at = 0;
    x.maxCoeff(&at);
    *static_cast<std::int64_t*>(a.out) = at;
  })
  ONE(norm, T, x.matrix().norm())
  ONE(var, T, (x - x.mean()).square().sum() / T(a.n - 1))
  EACH(add, x + y)
  EACH(mul, x* y)
  EACH(mul_add, x + y * z)
  EACH(scale, x* T(2) + T(1))
  EACH(difference, (x - y).abs())
  EACH(larger, x.max(y))
  EACH(choose, (x > y).select(x, z))
  EACH(length, (x * x + y * y).sqrt())
  EACH(mul_add_4, x + y * z)
  ONE(mean_64, T, x.mean())
  EACH(normalize_64, x / x.sum())
  DO(softmax_10, a.n, {
    out = (x - x.maxCoeff()).exp();
    out /= out.sum();
  })
  MATRIX(softmax_8x8, 8, 8, {
    out = (x.colwise() - x.rowwise().maxCoeff()).exp();
    out.colwise() /= out.rowwise().sum().eval();
  })
  static void row_sums_8x8(const arrays& a, long times) {
    const matrices<T> m(a, 8, 8);
    maps<T> one(a, 8);
    AGAIN(one.out = m.x.rowwise().sum())
  }
  static void column_sums_8x8(const arrays& a, long times) {
    const matrices<T> m(a, 8, 8);
    maps<T> one(a, 8);
    AGAIN(one.out.transpose() = m.x.colwise().sum())
  }
  MATRIX(layer_norm_4x16, 4, 16, {
    out = x.colwise() - x.rowwise().mean();
    out.colwise() /= (out.square().rowwise().sum() / T(15) + T(1)).sqrt().eval();
  })
  static void outer_8(const arrays& a, long times) {
    maps<T> in(a, 1);
    matrices<T> m(a, 8, 8);
    AGAIN(m.out = in.x.replicate(1, 8).rowwise() + in.y.transpose())
  }
};

}  // namespace

contender eigen() { return {"eigen", find<eigen_formulas>, false}; }

}  // namespace bench_cache
