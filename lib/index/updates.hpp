// The ways to update an element, and the choice of a loop by update and type.
#pragma once

#include <complex>
#include <cstring>

#include <broadloom/fn/half.hpp>

#include "walk.hpp"

namespace broadloom::runtime {

struct put_f {
  template <class T>
  static T on(T, T x) {
    return x;
  }
};
// Integers wrap around; those of fewer than 32 bits are not widened to int, which could overflow.
template <class T>
using wrapping = std::conditional_t<!std::is_integral_v<T> || std::is_same_v<T, bool>, T,
                                    std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>>;
struct add_f {
  template <class T>
  static T on(T a, T x) {
    return static_cast<T>(static_cast<wrapping<T>>(a) + static_cast<wrapping<T>>(x));
  }
};
struct mul_f {
  template <class T>
  static T on(T a, T x) {
    return static_cast<T>(static_cast<wrapping<T>>(a) * static_cast<wrapping<T>>(x));
  }
};
// NaN wins.
template <bool Largest>
struct min_max_f {
  template <class T>
  static T on(T a, T x) {
    const bool better = Largest ? a < x : x < a;
    if constexpr (is_floating(dtype_of<T>)) return better || x != x ? x : a;
    return better ? x : a;
  }
};
using amin_f = min_max_f<false>;
using amax_f = min_max_f<true>;

template <class T>
T load(const std::byte* p) {
  T x;
  std::memcpy(&x, p, sizeof x);
  return x;
}

template <class Op, class T>
void update_one(std::byte* p, T x) {
  if constexpr (!std::is_same_v<Op, put_f>) x = Op::on(load<T>(p), x);
  std::memcpy(p, &x, sizeof x);
}

constexpr index far_bytes = index{1} << 20;  // beyond a core's own caches

// Loop<Op, T>::value, a Function, for an element type.
template <template <class, class> class Loop, class Function, class T>
Function updater_of(update what) {
  switch (what) {
    case update::put: return Loop<put_f, T>::value;
    case update::add: return Loop<add_f, T>::value;
    case update::mul: return Loop<mul_f, T>::value;
    case update::amin: return Loop<amin_f, T>::value;
    default: return Loop<amax_f, T>::value;
  }
}
// Complex numbers have no order; headers refuse minima and maxima of them.
template <template <class, class> class Loop, class Function, class T>
Function complex_updater_of(update what) {
  return what == update::add ? Loop<add_f, T>::value : Loop<mul_f, T>::value;
}
// The same for a type known by name. For put only its size matters.
template <template <class, class> class Loop, class Function>
Function updater(dtype type, update what, int size) {
  if (what == update::put) {
    Function f = nullptr;
    with_size(size, [&]<class T>(T) { f = Loop<put_f, T>::value; });
    return f;
  }
  switch (type) {
    case dtype::b8: return updater_of<Loop, Function, bool>(what);
    case dtype::i8: return updater_of<Loop, Function, std::int8_t>(what);
    case dtype::i16: return updater_of<Loop, Function, std::int16_t>(what);
    case dtype::i32: return updater_of<Loop, Function, std::int32_t>(what);
    case dtype::i64: return updater_of<Loop, Function, std::int64_t>(what);
    case dtype::u8: return updater_of<Loop, Function, std::uint8_t>(what);
    case dtype::u16: return updater_of<Loop, Function, std::uint16_t>(what);
    case dtype::u32: return updater_of<Loop, Function, std::uint32_t>(what);
    case dtype::u64: return updater_of<Loop, Function, std::uint64_t>(what);
    case dtype::f32: return updater_of<Loop, Function, float>(what);
    case dtype::f16: return updater_of<Loop, Function, float16>(what);
    case dtype::bf16: return updater_of<Loop, Function, bfloat16>(what);
    case dtype::c64: return complex_updater_of<Loop, Function, std::complex<float>>(what);
    case dtype::c128: return complex_updater_of<Loop, Function, std::complex<double>>(what);
    default: return updater_of<Loop, Function, double>(what);
  }
}

}  // namespace broadloom::runtime
