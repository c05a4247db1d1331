// The workloads that fit in a cache, and what each contender has for them.
#pragma once

#include <cstdint>

namespace bench_cache {

enum class type : int { f32, f64, i32, u8 };
constexpr const char* type_names[] = {"f32", "f64", "i32", "u8"};
constexpr int type_sizes[] = {4, 8, 4, 1};

// Reductions of n elements to one; then formulas of n elements; then reductions of few, of fixed size.
#define BENCH_CACHE_REDUCTIONS(X) \
  X(sum, "sum(x)")                \
  X(mean, "mean(x)")              \
  X(dot, "sum(x * y)")            \
  X(amax, "amax(x)")              \
  X(amin, "amin(x)")              \
  X(argmax, "argmax(x)")          \
  X(norm, "norm(x)")              \
  X(var, "var(x)")
#define BENCH_CACHE_FORMULAS(X)   \
  X(add, "x + y")                 \
  X(mul, "x * y")                 \
  X(mul_add, "x + y * z")         \
  X(scale, "x * 2 + 1")           \
  X(difference, "abs(x - y)")     \
  X(larger, "maximum(x, y)")      \
  X(choose, "where(x > y, x, z)") \
  X(length, "sqrt(x * x + y * y)")
#define BENCH_CACHE_SMALL(X)                  \
  X(softmax_10, "softmax(x, 0), 10 elements") \
  X(softmax_8x8, "softmax(x, 1), (8, 8)")     \
  X(mean_64, "mean(x), 64 elements")

enum class work : int {
#define X(name, formula) name,
  BENCH_CACHE_REDUCTIONS(X) BENCH_CACHE_FORMULAS(X) BENCH_CACHE_SMALL(X)
#undef X
      count
};
constexpr const char* work_names[] = {
#define X(name, formula) #name,
    BENCH_CACHE_REDUCTIONS(X) BENCH_CACHE_FORMULAS(X) BENCH_CACHE_SMALL(X)
#undef X
};
constexpr const char* work_formulas[] = {
#define X(name, formula) formula,
    BENCH_CACHE_REDUCTIONS(X) BENCH_CACHE_FORMULAS(X) BENCH_CACHE_SMALL(X)
#undef X
};
constexpr bool is_reduction(work w) { return w < work::add; }
constexpr bool is_small(work w) { return w >= work::softmax_10; }

// Three arrays of n elements, and the result's memory: n elements, or one. The result of argmax is an i64, that of a
// sum of integers too.
struct arrays {
  const void *x, *y, *z;
  void* out;
  long n;
  int threads;
};
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

}  // namespace bench_cache
