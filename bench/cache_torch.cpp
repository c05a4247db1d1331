// libtorch's share of the workloads in cache: into existing memory where its functions can.
#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include "cache.hpp"

namespace bench_cache {
namespace {

template <class T>
at::Tensor tensor_of(const void* p, at::IntArrayRef sizes) {
  return at::from_blob(const_cast<void*>(p), sizes, c10::CppTypeToScalarType<T>::value);
}

#define DO(NAME, SIZES, R, RESULTS, ...)                                                                       \
  static void NAME(const arrays& a, long times) {                                                              \
    const at::NoGradGuard none;                                                                                \
    if (at::get_num_threads() != a.threads) at::set_num_threads(a.threads);                                    \
    const at::Tensor x = tensor_of<T>(a.x, SIZES), y = tensor_of<T>(a.y, {a.n}), z = tensor_of<T>(a.z, {a.n}); \
    at::Tensor out = tensor_of<R>(a.out, RESULTS);                                                             \
    for (long i = 0; i < times; ++i) {                                                                         \
      __VA_ARGS__;                                                                                             \
      BENCH_CACHE_AGAIN();                                                                                     \
    }                                                                                                          \
  }
#define SIZES(...) at::IntArrayRef({__VA_ARGS__})
#define ONE(NAME, R, E) DO(NAME, SIZES(a.n), R, at::IntArrayRef(), *static_cast<R*>(a.out) = (E).template item<R>())
#define EACH(NAME, ...) DO(NAME, SIZES(a.n), T, SIZES(a.n), __VA_ARGS__)
#define MATRIX(NAME, ROWS, COLUMNS, RESULTS, ...) DO(NAME, SIZES(ROWS, COLUMNS), T, RESULTS, __VA_ARGS__)

template <class T>
struct torch_formulas {
  static at::Tensor products(const at::Tensor& x, const at::Tensor& y) {
    if constexpr (std::is_floating_point_v<T>)
      return at::dot(x, y);
    else
      return at::sum(at::mul(x, y));
  }
  ONE(sum, sum_of<T>, at::sum(x))
  ONE(mean, T, at::mean(x))
  ONE(dot, sum_of<T>, products(x, y))
  ONE(amax, T, at::amax(x))
  ONE(amin, T, at::amin(x))
  ONE(argmax, std::int64_t, at::argmax(x))
  ONE(norm, T, at::norm(x))
  ONE(var, T, at::var(x))
  EACH(add, at::add_out(out, x, y))
  EACH(mul, at::mul_out(out, x, y))
  EACH(mul_add, at::addcmul_out(out, x, y, z))
  EACH(scale, at::mul_out(out, x, at::scalar_tensor(2, x.options())); out.add_(1))
  EACH(difference, at::sub_out(out, x, y); out.abs_())
  EACH(larger, at::maximum_out(out, x, y))
  EACH(choose, at::where_out(out, at::gt(x, y), x, z))
  EACH(length, at::hypot_out(out, x, y))
  EACH(mul_add_4, at::addcmul_out(out, x, y, z))
  ONE(mean_64, T, at::mean(x))
  EACH(normalize_64, at::div_out(out, x, at::sum(x)))
  EACH(softmax_10, at::_softmax_out(out, x, 0, false))
  MATRIX(softmax_8x8, 8, 8, SIZES(8, 8), at::_softmax_out(out, x, 1, false))
  MATRIX(row_sums_8x8, 8, 8, SIZES(8), at::sum_out(out, x, SIZES(1)))
  MATRIX(column_sums_8x8, 8, 8, SIZES(8), at::sum_out(out, x, SIZES(0)))
  MATRIX(layer_norm_4x16, 4, 16, SIZES(4, 16),
         at::div_out(out, x - at::mean(x, SIZES(1), true), at::sqrt(at::var(x, SIZES(1), true, true) + 1)))
  MATRIX(outer_8, 8, 1, SIZES(8, 8), at::add_out(out, x, y))
};

}  // namespace

contender torch() { return {"libtorch", find<torch_formulas>, true}; }

}  // namespace bench_cache
