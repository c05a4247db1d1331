// The operands of products as the kernels read them; right sides, packed once, and the offsets of those of a stack.
// Part of product.cpp.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "kernels.hpp"
#include "product.hpp"

namespace broadloom::runtime {

namespace {

constexpr index row_block = 192, column_block = 512;

// A matrix as the kernels read it: contiguous along one axis. Other matrices are copied, once.
template <class T>
struct blas_matrix {
  const T* data;
  index stride;
  bool row_major;
};

template <class T>
bool has_blas_form(const matrix<T>& m) {
  return m.col_stride == 1 || m.row_stride == 1 || m.cols <= 1 || m.rows <= 1;
}
template <class T>
blas_matrix<T> blas_form(const matrix<T>& m) {
  if (m.col_stride == 1 || m.cols <= 1) return {m.data, m.rows <= 1 ? m.cols : m.row_stride, true};
  if (m.row_stride == 1 || m.rows <= 1) return {m.data, m.cols <= 1 ? m.rows : m.col_stride, false};
  return {nullptr, 0, true};
}
template <class T>
blas_matrix<T> copied(const matrix<T>& m, T* to) {
  for (index i = 0; i < m.rows; ++i)
    for (index j = 0; j < m.cols; ++j) to[i * m.cols + j] = m(i, j);
  return {to, m.cols, true};
}
template <class T>
blas_matrix<T> part(const blas_matrix<T>& m, index row, index col) {
  return {m.data + (m.row_major ? row * m.stride + col : row + col * m.stride), m.stride, m.row_major};
}

// Right sides up to this size are read in place: they stay in the second-level cache of each thread.
constexpr index max_unpacked_bytes = 512 * 1024;
// These are still packed, a panel at a time, if their rows cross cache lines, or are so far apart that each is on a
// page of its own; but not if a panel stays in the first-level cache, nor for few rows.
constexpr index far_row_bytes = 4096, near_panel_bytes = 16 * 1024, few_groups = 4;
// Rows of the left side that are this far apart and are read for many columns are packed: in place they would share few
// cache sets.
constexpr index max_row_bytes = 16 * 1024 - 1, narrow_columns = 256;

// Complex right sides of fewer elements are not worth packing for tiles.
constexpr index least_complex = 64;

template <class T>
struct product_way {
  const product_kernels<T>& k;
  static constexpr index size = sizeof(T);
  static constexpr bool is_complex = detail::is_complex_type<T>;
  const product_tiles<T>* tiles;  // null: Eigen's kernel
  index depth_block;

  explicit product_way(const product_problem<T>& p) : k(products<T>()), tiles(tiles_for(p)) {
    const index depth = p.a.cols;
    if (tiles == nullptr) {
      depth_block = k.depth_block;
      return;
    }
    // Parts of about equal size.
    const index parts = std::max<index>(1, (depth + tiles->depth_block - 1) / tiles->depth_block);
    depth_block = ((depth + parts - 1) / parts + 7) / 8 * 8;
  }
  index depth_blocks(const product_problem<T>& p) const { return (p.a.cols + depth_block - 1) / depth_block; }
  index packed_columns(index cols) const {
    return tiles == nullptr ? cols : (cols + tiles->unit - 1) / tiles->unit * tiles->unit * packed_each();
  }
  // Elements that one of the right side is packed as.
  index packed_each() const { return is_complex && tiles != nullptr ? 2 : 1; }
  // Whether this right side is read in place.
  bool in_place(const product_problem<T>& p, const blas_matrix<T>& b) const {
    return tiles != nullptr && !is_complex && b.row_major && packed_columns(p.b.cols) == p.b.cols &&
           p.a.cols * p.b.cols * size <= max_unpacked_bytes;
  }
  // Whether the panels of a right side that is read in place are packed, if there are enough rows.
  bool gathers(const product_problem<T>& p, const T* data, index stride) const {
    const auto ends = reinterpret_cast<std::uintptr_t>(data) | static_cast<std::uintptr_t>(stride * size);
    const bool across_lines = ends % static_cast<std::uintptr_t>(tiles->unit * size) != 0;
    return (across_lines || stride * size >= far_row_bytes) && panel_size(p) * size > near_panel_bytes;
  }
  bool may_gather(const product_problem<T>& p, bool packed) const {
    return tiles != nullptr && !packed && p.a.rows >= few_groups * tiles->group &&
           panel_size(p) * size > near_panel_bytes;
  }
  index panel_size(const product_problem<T>& p) const {
    return std::min(tiles->panel, p.b.cols) * std::min(depth_block, p.a.cols);
  }
  // Rows are shared out in whole groups of this many.
  index row_unit() const { return tiles == nullptr ? 12 : tiles->group; }

 private:
  // By the depth and the columns, which parts of a product share.
  static const product_tiles<T>* tiles_for(const product_problem<T>& p) {
    if constexpr (is_complex)
      if (p.alpha.imag() != 0 || p.a.cols * p.b.cols < least_complex) return nullptr;
    return runtime::tiles<T>();
  }
};

// The packed right side: for each block of the depth, all columns. A part is a block of columns of a block of the
// depth.
template <class T>
index pack_parts(const product_way<T>& way, const product_problem<T>& p) {
  return way.depth_blocks(p) * ((p.b.cols + column_block - 1) / column_block);
}
template <class T>
void pack_b(const product_way<T>& way, T* to, const blas_matrix<T>& b, index depth, index cols, index first_part,
            index last_part) {
  const index column_blocks = (cols + column_block - 1) / column_block;
  for (index i = first_part; i < last_part; ++i) {
    const index at = i / column_blocks * way.depth_block, d = std::min(way.depth_block, depth - at);
    const index j = i % column_blocks * column_block, n = std::min(column_block, cols - j);
    const auto p = part(b, at, j);
    T* const here = to + at * way.packed_columns(cols) + j * d * way.packed_each();
    if (way.tiles != nullptr)
      way.tiles->pack(here, p.data, p.row_major ? p.stride : 1, p.row_major ? 1 : p.stride, d, n);
    else
      way.k.pack_left(here, p.data, p.stride, p.row_major, d, n);
  }
}

// Elements of a packed right side, rounded up so that the next one begins at a whole vector.
template <class T>
index packed_b_size(const product_way<T>& way, const product_problem<T>& p) {
  return (p.a.cols * way.packed_columns(p.b.cols) + 15) / 16 * 16;
}

// The right side as the kernels read it: packed, or in place.
template <class T>
struct right_side {
  const T* data;
  index stride;
  bool packed;
};

// The scratch of a thread: for blocks of the left side and for a panel of the right side, if these may be packed.
template <class T>
class block_room {
 public:
  // `a`: the left side as the kernels read it; `packed`: whether the right side is packed.
  block_room(const product_way<T>& way, const product_problem<T>& p, const blas_matrix<T>& a, bool packed)
      // Whole groups of rows.
      : left_(packs_left(way, p, a)
                  ? std::min(row_block, (p.a.rows + 11) / 12 * 12) * std::min(way.depth_block, p.a.cols)
                  : 0),
        panel_(way.may_gather(p, packed) ? way.panel_size(p) : 0) {}
  T* left() const { return left_.data(); }
  T* panel() const { return panel_.data(); }

 private:
  static bool packs_left(const product_way<T>& way, const product_problem<T>& p, const blas_matrix<T>& a) {
    return way.tiles == nullptr || !a.row_major ||
           (a.stride * static_cast<index>(sizeof(T)) > max_row_bytes && p.b.cols > narrow_columns);
  }
  buffer<T> left_, panel_;
};

}  // namespace

}  // namespace broadloom::runtime
