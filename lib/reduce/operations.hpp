// Sums and products, for the loops of one level: local to the file that includes this, so that no other level's code
// can take their place.
#pragma once

#include <broadloom/core/dtype.hpp>
#include <broadloom/core/pack.hpp>
#include <broadloom/fn/lanes.hpp>

namespace broadloom::runtime {
namespace {

struct sum {
  template <class T>
  static constexpr T neutral() {
    return is_floating(dtype_of<T>) ? static_cast<T>(-0.0) : T{};  // 0 would change a sum of negative zeros
  }
  template <class V>
  BROADLOOM_INLINE static V on(const V& x, const V& y) {
    return broadloom::lanes::plus(x, y);
  }
};
struct product {
  template <class T>
  static constexpr T neutral() {
    return T{1};
  }
  template <class V>
  BROADLOOM_INLINE static V on(const V& x, const V& y) {
    return broadloom::lanes::times(x, y);
  }
};

}  // namespace
}  // namespace broadloom::runtime
