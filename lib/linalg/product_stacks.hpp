// Several products: large ones one after the other, sums in one pass, stacks of small ones in runs that keep the packed
// right side while it is the same matrix. Part of product.cpp.
#pragma once

#include <cmath>

#include "blas.hpp"
#include "product_blocks.hpp"

namespace broadloom::runtime {

namespace {

// Right sides of a sum of products are packed together up to this size.
constexpr index max_packed_bytes = index{64} << 20;
// Products of less depth are narrow ones.
constexpr index least_depth = 8;

// A product of a real matrix with its own transpose: a row and a column of one number have the same factors in the same
// order, so the tiles give a symmetric result. Only what is left of a block of rows' diagonal is computed, the rest
// copied from there.
template <class T>
class symmetric_product {
 public:
  symmetric_product(const product_way<T>& way, const product_problem<T>& p)
      : panel_(way.tiles != nullptr ? way.tiles->panel : 1),
        rows_(std::clamp<index>(p.a.rows / 8 / 6 * 6, 48, row_block)),
        symmetric_(!detail::is_complex_type<T> && way.tiles != nullptr && loop_count(p) == 1 && !p.accumulate &&
                   p.addend == nullptr && p.a.rows == p.b.cols && p.a.rows >= 2 * rows_ && p.a.data == p.b.data &&
                   p.a.row_stride == p.b.col_stride && p.a.col_stride == p.b.row_stride) {}
  explicit operator bool() const { return symmetric_; }
  // Calls run(first row, last row, first column, last column) for what is computed of these rows and columns.
  template <class Run>
  void each(index first, index last, index from, index to, const Run& run) const {
    if (!symmetric_) return run(first, last, from, to);
    for (index i = first; i < last; i += rows_) {
      const index until = std::min(last, i + rows_), end = std::min(to, end_of(until));
      if (from < end) run(i, until, from, end);
    }
  }
  // The rest of rows that begin and end with a block of each(), or with a shorter one.
  void copy(T* c, index ldc, index first, index last, index cols) const {
    constexpr index side = 16;  // of a square: what it reads and writes stays in the first-level cache
    for (index i = first; i < last; i += side)
      for (index j = i / side * side; j < cols; j += side)
        for (index row = i; row < std::min(last, i + side); ++row)
          for (index column = std::max(j, row + 1); column < std::min(cols, j + side); ++column)
            c[row * ldc + column] = c[column * ldc + row];
  }

 private:
  index end_of(index row) const { return (row + panel_ - 1) / panel_ * panel_; }

  index panel_, rows_;
  bool symmetric_;
};

// One product after the other, each shared out among threads.
template <class T>
void multiply_large(const product_problem<T>& p, index count) {
  const product_way<T> way(p);
  const index depth = p.a.cols, rows = p.a.rows, cols = p.b.cols;
  const bool in_place = has_blas_form(p.b) && way.in_place(p, blas_form(p.b));
  buffer<T> packed_b(in_place ? 0 : packed_b_size(way, p));
  buffer<T> copy_a(has_blas_form(p.a) ? 0 : rows * depth), copy_b(has_blas_form(p.b) ? 0 : depth * cols);
  const T* last_b = nullptr;
  // A BLAS has its own threads, so it is used only if this call may use several.
  const bool by_blas =
      p.how.threads != 1 && static_cast<double>(rows) * static_cast<double>(depth) * static_cast<double>(cols) >= 5e7;
  const auto left = [&](const matrix<T>& a) {
    return has_blas_form(a) ? blas_form(a) : blas_matrix<T>{copy_a.data(), depth, true};
  };
  const auto make_room = [&] { return block_room<T>(way, p, left(p.a), !in_place); };
  thread_scratch rooms(make_room);
  const product_cut cut = in_place ? product_cut(way, p, way.gathers(p, p.b.data, blas_form(p.b).stride))
                                   : product_cut(way.row_unit(), rows, depth, cols);
  const symmetric_product<T> symmetric(way, p);
  // One thread that multiplies a block finds in its cache what it has packed.
  options packing = p.how;
  if (cut.count() == 1) packing.threads = 1;
  for (index number = 0; number < count; ++number) {
    const offsets o = offsets_of(p, number);
    matrix<T> a = p.a, b = p.b;
    a.data += o.a;
    b.data += o.b;
    if (by_blas && has_blas_form(a) && has_blas_form(b)) {
      const auto x = blas_form(a), y = blas_form(b);
      if (multiply_by_blas({rows, cols, depth, p.alpha, x.data, x.stride, x.row_major, y.data, y.stride, y.row_major,
                            p.accumulate, p.c + o.c, p.ldc}))
        continue;
    }
    if (b.data != last_b && !in_place) {
      const auto as = has_blas_form(b) ? blas_form(b) : copied(b, copy_b.data());
      in_blocks(pack_parts(way, p), 1, packing,
                [&](index first, index last) { pack_b(way, packed_b.data(), as, depth, cols, first, last); });
      last_b = b.data;
    }
    const right_side<T> right =
        in_place ? right_side<T>{b.data, blas_form(b).stride, false} : right_side<T>{packed_b.data(), 0, true};
    if (!has_blas_form(a)) copied(a, copy_a.data());
    const auto as = left(a);
    in_blocks(cut.count(), 1, p.how, [&](index first, index last) {
      rooms.lend([&](const block_room<T>& room) {
        cut.each(first, last, rows, cols, [&](index i, index until, index from, index to) {
          symmetric.each(i, until, from, to, [&](index row, index last_row, index column, index last_column) {
            run_block(way, p, p.c + o.c, as, right, room, row, last_row, column, last_column);
          });
        });
      });
    });
    if (symmetric)
      in_blocks(rows, row_block, p.how,
                [&](index first, index last) { symmetric.copy(p.c + o.c, p.ldc, first, last, cols); });
  }
}

// A sum of products, in one pass over the result for as many terms as are packed together.
template <class T>
void multiply_summed(const product_problem<T>& p) {
  const product_way<T> way(p);
  const index depth = p.a.cols, rows = p.a.rows, cols = p.b.cols, each = packed_b_size(way, p);
  const index most = std::max<index>(1, max_packed_bytes / (each * static_cast<index>(sizeof(T))));
  buffer<T> packed_b(std::min(most, p.term_count) * each);
  const product_cut cut(way.row_unit(), rows, depth * p.term_count, cols);
  const auto a = blas_form(p.a), b = blas_form(p.b);
  const auto make_room = [&] { return block_room<T>(way, p, a, true); };
  thread_scratch rooms(make_room);
  for (index at = 0; at < p.term_count; at += most) {
    const index until = std::min(p.term_count, at + most);
    in_blocks(until - at, block_of(4.0 * static_cast<double>(each)), p.how, [&](index first, index last) {
      for (index term = first; term < last; ++term) {
        blas_matrix<T> right = b;
        right.data += p.terms[at + term].b;
        pack_b(way, packed_b.data() + term * each, right, depth, cols, 0, pack_parts(way, p));
      }
    });
    in_blocks(cut.count(), 1, p.how, [&](index first, index last) {
      rooms.lend([&](const block_room<T>& room) {
        cut.each(first, last, rows, cols, [&](index i, index end, index from, index to) {
          run_block(way, p, p.c, a, {packed_b.data(), 0, true}, room, i, end, from, to, at, until);
        });
      });
    });
  }
}

// A sum of products that are one tile each, of operands that no kernel reads where they lie: one read of the operands
// for all terms, a block of the depth at a time, whose sums are then added in the order of terms one after the other.
template <class T>
bool is_tile_sum(const product_problem<T>& p) {
  const product_tiles<T>* const tiles = runtime::tiles<T>();
  return tiles != nullptr && !(has_blas_form(p.a) && has_blas_form(p.b)) && loop_count(p) == 1 && p.a.rows > 1 &&
         p.a.rows <= tiles->group && p.b.cols > 1 && p.b.cols <= tiles->unit && p.a.cols > least_depth && !has_blas();
}
template <class T>
void multiply_tile_sum(const product_problem<T>& p) {
  const product_way<T> way(p);
  const index depth = p.a.cols, rows = p.a.rows, cols = p.b.cols, width = way.tiles->unit, size = rows * width;
  const index each = way.depth_block, blocks = way.depth_blocks(p);
  const buffer<T> sums(blocks * p.term_count * size);
  in_blocks(blocks, block_of(static_cast<double>(each * p.term_count * (rows + width))), p.how,
            [&](index first, index last) {
              const buffer<T> packed(each * width);
              for (index block = first; block < last; ++block)
                for (index term = 0; term < p.term_count; ++term) {
                  const index at = block * each, d = std::min(each, depth - at);
                  way.tiles->pack(packed.data(), p.b.data + p.terms[term].b + at * p.b.row_stride, p.b.row_stride,
                                  p.b.col_stride, d, cols);
                  typename product_tiles<T>::block k{};
                  k.c = sums.data() + (term * blocks + block) * size;
                  k.ldc = width;
                  k.a = p.a.data + p.terms[term].a + at * p.a.col_stride;
                  k.a_row = p.a.row_stride;
                  k.a_col = p.a.col_stride;
                  k.b = packed.data();
                  k.depth = d;
                  k.rows = rows;
                  k.cols = width;
                  k.alpha = 1;
                  k.packed = true;
                  k.fresh = true;
                  way.tiles->multiply(k);
                }
            });
  if (p.addend != nullptr) p.addend->write(p.addend->object, p.c, rows, p.ldc, cols);
  const bool fresh = !p.accumulate;
  for (index number = 0; number < blocks * p.term_count; ++number)
    for (index i = 0; i < rows; ++i)
      for (index j = 0; j < cols; ++j) {
        T& to = p.c[i * p.ldc + j];
        to = std::fma(p.alpha, sums.data()[number * size + i * width + j], fresh && number == 0 ? T(0) : to);
      }
}

// The scratch of a thread for whole products one after the other.
template <class T>
struct product_room {
  block_room<T> blocks;
  buffer<T> packed_b, own_a, own_b;  // those that are needed
};

// Runs of products, each run by one thread. Axes along which the right side is the same are innermost.
template <class T>
void multiply_many(product_problem<T> p, index count) {
  const product_way<T> way(p);
  product_problem<T> q = p;
  int at = 0;
  for (const bool shared : {false, true})
    for (int i = 0; i < p.loop_rank; ++i)
      if ((p.b_loop[i] == 0) == shared) {
        q.loop[at] = p.loop[i];
        q.a_loop[at] = p.a_loop[i];
        q.b_loop[at] = p.b_loop[i];
        q.c_loop[at++] = p.c_loop[i];
      }
  const index depth = p.a.cols, rows = p.a.rows, cols = p.b.cols;
  const double operations = 2.0 * static_cast<double>(rows) * static_cast<double>(depth) * static_cast<double>(cols);
  const bool copy_a = !has_blas_form(q.a), copy_b = !has_blas_form(q.b);
  const bool in_place = !copy_b && way.in_place(q, blas_form(q.b));
  const auto run = [&](const product_room<T>& room, index first, index last) {
    const T* last_b = nullptr;
    for (index number = first; number < last; ++number) {
      const offsets o = offsets_of(q, number);
      matrix<T> a = q.a, b = q.b;
      a.data += o.a;
      b.data += o.b;
      if (b.data != last_b && !in_place) {
        pack_b(way, room.packed_b.data(), copy_b ? copied(b, room.own_b.data()) : blas_form(b), depth, cols, 0,
               pack_parts(way, p));
        last_b = b.data;
      }
      const right_side<T> right =
          in_place ? right_side<T>{b.data, blas_form(b).stride, false} : right_side<T>{room.packed_b.data(), 0, true};
      run_block(way, q, q.c + o.c, copy_a ? copied(a, room.own_a.data()) : blas_form(a), right, room.blocks, 0, rows, 0,
                cols);
    }
  };
  const auto make_room = [&] {
    const blas_matrix<T> left = copy_a ? blas_matrix<T>{nullptr, depth, true} : blas_form(q.a);
    return product_room<T>{block_room<T>(way, q, left, !in_place), buffer<T>(in_place ? 0 : packed_b_size(way, q)),
                           buffer<T>(copy_a ? rows * depth : 0), buffer<T>(copy_b ? depth * cols : 0)};
  };
  thread_scratch rooms(make_room);
  in_blocks(count, block_of(operations / 8), p.how,
            [&](index first, index last) { rooms.lend([&](const product_room<T>& room) { run(room, first, last); }); });
}

}  // namespace

}  // namespace broadloom::runtime
