// Blocks of rows and columns of one product, and how a large product is cut into them. Part of product.cpp.
#pragma once

#include <cstring>

#include "product_packing.hpp"

namespace broadloom::runtime {

namespace {

// Operations, times the bytes of an element, of the smallest product that pays off on several threads, and of the
// smallest block. Handing work to a thread that is awake, waiting for it and reading from its cache takes about as long
// as a product of 64 x 64; waking a thread takes several times that. With 8'000'000, systems of 128 x 128 in f64 took
// 1.15 to 1.25 times as long on two threads as on one (Zen 3).
constexpr index worth_sharing = 12'000'000, worth_a_block = 1'500'000;
// Operations of the smallest product that pays off where the right side is packed first: of 128 x 128 in f32 a product
// with a transpose took 1.3 times as long (Zen 3).
constexpr double worth_packing_shared = 6e6;
// Packing a panel pays off from this many groups of rows on.
constexpr index groups_a_panel = 11;
// Larger right sides, in bytes, are prefetched.
constexpr index max_near_bytes = 128 * 1024;

// Rows [first, first + rows) and columns [from, to) of one product, or of one term, by tiles.
template <class T>
void run_tiles(const product_way<T>& way, const product_problem<T>& p, T* c, const blas_matrix<T>& a,
               const right_side<T>& b, const block_room<T>& room, index first, index rows, index from, index to,
               bool fresh) {
  const index depth = p.a.cols, cols = p.b.cols, group = way.tiles->group;
  const bool gathers = !b.packed && rows >= few_groups * group && way.gathers(p, b.data, b.stride);
  for (index at = 0; at < depth; at += way.depth_block) {
    const index d = std::min(way.depth_block, depth - at);
    const auto left = part(a, first, at);
    typename product_tiles<T>::block k{};
    k.c = c + first * p.ldc + from;
    k.ldc = p.ldc;
    k.a = left.data;
    k.a_row = left.stride;
    k.a_col = 1;
    k.b = b.packed ? b.data + at * way.packed_columns(cols) + from * d * way.packed_each()
                   : b.data + at * b.stride + from;
    k.b_row = b.stride;
    k.panel = gathers ? room.panel() : nullptr;
    k.depth = d;
    k.rows = rows;
    k.cols = to - from;
    k.alpha = p.alpha;
    k.packed = b.packed;
    k.fresh = fresh && at == 0;
    k.far = b.packed && d * k.cols * static_cast<index>(sizeof(T)) > max_near_bytes;
    if (!left.row_major) {
      T* const packed_a = room.left();
      way.tiles->pack_left(packed_a, left.data, left.stride, d, rows);
      k.a = packed_a;
      k.a_row = 1;
      k.a_col = group;
    } else if (left.stride * static_cast<index>(sizeof(T)) > max_row_bytes && k.cols > narrow_columns) {
      T* const packed_a = room.left();
      for (index i = 0; i < rows; ++i)
        std::memcpy(static_cast<void*>(packed_a + i * d), left.data + i * left.stride,
                    static_cast<std::size_t>(d) * sizeof(T));
      k.a = packed_a;
      k.a_row = d;
    }
    k.a_group = group * (left.row_major ? k.a_row : d);
    way.tiles->multiply(k);
  }
}

// Rows [first, last) and columns [from, to) of one product with a packed right side; or of several terms of a sum,
// whose packed right sides follow each other. The first one writes zeros or the addend.
template <class T>
void run_block(const product_way<T>& way, const product_problem<T>& p, T* c, const blas_matrix<T>& a,
               const right_side<T>& b, const block_room<T>& room, index first, index last, index from, index to,
               index first_term = 0, index last_term = 1) {
  const auto& k = way.k;
  const index depth = p.a.cols, cols = p.b.cols;
  if (!p.accumulate && first_term == 0 && way.tiles == nullptr)
    for (index i = first; i < last; ++i)
      std::memset(static_cast<void*>(c + i * p.ldc + from), 0, static_cast<std::size_t>(to - from) * sizeof(T));
  index rows_each = row_block;
  if (const index all = last - first; all > row_block) {
    // Parts of about equal size.
    const index parts = (all + row_block - 1) / row_block;
    rows_each = ((all + parts - 1) / parts + 11) / 12 * 12;
  }
  for (index i = first; i < last; i += rows_each) {
    const index rows = std::min(rows_each, last - i);
    if (p.addend != nullptr && first_term == 0)
      p.addend->write(p.addend->object, c + i * p.ldc + from, rows, p.ldc, to - from);
    for (index term = first_term; term < last_term; ++term) {
      const T* const right = b.data + (term - first_term) * packed_b_size(way, p);
      blas_matrix<T> left = a;
      if (p.terms != nullptr) left.data += p.terms[term].a;
      if (way.tiles != nullptr) {
        run_tiles(way, p, c, left, {right, b.stride, b.packed}, room, i, rows, from, to, !p.accumulate && term == 0);
        continue;
      }
      T* const packed_a = room.left();
      for (index at = 0; at < depth; at += way.depth_block) {
        const index d = std::min(way.depth_block, depth - at);
        const auto part_a = part(left, i, at);
        k.pack_right(packed_a, part_a.data, part_a.stride, part_a.row_major, d, rows);
        for (index j = from; j < to; j += column_block) {
          const index n = std::min(column_block, to - j);
          k.block(c + i * p.ldc + j, p.ldc, right + at * cols + j * d, packed_a, n, d, rows, p.alpha);
        }
      }
    }
  }
}

// How a large product is cut: enough blocks of rows to keep several threads busy, and blocks of columns.
struct product_cut {
  index unit, units, row_blocks, columns = column_block, column_blocks;
  // Rows are divided at whole units.
  product_cut(index row_unit, index rows, index depth, index cols)
      : unit(row_unit), units((rows + row_unit - 1) / row_unit), row_blocks((rows + row_block - 1) / row_block) {
    column_blocks = (cols + columns - 1) / columns;
    const double operations = 2.0 * static_cast<double>(rows) * static_cast<double>(depth) * static_cast<double>(cols);
    if (operations >= worth_packing_shared) row_blocks = std::max(row_blocks, (8 + column_blocks - 1) / column_blocks);
    while (row_blocks > 1 && row_blocks * 24 > rows) row_blocks = (row_blocks + 1) / 2;
  }
  // The same for a right side that is read in place, by panels.
  template <class T>
  product_cut(const product_way<T>& way, const product_problem<T>& p, bool gathers)
      : unit(way.row_unit()), units((p.a.rows + unit - 1) / unit), row_blocks(1), columns(way.tiles->panel) {
    constexpr index size = sizeof(T);
    const index cols = p.b.cols, group = 2 * unit * p.a.cols * std::min(columns, cols) * size;
    if (const index whole = 2 * p.a.rows * p.a.cols * cols * size; whole < worth_sharing)
      columns = cols;
    else {
      // Panels are packed anew for each block.
      const index least = std::max<index>(worth_a_block / group + 1, gathers ? groups_a_panel : 1);
      row_blocks = std::max<index>(1, (units + least / 2) / least);
      columns *= std::max<index>(1, least / units);
    }
    column_blocks = (cols + columns - 1) / columns;
  }
  index count() const { return row_blocks * column_blocks; }
  index row(index block) const { return units * block / row_blocks * unit; }
  // Calls run(first row, last row, first column, last column) for these blocks: full blocks of rows, then the rest.
  template <class Run>
  void each(index first, index last, index rows, index cols, const Run& run) const {
    while (first < last) {
      const index i = first / column_blocks, j = first % column_blocks;
      if (j == 0 && last - first >= column_blocks) {
        const index n = (last - first) / column_blocks;
        run(row(i), std::min(rows, row(i + n)), 0, cols);
        first += n * column_blocks;
        continue;
      }
      const index until = std::min(column_blocks, j + last - first);
      run(row(i), std::min(rows, row(i + 1)), j * columns, std::min(cols, until * columns));
      first += until - j;
    }
  }
};

}  // namespace

}  // namespace broadloom::runtime
