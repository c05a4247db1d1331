// Distances between the rows of two matrices, a strip of rows of the second at a time.
#include "distances.hpp"

#include <algorithm>

#include <broadloom/linalg/distances.hpp>

#include "stack.hpp"

namespace broadloom::runtime {

namespace {

template <class T>
void run_distances(const stack_call& c) {
  const auto& kernel = distances<T>();
  const index m = c.sizes[0], depth = c.sizes[1], n = c.sizes[2], width = kernel.columns;
  if (m == 0 || n == 0) return;
  const index strips = (n + width - 1) / width, count = c.count() * strips;
  const index block = block_of(static_cast<double>(3 * m * width) * static_cast<double>(depth + 8));
  work_memory<T> all(width * std::max<index>(depth, 1), blocks_of(count, block), c.how);
  in_blocks(count, block, c.how, [&](index first, index last) {
    const typename work_memory<T>::slot memory(all);
    T* const packed = memory.data();
    for (index number = first; number < last; ++number) {
      const index which = number / strips, at = number % strips * width, own = std::min(width, n - at);
      const auto x = matrix_of<T>(c, 0, which, m, depth), y = matrix_of<T>(c, 1, which, n, depth);
      for (index k = 0; k < depth; ++k)
        for (index j = 0; j < width; ++j) packed[k * width + j] = j < own ? y(at + j, k) : T(0);
      kernel.euclid(result_of<T>(c, 0, which, m * n) + at, n, x.data, x.row_stride, x.col_stride, packed, depth, m,
                    own);
    }
  });
}

}  // namespace

void euclidean_distances(const stack_call& c) {
  by_type(floating_types{}, c.type, [&]<class T>() { run_distances<T>(c); });
}

}  // namespace broadloom::runtime
