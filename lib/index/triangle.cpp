// Zeros outside a triangle.
#include <cstring>

#include <broadloom/index/triangle.hpp>

#include "../base/for_each.hpp"
#include "../base/limits.hpp"
#include "../base/tuned.hpp"

namespace broadloom::detail {

void clear_triangle(void* data, int size, index first, index rows, index height, index columns, index shift, bool upper,
                    int wanted) {
  const double bytes = static_cast<double>(rows * columns * size) / 2;
  const int threads = runtime::threads_for(wanted, bytes * runtime::limits::work::of_byte);
  runtime::for_ranges(rows, threads, [=](index begin, index until) {
    auto* at = static_cast<std::byte*>(data) + begin * columns * size;
    for (index r = begin; r < until; ++r, at += columns * size) {
      const index row = (first + r) % height;
      // the triangle's columns are [from, columns) or [0, from)
      index from = row + shift + (upper ? 0 : 1);
      from = from < 0 ? 0 : from > columns ? columns : from;
      const index start = upper ? 0 : from, end = upper ? from : columns;
      std::memset(at + start * size, 0, static_cast<std::size_t>((end - start) * size));
    }
  });
}

}  // namespace broadloom::detail
