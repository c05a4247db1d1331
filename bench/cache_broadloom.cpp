// Broadloom's share of the workloads in cache: each as a user writes it, compiled with plain -O2.
#include <broadloom/broadloom.hpp>

#include "cache.hpp"

namespace bl = broadloom;
namespace bench_cache {
namespace {

template <class T, int Rank>
using input = bl::view<const T, bl::dshape<Rank>, bl::row_major>;
template <class T, int Rank>
using output = bl::view<T, bl::dshape<Rank>, bl::row_major>;

// The arrays are views as a program has them: made once, used many times.
template <class T>
struct operands {
  input<T, 1> x, y, z;
  bl::policy how;
  explicit operands(const arrays& a)
      : x(static_cast<const T*>(a.x), bl::dshape<1>(a.n), {}),
        y(static_cast<const T*>(a.y), bl::dshape<1>(a.n), {}),
        z(static_cast<const T*>(a.z), bl::dshape<1>(a.n), {}),
        how(a.threads == 1 ? bl::seq : bl::par.threads(a.threads)) {}
};

#define AGAIN(...)                   \
  for (long i = 0; i < times; ++i) { \
    __VA_ARGS__;                     \
    BENCH_CACHE_AGAIN();             \
  }
#define ONE(NAME, R, E)                                                                     \
  static void NAME(const arrays& a, long times) {                                           \
    const operands<T> in(a);                                                                \
    [[maybe_unused]] const auto &x = in.x, &y = in.y;                                       \
    bl::view<R, bl::shape<>, bl::row_major> out(static_cast<R*>(a.out), bl::shape<>{}, {}); \
    AGAIN(bl::assign(out, E, in.how))                                                       \
  }
#define EACH(NAME, E)                                                 \
  static void NAME(const arrays& a, long times) {                     \
    const operands<T> in(a);                                          \
    [[maybe_unused]] const auto &x = in.x, &y = in.y, &z = in.z;      \
    output<T, 1> out(static_cast<T*>(a.out), bl::dshape<1>(a.n), {}); \
    AGAIN(bl::assign(out, E, in.how))                                 \
  }
#define MATRIX(NAME, ROWS, COLUMNS, RANK, SHAPE, E)                                    \
  static void NAME(const arrays& a, long times) {                                      \
    const input<T, 2> x(static_cast<const T*>(a.x), bl::dshape<2>(ROWS, COLUMNS), {}); \
    output<T, RANK> out(static_cast<T*>(a.out), bl::dshape<RANK> SHAPE, {});           \
    AGAIN(bl::assign(out, E))                                                          \
  }

template <class T>
struct broadloom_formulas {
  ONE(sum, sum_of<T>, bl::sum(x))
  ONE(mean, T, bl::mean(x))
  ONE(dot, sum_of<T>, bl::sum(x* y))
  ONE(amax, T, bl::amax(x))
  ONE(amin, T, bl::amin(x))
  ONE(argmax, std::int64_t, bl::argmax(x))
  ONE(norm, T, bl::norm(x))
  ONE(var, T, bl::var(x))
  EACH(add, x + y)
  EACH(mul, x* y)
  EACH(mul_add, x + y * z)
  EACH(scale, x * 2 + 1)
  EACH(difference, bl::abs(x - y))
  EACH(larger, bl::maximum(x, y))
  EACH(choose, bl::where(x > y, x, z))
  EACH(length, bl::sqrt(x* x + y * y))
  EACH(mul_add_4, x + y * z)
  ONE(mean_64, T, bl::mean(x))
  EACH(normalize_64, x / bl::sum(x))
  EACH(softmax_10, bl::softmax(x, 0))
  MATRIX(softmax_8x8, 8, 8, 2, (8, 8), bl::softmax(x, 1))
  MATRIX(row_sums_8x8, 8, 8, 1, (8), bl::sum(x, 1))
  MATRIX(column_sums_8x8, 8, 8, 1, (8), bl::sum(x, 0))
  MATRIX(layer_norm_4x16, 4, 16, 2, (4, 16),
         (x - bl::mean(x, 1, bl::keepdim)) / bl::sqrt(bl::var(x, 1, bl::keepdim) + 1))
  static void outer_8(const arrays& a, long times) {
    const input<T, 2> x(static_cast<const T*>(a.x), bl::dshape<2>(8, 1), {});
    const input<T, 2> y(static_cast<const T*>(a.y), bl::dshape<2>(1, 8), {});
    output<T, 2> out(static_cast<T*>(a.out), bl::dshape<2>(8, 8), {});
    AGAIN(bl::assign(out, x + y))
  }
};

}  // namespace

contender broadloom() { return {"broadloom", find<broadloom_formulas>, true}; }

}  // namespace bench_cache
