// Eigen's share of the workloads in cache, on one thread: extremes ignore NaN, as it does unless told otherwise.
#include <Eigen/Core>

#include "cache.hpp"

namespace bench_cache {
namespace {

template <class T>
using array = Eigen::Array<T, Eigen::Dynamic, 1>;
template <class T>
struct maps {
  Eigen::Map<const array<T>> x, y, z;
  Eigen::Map<array<T>> out;
  explicit maps(const arrays& a)
      : x(static_cast<const T*>(a.x), a.n),
        y(static_cast<const T*>(a.y), a.n),
        z(static_cast<const T*>(a.z), a.n),
        out(static_cast<T*>(a.out), a.n) {}
};

#define DO(NAME, T, ...)                                                  \
  case work::NAME:                                                        \
    return [](const arrays& a, long times) {                              \
      maps<T> m(a);                                                       \
      auto &x = m.x, &y = m.y, &z = m.z;                                  \
      auto& out = m.out;                                                  \
      static_cast<void>(y), static_cast<void>(z), static_cast<void>(out); \
      for (long i = 0; i < times; ++i) {                                  \
        __VA_ARGS__;                                                      \
        BENCH_CACHE_AGAIN();                                              \
      }                                                                   \
    }
#define ONE(NAME, T, R, E) DO(NAME, T, *static_cast<R*>(a.out) = static_cast<R>(E))
#define EACH(NAME, T, E) DO(NAME, T, out = E)

template <class T>
call common(work w) {
  switch (w) {
    ONE(amax, T, T, x.maxCoeff());
    ONE(amin, T, T, x.minCoeff());
    DO(argmax, T, {
      Eigen::Index at = 0;
      x.maxCoeff(&at);
      *static_cast<std::int64_t*>(a.out) = at;
    });
    EACH(add, T, x + y);
    EACH(mul, T, x * y);
    EACH(mul_add, T, x + y * z);
    EACH(scale, T, x * T(2) + T(1));
    EACH(larger, T, x.max(y));
    EACH(choose, T, (x > y).select(x, z));
    default: return nullptr;
  }
}
template <class T>
call floating(work w) {
  switch (w) {
    ONE(sum, T, T, x.sum());
    ONE(mean, T, T, x.mean());
    ONE(dot, T, T, (x * y).sum());
    ONE(norm, T, T, x.matrix().norm());
    ONE(var, T, T, (x - x.mean()).square().sum() / T(a.n - 1));
    EACH(difference, T, (x - y).abs());
    EACH(length, T, (x * x + y * y).sqrt());
    default: return common<T>(w);
  }
}
template <class T>
call whole(work w) {
  switch (w) {
    ONE(sum, T, std::int64_t, x.template cast<std::int64_t>().sum());
    ONE(dot, T, std::int64_t, (x * y).template cast<std::int64_t>().sum());
    default: return common<T>(w);
  }
}
call small(work w) {
  switch (w) {
    DO(softmax_10, float, {
      out = (x - x.maxCoeff()).exp();
      out /= out.sum();
    });
    ONE(mean_64, float, float, x.mean());
    case work::softmax_8x8:
      return [](const arrays& a, long times) {
        using rows = Eigen::Array<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
        const Eigen::Map<const rows> x(static_cast<const float*>(a.x), 8, 8);
        Eigen::Map<rows> out(static_cast<float*>(a.out), 8, 8);
        for (long i = 0; i < times; ++i) {
          out = (x.colwise() - x.rowwise().maxCoeff()).exp();
          out.colwise() /= out.rowwise().sum().eval();
          BENCH_CACHE_AGAIN();
        }
      };
    default: return nullptr;
  }
}

call find(work w, type t) {
  if (is_small(w)) return t == type::f32 ? small(w) : nullptr;
  switch (t) {
    case type::f32: return floating<float>(w);
    case type::f64: return floating<double>(w);
    case type::i32: return whole<std::int32_t>(w);
    default: return whole<std::uint8_t>(w);
  }
}

}  // namespace

contender eigen() { return {"eigen", find, false}; }

}  // namespace bench_cache
