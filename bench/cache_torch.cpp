// libtorch's share of the workloads in cache: into existing memory where its functions can.
#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include "cache.hpp"

namespace bench_cache {
namespace {

template <class T>
at::Tensor tensor_of(const void* p, long n) {
  return at::from_blob(const_cast<void*>(p), {n}, c10::CppTypeToScalarType<T>::value);
}

#define DO(NAME, T, R, COUNT, ...)                                                   \
  case work::NAME:                                                                   \
    return [](const arrays& a, long times) {                                         \
      const at::NoGradGuard none;                                                    \
      if (at::get_num_threads() != a.threads) at::set_num_threads(a.threads);        \
      const at::Tensor x = tensor_of<T>(a.x, a.n), y = tensor_of<T>(a.y, a.n);       \
      const at::Tensor z = tensor_of<T>(a.z, a.n);                                   \
      at::Tensor out = tensor_of<R>(a.out, COUNT);                                   \
      at::Tensor one = at::from_blob(a.out, {}, c10::CppTypeToScalarType<R>::value); \
      for (long i = 0; i < times; ++i) {                                             \
        __VA_ARGS__;                                                                 \
        BENCH_CACHE_AGAIN();                                                         \
      }                                                                              \
    }
#define ONE(NAME, T, R, ...) DO(NAME, T, R, 1, __VA_ARGS__)
#define EACH(NAME, T, ...) DO(NAME, T, T, a.n, __VA_ARGS__)
#define VALUE(E) *static_cast<T*>(a.out) = (E).template item<T>()

template <class T>
call common(work w) {
  using R = std::conditional_t<std::is_floating_point_v<T>, T, std::int64_t>;
  switch (w) {
    ONE(sum, T, R, *static_cast<R*>(a.out) = at::sum(x).template item<R>());
    ONE(amax, T, T, VALUE(at::amax(x)));
    ONE(amin, T, T, VALUE(at::amin(x)));
    ONE(argmax, T, std::int64_t, *static_cast<std::int64_t*>(a.out) = at::argmax(x).template item<std::int64_t>());
    EACH(add, T, at::add_out(out, x, y));
    EACH(mul, T, at::mul_out(out, x, y));
    EACH(mul_add, T, at::addcmul_out(out, x, y, z));
    EACH(scale, T, at::mul_out(out, x, at::scalar_tensor(2, x.options())); out.add_(1));
    EACH(larger, T, at::maximum_out(out, x, y));
    EACH(choose, T, at::where_out(out, at::gt(x, y), x, z));
    default: return nullptr;
  }
}
template <class T>
call floating(work w) {
  switch (w) {
    ONE(mean, T, T, VALUE(at::mean(x)));
    ONE(dot, T, T, VALUE(at::dot(x, y)));
    ONE(norm, T, T, VALUE(at::norm(x)));
    ONE(var, T, T, VALUE(at::var(x)));
    EACH(difference, T, at::sub_out(out, x, y); out.abs_());
    EACH(length, T, at::hypot_out(out, x, y));
    default: return common<T>(w);
  }
}
call small(work w) {
  switch (w) {
    DO(softmax_10, float, float, a.n, at::_softmax_out(out, x, 0, false));
    ONE(mean_64, float, float, *static_cast<float*>(a.out) = at::mean(x).item<float>());
    case work::softmax_8x8:
      return [](const arrays& a, long times) {
        const at::NoGradGuard none;
        const at::Tensor x = at::from_blob(const_cast<void*>(a.x), {8, 8}, at::kFloat);
        at::Tensor out = at::from_blob(a.out, {8, 8}, at::kFloat);
        for (long i = 0; i < times; ++i) {
          at::_softmax_out(out, x, 1, false);
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
    case type::i32: return common<std::int32_t>(w);
    default: return common<std::uint8_t>(w);
  }
}

}  // namespace

contender torch() { return {"libtorch", find, true}; }

}  // namespace bench_cache
