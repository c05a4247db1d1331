// rand and randn of elements of 16 bits: the numbers of f32, normal ones rounded, uniform ones cut off, as 1 is none of
// theirs.
#pragma once

#include <broadloom/fn/convert.hpp>
#include <broadloom/fn/half_functions.hpp>
#include <broadloom/fn/pointwise.hpp>
#include <broadloom/tensor/factories.hpp>

namespace broadloom::detail {

template <class T, bool Normal>
struct half_random : generator_first {
  using generator_first::operator();
  template <shape_type S>
  auto operator()(generator& g, const S& s) const {
    auto r = tensor<T, S>::uninitialised(s);
    if constexpr (Normal)
      assign(r, cast<T>(normal_random<float>{}(g, s)));
    else {
      constexpr float steps = __is_same(T, float16) ? 2048 : 256;
      assign(r, cast<T>(mul(floor(mul(uniform_random<float>{}(g, s), steps)), 1 / steps)));
    }
    return r;
  }
  template <int R>
  auto operator()(generator& g, braced_extents<R> s) const {
    return (*this)(g, braced_shape<R>(s));
  }
  template <integer_like... N>
  auto operator()(generator& g, N... n) const {
    return (*this)(g, make_shape(n...));
  }
};

}  // namespace broadloom::detail
