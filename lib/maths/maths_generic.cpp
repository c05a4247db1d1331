// Vector maths for processors of which nothing is known: 16 bytes by the compiler's vectors, without FMA.
#if !defined(__x86_64__) && !defined(__aarch64__)

#include <cmath>
#include <cstring>

#include "../base/vectors.hpp"
#include "strips.hpp"

#if BROADLOOM_SLEEF
#error "SLEEF's functions for this processor are not known here: configure with -Dsleef=disabled"
#endif

#define BROADLOOM_HAS_FMA 0
#define BROADLOOM_TABLES 0

namespace broadloom::runtime {
namespace base {

// What vectors of both element types have in common.
template <class T, class Value, class Bits>
struct vec_of {
  using element = T;
  using value = Value;
  static constexpr bool has_fma = false;
  static constexpr index width = sizeof(Value) / sizeof(T);
  static value load(const T* p) {
    value v;
    std::memcpy(&v, p, sizeof v);
    return v;
  }
  static void store(T* p, value v) { std::memcpy(p, &v, sizeof v); }
  static value splat(T x) { return x - value{}; }
  static value abs(value v) {
    return reinterpret_cast<value>(reinterpret_cast<Bits>(v) & ~reinterpret_cast<Bits>(splat(T(-0.0))));
  }
  static value sqrt(value v) {
    for (index i = 0; i < width; ++i) v[i] = std::sqrt(v[i]);
    return v;
  }
  static unsigned less(value a, value b) {
    unsigned r = 0;
    for (index i = 0; i < width; ++i) r |= static_cast<unsigned>(a[i] < b[i]) << i;
    return r;
  }
};

using f32_value = vec<float, 16>;
using f64_value = vec<double, 16>;
using f32_bits = vec<unsigned, 16>;
using f64_bits = vec<unsigned long long, 16>;

struct f32_vec : vec_of<float, f32_value, f32_bits> {};

struct f64_vec : vec_of<double, f64_value, f64_bits> {
  static value multiply_add(value a, value b, value c) { return a * b + c; }
  static value divide(value a, value b) { return a / b; }
  static value low_half(f32_value x) { return value{x[0], x[1]}; }
  static value high_half(f32_value x) { return value{x[2], x[3]}; }
  static f32_value rounded(value low, value high) {
    return f32_value{static_cast<float>(low[0]), static_cast<float>(low[1]), static_cast<float>(high[0]),
                     static_cast<float>(high[1])};
  }
};

#include "maths_table.inc"

}  // namespace base

constinit const maths_table maths_base = base::make_table();

}  // namespace broadloom::runtime

#endif
