// The workloads that fit in a cache, in one list, and how a contender says what it has for them.
#pragma once

#include <cstdint>
#include <type_traits>

namespace bench_cache {

enum class type : int { f32, f64, i32, u8 };
constexpr const char* type_names[] = {"f32", "f64", "i32", "u8"};
constexpr int type_sizes[] = {4, 8, 4, 1};

// X(name, formula, kind, types). Kinds: `reduction`, n elements to one; `formula`, n elements to n; `few`, of a fixed
// small size. Types: `all` four, `floats`, or `f32`.
#define BENCH_CACHE_WORKS(X)                           \
  X(sum, "sum(x)", reduction, all)                     \
  X(mean, "mean(x)", reduction, floats)                \
  X(dot, "sum(x * y)", reduction, all)                 \
  X(amax, "amax(x)", reduction, all)                   \
  X(amin, "amin(x)", reduction, all)                   \
  X(argmax, "argmax(x)", reduction, all)               \
  X(norm, "norm(x)", reduction, floats)                \
  X(var, "var(x)", reduction, floats)                  \
  X(add, "x + y", formula, all)                        \
  X(mul, "x * y", formula, all)                        \
  X(mul_add, "x + y * z", formula, all)                \
  X(scale, "x * 2 + 1", formula, all)                  \
  X(difference, "abs(x - y)", formula, floats)         \
  X(larger, "maximum(x, y)", formula, all)             \
  X(choose, "where(x > y, x, z)", formula, all)        \
  X(length, "sqrt(x * x + y * y)", formula, floats)    \
  X(mul_add_4, "x + y * z, 4 elements", few, f32)      \
  X(outer_8, "(8, 1) + (1, 8)", few, f32)              \
  X(mean_64, "mean(x), 64 elements", few, f32)         \
  X(normalize_64, "x / sum(x), 64 elements", few, f32) \
  X(softmax_10, "softmax(x), 10 elements", few, f32)   \
  X(softmax_8x8, "softmax(x, 1), (8, 8)", few, f32)    \
  X(row_sums_8x8, "sum(x, 1), (8, 8)", few, f32)       \
  X(column_sums_8x8, "sum(x, 0), (8, 8)", few, f32)    \
  X(layer_norm_4x16, "(x - mean) / sqrt(var + 1), (4, 16)", few, f32)

enum class work : int {
#define X(name, formula, kind, types) name,
  BENCH_CACHE_WORKS(X)
#undef X
      count
};
enum class kind : int { reduction, formula, few };
enum class types : int { all, floats, f32 };

struct listed {
  const char *name, *formula;
  bench_cache::kind kind;
  bench_cache::types types;
};
constexpr listed works[] = {
#define X(name, formula, of_kind, of_types) {#name, formula, kind::of_kind, types::of_types},
    BENCH_CACHE_WORKS(X)
#undef X
};
constexpr bool runs(const listed& w, type t) {
  return w.types == types::all || t == type::f32 || (w.types == types::floats && t == type::f64);
}
// The elements of x in a workload of fixed size, and of the result.
constexpr long size_of_few(work w) {
  return w == work::mul_add_4 ? 4 : w == work::outer_8 ? 8 : w == work::softmax_10 ? 10 : 64;
}
constexpr long result_size(work w, long n) {
  if (works[int(w)].kind == kind::reduction || w == work::mean_64) return 1;
  return w == work::row_sums_8x8 || w == work::column_sums_8x8 ? 8 : w == work::outer_8 ? 64 : n;
}

// Three arrays of n elements, and the result's memory. The result of argmax is an i64, that of a sum of integers too.
struct arrays {
  const void *x, *y, *z;
  void* out;
  long n;
  int threads;
};
template <class T>
using sum_of = std::conditional_t<std::is_floating_point_v<T>, T, std::int64_t>;

// Does the work so many times, one after the other.
using call = void (*)(const arrays&, long times);

// Memory counts as changed between two calls, so that none is taken out of the loop.
#define BENCH_CACHE_AGAIN() __asm__ volatile("" : : : "memory")

struct contender {
  const char* name;
  call (*find)(work, type);  // null: it has nothing for this
  bool threads;              // whether it takes more than one
};
contender hand();
contender broadloom();
contender eigen();
contender torch();

// The call of a contender for a work and a type: static member functions of Contender<T>, named as the works are. It
// may lack some.
template <template <class> class Contender, class T, type t>
call find_of_type(work w) {
  switch (w) {
#define X(name, formula, of_kind, of_types)                                        \
  case work::name:                                                                 \
    if constexpr (runs(works[int(work::name)], t))                                 \
      if constexpr (requires { &Contender<T>::name; }) return &Contender<T>::name; \
    return nullptr;
    BENCH_CACHE_WORKS(X)
#undef X
    default: return nullptr;
  }
}
template <template <class> class Contender>
call find(work w, type t) {
  switch (t) {
    case type::f32: return find_of_type<Contender, float, type::f32>(w);
    case type::f64: return find_of_type<Contender, double, type::f64>(w);
    case type::i32: return find_of_type<Contender, std::int32_t, type::i32>(w);
    default: return find_of_type<Contender, std::uint8_t, type::u8>(w);
  }
}

}  // namespace bench_cache
