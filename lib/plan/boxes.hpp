// Ranges of the elements of row-major arrays as boxes.
#pragma once

#include <broadloom/core/index.hpp>

namespace broadloom::runtime {

// The boxes that flat indices [first, first + n) of row-major axes make up, in order, each as large as may be: each(m)
// for m of the indices, when `at` and `counts` have the box's first index and its extent along every axis.
template <class Each>
void each_box(const index* extents, int axes, index first, index n, index* at, index* counts, const Each& each) {
  for (index done; n > 0; first += done, n -= done) {
    index rest = first;
    bool whole = true;  // all axes behind this one
    done = 1;
    for (int a = axes - 1; a >= 0; --a) {
      at[a] = rest % extents[a];
      rest /= extents[a];
      const index fits = n / done, left = extents[a] - at[a];
      counts[a] = !whole ? 1 : fits < left ? fits : left;
      done *= counts[a];
      whole = whole && counts[a] == extents[a];
    }
    each(done);
  }
}

}  // namespace broadloom::runtime
