// The sines and the cosines of the same numbers, which share the reduction to a quarter turn, and both polynomials.
#pragma once

#include <broadloom/core/maths.hpp>

#include "../base/level.hpp"

namespace broadloom::runtime {

template <class T>
struct sine_and_cosine_kernels {
  // sine[i] and cosine[i], the accurate ones with their bits; `sine` may be x. Whole vectors, up to one with a number
  // that those functions leave to others; returns how many elements are done. Null at level base.
  index (*run)(const T* x, T* sine, T* cosine, index n) noexcept;
};
BROADLOOM_REAL_LEVELS(all, sine_and_cosine_kernels, sine_and_cosine_loops)

template <class T>
void sines_and_cosines(const T* x, T* sine, T* cosine, index n) noexcept {
  const auto run = sine_and_cosine_loops<T>().run;
  const index done = run != nullptr ? run(x, sine, cosine, n) : 0;
  if (done == n) return;
  map1(maths1::cos, accuracy::accurate, x + done, cosine + done, n - done);
  map1(maths1::sin, accuracy::accurate, x + done, sine + done, n - done);
}

}  // namespace broadloom::runtime
