// The functions of vector maths that are timed, and peers behind plain functions: each in a file of its own.
#pragma once

#include <string>

// ONE(name) or TWO(name), by the number of arguments, for each function that all peers have.
#define BENCH_MATHS_OF_ALL(ONE, TWO) \
  ONE(exp);                          \
  ONE(exp2);                         \
  ONE(expm1);                        \
  ONE(log);                          \
  ONE(log2);                         \
  ONE(log10);                        \
  ONE(log1p);                        \
  ONE(sin);                          \
  ONE(cos);                          \
  ONE(tan);                          \
  ONE(asin);                         \
  ONE(acos);                         \
  ONE(atan);                         \
  ONE(sinh);                         \
  ONE(cosh);                         \
  ONE(tanh);                         \
  ONE(asinh);                        \
  ONE(acosh);                        \
  ONE(atanh);                        \
  ONE(erf);                          \
  ONE(erfc);                         \
  ONE(lgamma);                       \
  TWO(pow);                          \
  TWO(atan2);                        \
  TWO(hypot)

namespace bench_maths {

// Arrays of n elements of f32 or f64. `f` is a name of lib/maths/functions.def.
struct peer {
  // Prepares a call on these arrays (y is null for functions of one argument); null where the peer has no such
  // function.
  void* (*prepare)(const std::string& f, const void* x, const void* y, void* out, long n, bool f64);
  void (*run)(void* prepared);
  // Writes the result to out if it is not there yet, and frees what was prepared.
  void (*finish)(void* prepared);
};

const peer* torch();    // null: not built
const peer* xtensor();  // null: not built

}  // namespace bench_maths
