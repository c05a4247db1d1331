// The product of two vectors: the kernel's sums of equal parts, added in their order. The parts follow from the length
// alone.
#pragma once

#include "batch.hpp"
#include "kernels.hpp"

namespace broadloom::runtime {

// Elements of a part: 512 KiB of each vector, some 10 us, so that two of them are worth a second thread.
template <class T>
inline constexpr index dot_part = (index{1} << 19) / static_cast<index>(sizeof(T));

template <class T>
T dot_product(const T* x, index x_step, const T* y, index y_step, index n, const options& how) {
  const auto& k = products<T>();
  if (n < 2 * dot_part<T>) return k.dot(x, x_step, y, y_step, n);
  const buffer<T> sums(blocks_of(n, dot_part<T>));
  in_blocks(n, dot_part<T>, how, [&](index first, index last) {
    for (index i = first; i < last; i += dot_part<T>)
      sums.data()[i / dot_part<T>] =
          k.dot(x + i * x_step, x_step, y + i * y_step, y_step, last - i < dot_part<T> ? last - i : dot_part<T>);
  });
  T sum = sums.data()[0];
  for (index i = 1; i < blocks_of(n, dot_part<T>); ++i) sum += sums.data()[i];
  return sum;
}

}  // namespace broadloom::runtime
