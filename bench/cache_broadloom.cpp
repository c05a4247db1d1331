// Broadloom's share of the workloads in cache: each as a user writes it, compiled with plain -O2.
#include <broadloom/broadloom.hpp>

#include "cache.hpp"

namespace bl = broadloom;
namespace bench_cache {
namespace {

template <class T>
auto array_of(const void* p, long n) {
  return bl::view<const T, bl::dshape<1>, bl::row_major>(static_cast<const T*>(p), bl::dshape<1>(n), {});
}

// The arrays are views as a program has them: made once, used many times.
template <class T, class R, class F>
void times_of(const arrays& a, long times, const F& formula) {
  const auto x = array_of<T>(a.x, a.n), y = array_of<T>(a.y, a.n), z = array_of<T>(a.z, a.n);
  const bl::policy how = a.threads == 1 ? bl::seq : bl::par.threads(a.threads);
  bl::view<R, bl::dshape<1>, bl::row_major> all(static_cast<R*>(a.out), bl::dshape<1>(a.n), {});
  bl::view<R, bl::shape<>, bl::row_major> one(static_cast<R*>(a.out), bl::shape<>{}, {});
  for (long i = 0; i < times; ++i) {
    formula(x, y, z, all, one, how);
    BENCH_CACHE_AGAIN();
  }
}

#define REDUCTION(NAME, T, R, E)                                                                                       \
  case work::NAME:                                                                                                     \
    return [](const arrays& a, long times) {                                                                           \
      times_of<T, R>(a, times,                                                                                         \
                     [](const auto& x, [[maybe_unused]] const auto& y, const auto&, auto&, auto& r, const auto& how) { \
                       bl::assign(r, E, how);                                                                          \
                     });                                                                                               \
    }
#define FORMULA(NAME, T, E)                                                                                            \
  case work::NAME:                                                                                                     \
    return [](const arrays& a, long times) {                                                                           \
      times_of<T, T>(a, times,                                                                                         \
                     [](const auto& x, [[maybe_unused]] const auto& y, [[maybe_unused]] const auto& z, auto& r, auto&, \
                        const auto& how) { bl::assign(r, E, how); });                                                  \
    }

template <class T>
call floating(work w) {
  switch (w) {
    REDUCTION(sum, T, T, bl::sum(x));
    REDUCTION(mean, T, T, bl::mean(x));
    REDUCTION(dot, T, T, bl::sum(x * y));
    REDUCTION(amax, T, T, bl::amax(x));
    REDUCTION(amin, T, T, bl::amin(x));
    REDUCTION(argmax, T, std::int64_t, bl::argmax(x));
    REDUCTION(norm, T, T, bl::norm(x));
    REDUCTION(var, T, T, bl::var(x));
    FORMULA(add, T, x + y);
    FORMULA(mul, T, x * y);
    FORMULA(mul_add, T, x + y * z);
    FORMULA(scale, T, x * 2 + 1);
    FORMULA(difference, T, bl::abs(x - y));
    FORMULA(larger, T, bl::maximum(x, y));
    FORMULA(choose, T, bl::where(x > y, x, z));
    FORMULA(length, T, bl::sqrt(x * x + y * y));
    default: return nullptr;
  }
}
template <class T>
call whole(work w) {
  switch (w) {
    REDUCTION(sum, T, std::int64_t, bl::sum(x));
    REDUCTION(dot, T, std::int64_t, bl::sum(x * y));
    REDUCTION(amax, T, T, bl::amax(x));
    REDUCTION(amin, T, T, bl::amin(x));
    REDUCTION(argmax, T, std::int64_t, bl::argmax(x));
    FORMULA(add, T, x + y);
    FORMULA(mul, T, x * y);
    FORMULA(mul_add, T, x + y * z);
    FORMULA(scale, T, x * 2 + 1);
    FORMULA(larger, T, bl::maximum(x, y));
    FORMULA(choose, T, bl::where(x > y, x, z));
    default: return nullptr;
  }
}

call small(work w) {
  switch (w) {
    FORMULA(softmax_10, float, bl::softmax(x, 0));
    REDUCTION(mean_64, float, float, bl::mean(x));
    case work::softmax_8x8:
      return [](const arrays& a, long times) {
        const bl::view<const float, bl::dshape<2>, bl::row_major> x(static_cast<const float*>(a.x), bl::dshape<2>(8, 8),
                                                                    {});
        bl::view<float, bl::dshape<2>, bl::row_major> r(static_cast<float*>(a.out), bl::dshape<2>(8, 8), {});
        for (long i = 0; i < times; ++i) {
          bl::assign(r, bl::softmax(x, 1));
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

contender broadloom() { return {"broadloom", find, true}; }

}  // namespace bench_cache
