// Loops over tasks, in the place of lib/base/for_each.hpp: on the calling thread.
#pragma once

#include <broadloom/core/index.hpp>

namespace broadloom::runtime {

template <class F>
void for_ranges(index n, int, const F& f) {
  if (n > 0) f(index{0}, n);
}
template <class F>
void for_each(index n, int, const F& f) {
  for (index i = 0; i < n; ++i) f(i);
}

}  // namespace broadloom::runtime
