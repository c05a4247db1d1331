// How products are cut: large ones into blocks of rows and columns over operands packed once, stacks of small ones into
// runs that keep the packed right side while it is the same matrix, products with vectors into runs of rows.
#include "product.hpp"

#include <broadloom/linalg/products.hpp>

#include <algorithm>
#include <cstring>

#include <broadloom/core/pack.hpp>

#include "blas.hpp"
#include "kernels.hpp"
#include "lanes.hpp"

namespace broadloom::runtime {

namespace {

constexpr index row_block = 192, column_block = 512;
// Right sides of a sum of products are packed together up to this size.
constexpr index most_packed_bytes = index{64} << 20;

// A matrix as the kernels take it: elements next to each other along one axis. Others are copied, once.
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

// Right sides up to this size are read where they lie. Neither rows nor the number of products decide, so a part of
// them has the bits of the whole.
constexpr index most_unpacked = 128 * 128;

template <class T>
struct product_way {
  const product_kernels<T>& k;
  const product_tiles<T>* tiles;  // null: Eigen's kernel
  index depth_block;

  explicit product_way(const product_problem<T>& p) : k(products<T>()), tiles(runtime::tiles<T>()) {
    const index depth = p.a.cols;
    if (tiles == nullptr) {
      depth_block = k.depth_block;
      return;
    }
    // Parts of about the same size.
    const index parts = std::max<index>(1, (depth + tiles->depth_block - 1) / tiles->depth_block);
    depth_block = ((depth + parts - 1) / parts + 7) / 8 * 8;
  }
  index depth_blocks(const product_problem<T>& p) const { return (p.a.cols + depth_block - 1) / depth_block; }
  index packed_columns(index cols) const {
    return tiles == nullptr ? cols : (cols + tiles->unit - 1) / tiles->unit * tiles->unit;
  }
  // Whether this right side is taken where it lies.
  bool in_place(const product_problem<T>& p, const blas_matrix<T>& b) const {
    return tiles != nullptr && b.row_major && packed_columns(p.b.cols) == p.b.cols &&
           p.a.cols * p.b.cols <= most_unpacked;
  }
  // Rows are shared out in whole groups of this many.
  index row_unit() const { return tiles == nullptr ? 12 : tiles->group; }
};

// The packed right side: for each block of the depth, all columns. Parts: blocks of columns of each block of the depth.
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
    T* const here = to + at * way.packed_columns(cols) + j * d;
    if (way.tiles != nullptr)
      way.tiles->pack(here, p.data, p.row_major ? p.stride : 1, p.row_major ? 1 : p.stride, d, n);
    else
      way.k.pack_left(here, p.data, p.stride, p.row_major, d, n);
  }
}

// Elements of a packed right side, so that the next one begins at a whole vector.
template <class T>
index packed_b_size(const product_way<T>& way, const product_problem<T>& p) {
  return (p.a.cols * way.packed_columns(p.b.cols) + 15) / 16 * 16;
}

// The right side as the kernels get it: packed, or where it lies.
template <class T>
struct right_side {
  const T* data;
  index stride;
  bool packed;
};

// Rows so far apart, read for many columns, are brought together: else they would share few places of the caches.
constexpr index most_row_bytes = 16 * 1024 - 1, few_columns = 256;
// Right sides of more bytes are prefetched.
constexpr index most_near = 128 * 1024;

// Rows [first, first + rows) and columns [from, to) of one product, or of a term, by tiles.
template <class T>
void run_tiles(const product_way<T>& way, const product_problem<T>& p, T* c, const blas_matrix<T>& a,
               const right_side<T>& b, T* packed_a, index first, index rows, index from, index to, bool fresh) {
  const index depth = p.a.cols, cols = p.b.cols, group = way.tiles->group;
  for (index at = 0; at < depth; at += way.depth_block) {
    const index d = std::min(way.depth_block, depth - at);
    const auto left = part(a, first, at);
    typename product_tiles<T>::block k{};
    k.c = c + first * p.ldc + from;
    k.ldc = p.ldc;
    k.a = left.data;
    k.a_row = left.stride;
    k.a_col = 1;
    k.b = b.packed ? b.data + at * way.packed_columns(cols) + from * d : b.data + at * b.stride + from;
    k.b_row = b.stride;
    k.depth = d;
    k.rows = rows;
    k.cols = to - from;
    k.alpha = p.alpha;
    k.packed = b.packed;
    k.fresh = fresh && at == 0;
    k.far = b.packed && d * k.cols * static_cast<index>(sizeof(T)) > most_near;
    if (!left.row_major) {
      way.tiles->pack_left(packed_a, left.data, left.stride, d, rows);
      k.a = packed_a;
      k.a_row = 1;
      k.a_col = group;
    } else if (left.stride * static_cast<index>(sizeof(T)) > most_row_bytes && k.cols > few_columns) {
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

// Rows [first, last) and columns [from, to) of one product, its right side packed; of several of the terms of a sum, as
// many packed right sides follow each other. Zeros or the addend are written where the first of them is.
template <class T>
void run_block(const product_way<T>& way, const product_problem<T>& p, T* c, const blas_matrix<T>& a,
               const right_side<T>& b, T* packed_a, index first, index last, index from, index to, index first_term = 0,
               index last_term = 1) {
  const auto& k = way.k;
  const index depth = p.a.cols, cols = p.b.cols;
  if (!p.accumulate && first_term == 0 && way.tiles == nullptr)
    for (index i = first; i < last; ++i)
      std::memset(static_cast<void*>(c + i * p.ldc + from), 0, static_cast<std::size_t>(to - from) * sizeof(T));
  index rows_each = row_block;
  if (const index all = last - first; all > row_block) {
    // Parts of about the same size.
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
        run_tiles(way, p, c, left, {right, b.stride, b.packed}, packed_a, i, rows, from, to,
                  !p.accumulate && term == 0);
        continue;
      }
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

// How a large product is cut: into blocks of rows, as many as keep several threads at work, and blocks of columns.
struct product_cut {
  index unit, units, row_blocks, column_blocks;
  // Rows are taken in whole units.
  product_cut(index row_unit, index rows, index depth, index cols)
      : unit(row_unit), units((rows + row_unit - 1) / row_unit), row_blocks((rows + row_block - 1) / row_block) {
    column_blocks = (cols + column_block - 1) / column_block;
    const double operations = 2.0 * static_cast<double>(rows) * static_cast<double>(depth) * static_cast<double>(cols);
    if (operations >= 2e6) row_blocks = std::max(row_blocks, (8 + column_blocks - 1) / column_blocks);
    while (row_blocks > 1 && row_blocks * 24 > rows) row_blocks = (row_blocks + 1) / 2;
  }
  index count() const { return row_blocks * column_blocks; }
  index row(index block) const { return units * block / row_blocks * unit; }
  // run(first row, last row, first column, last column) for these blocks: rows as long as they are, then the rest.
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
      run(row(i), std::min(rows, row(i + 1)), j * column_block, std::min(cols, until * column_block));
      first += until - j;
    }
  }
};

template <class T>
index packed_a_size(const product_way<T>& way, const product_problem<T>& p) {
  // Whole groups of rows.
  return std::min(row_block, (p.a.rows + 11) / 12 * 12) * std::min(way.depth_block, p.a.cols);
}

struct offsets {
  index a = 0, b = 0, c = 0;
};
template <class T>
offsets offsets_of(const product_problem<T>& p, index number) {
  offsets o;
  for (int i = p.loop_rank - 1; i >= 0; --i) {
    const index at = number % p.loop[i];
    number /= p.loop[i];
    o.a += at * p.a_loop[i];
    o.b += at * p.b_loop[i];
    o.c += at * p.c_loop[i];
  }
  return o;
}

template <class T>
index loop_count(const product_problem<T>& p) {
  index n = 1;
  for (int i = 0; i < p.loop_rank; ++i) n *= p.loop[i];
  return n;
}

// One product after the other, each shared out over threads.
template <class T>
void multiply_large(const product_problem<T>& p, index count) {
  const product_way<T> way(p);
  const index depth = p.a.cols, rows = p.a.rows, cols = p.b.cols;
  const bool in_place = has_blas_form(p.b) && way.in_place(p, blas_form(p.b));
  buffer<T> packed_b(in_place ? 0 : packed_b_size(way, p));
  buffer<T> copy_a(has_blas_form(p.a) ? 0 : rows * depth), copy_b(has_blas_form(p.b) ? 0 : depth * cols);
  const T* last_b = nullptr;
  // A BLAS has threads of its own, so only where this call may have several.
  const bool by_blas =
      p.how.threads != 1 && static_cast<double>(rows) * static_cast<double>(depth) * static_cast<double>(cols) >= 5e7;
  const product_cut cut(way.row_unit(), rows, depth, cols);
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
      in_blocks(pack_parts(way, p), 1, p.how,
                [&](index first, index last) { pack_b(way, packed_b.data(), as, depth, cols, first, last); });
      last_b = b.data;
    }
    const right_side<T> right =
        in_place ? right_side<T>{b.data, blas_form(b).stride, false} : right_side<T>{packed_b.data(), 0, true};
    const auto as = has_blas_form(a) ? blas_form(a) : copied(a, copy_a.data());
    in_blocks(cut.count(), 1, p.how, [&](index first, index last) {
      buffer<T> packed_a(packed_a_size(way, p));
      cut.each(first, last, rows, cols, [&](index i, index until, index from, index to) {
        run_block(way, p, p.c + o.c, as, right, packed_a.data(), i, until, from, to);
      });
    });
  }
}

// A sum of products, in one pass over the result for as many terms as are packed at a time.
template <class T>
void multiply_summed(const product_problem<T>& p) {
  const product_way<T> way(p);
  const index depth = p.a.cols, rows = p.a.rows, cols = p.b.cols, each = packed_b_size(way, p);
  const index most = std::max<index>(1, most_packed_bytes / (each * static_cast<index>(sizeof(T))));
  buffer<T> packed_b(std::min(most, p.term_count) * each);
  const product_cut cut(way.row_unit(), rows, depth * p.term_count, cols);
  const auto a = blas_form(p.a), b = blas_form(p.b);
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
      buffer<T> packed_a(packed_a_size(way, p));
      cut.each(first, last, rows, cols, [&](index i, index end, index from, index to) {
        run_block(way, p, p.c, a, {packed_b.data(), 0, true}, packed_a.data(), i, end, from, to, at, until);
      });
    });
  }
}

// Runs of products, each by one thread. Axes along which the right side is the same are innermost.
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
  in_blocks(count, block_of(operations / 8), p.how, [&](index first, index last) {
    const bool copy_a = !has_blas_form(q.a), copy_b = !has_blas_form(q.b);
    const bool in_place = !copy_b && way.in_place(q, blas_form(q.b));
    buffer<T> packed_a(packed_a_size(way, q)), packed_b(in_place ? 0 : packed_b_size(way, q)),
        own_a(copy_a ? rows * depth : 0), own_b(copy_b ? depth * cols : 0);
    const T* last_b = nullptr;
    for (index number = first; number < last; ++number) {
      const offsets o = offsets_of(q, number);
      matrix<T> a = q.a, b = q.b;
      a.data += o.a;
      b.data += o.b;
      if (b.data != last_b && !in_place) {
        pack_b(way, packed_b.data(), copy_b ? copied(b, own_b.data()) : blas_form(b), depth, cols, 0,
               pack_parts(way, p));
        last_b = b.data;
      }
      const right_side<T> right =
          in_place ? right_side<T>{b.data, blas_form(b).stride, false} : right_side<T>{packed_b.data(), 0, true};
      run_block(way, q, q.c + o.c, copy_a ? copied(a, own_a.data()) : blas_form(a), right, packed_a.data(), 0, rows, 0,
                cols);
    }
  });
}

// A product with a column: y = a * x.
template <class T>
void multiply_vector(const product_kernels<T>& k, const product_problem<T>& p, const matrix<T>& a, const index* a_loop,
                     const T* x, index x_stride, const index* x_loop, index count) {
  constexpr index run = vector_run, most_added = 16 * run;
  const index runs = (a.rows + run - 1) / run;
  const double operations = 2.0 * static_cast<double>(std::min(run, a.rows)) * static_cast<double>(a.cols);
  in_blocks(count * runs, block_of(operations), p.how, [&](index first, index last) {
    buffer<T> own_x(x_stride == 1 ? 0 : a.cols), own_a(has_blas_form(a) ? 0 : run * a.cols);
    index added = 0;  // of the current product, the elements that the addend was written to
    for (index number = first; number < last; ++number) {
      const index row = number % runs * run, rows = std::min(run, a.rows - row);
      index rest = number / runs;
      index at_a = 0, at_x = 0, at_y = 0;
      for (int i = p.loop_rank - 1; i >= 0; --i) {
        const index at = rest % p.loop[i];
        rest /= p.loop[i];
        at_a += at * a_loop[i];
        at_x += at * x_loop[i];
        at_y += at * p.c_loop[i];
      }
      const matrix<T> here{a.data + at_a + row * a.row_stride, rows, a.cols, a.row_stride, a.col_stride};
      const auto as = has_blas_form(a)
                          ? (here.col_stride == 1 || here.cols <= 1 ? blas_matrix<T>{here.data, here.row_stride, true}
                                                                    : blas_form(here))
                          : copied(here, own_a.data());
      const T* from = x + at_x;
      if (x_stride != 1) {
        for (index i = 0; i < a.cols; ++i) own_x.data()[i] = from[i * x_stride];
        from = own_x.data();
      }
      T* const y = p.c + at_y + row;
      if (p.addend != nullptr && (number == first || row == 0 || row >= added)) {
        const index n = std::min({most_added, a.rows - row, (last - number) * run});
        const bool down = a.data == p.a.data;  // else y is a row
        p.addend->write(p.addend->object, y, down ? n : 1, down ? 1 : n, down ? 1 : n);
        added = row + n;
      }
      if (!p.accumulate) std::memset(static_cast<void*>(y), 0, static_cast<std::size_t>(rows) * sizeof(T));
      k.matvec(y, as.data, as.stride, as.row_major, rows, a.cols, from, p.alpha);
    }
  });
}

// Products with so few terms and columns that packing would cost more than the work: a row of the result at a time, in
// one vector, b's rows in vectors too.
constexpr index most_narrow = 8;

template <class T, int Lanes, int Depth>
void narrow_rows(T* c, const matrix<T>& a, index cols, const T* b, T alpha) {
  // Vectors of the width that every processor has.
  constexpr int width = 16 / sizeof(T), pieces = Lanes / width;
  using vector = detail::pack<T, width>;
  vector row[Depth][pieces];
  for (int k = 0; k < Depth; ++k)
    for (int p = 0; p < pieces; ++p) row[k][p] = detail::load<T, width>(b + k * Lanes + p * width) * alpha;
  const auto write = [&](T* to, index i) __attribute__((always_inline)) {
    const T* const from = a.data + i * a.row_stride;
    vector r[pieces];
    for (int p = 0; p < pieces; ++p) r[p] = row[0][p] * from[0];
    for (int k = 1; k < Depth; ++k)
      for (int p = 0; p < pieces; ++p) r[p] += row[k][p] * from[k * a.col_stride];
    for (int p = 0; p < pieces; ++p) detail::store<T>(to + p * width, r[p]);
  };
  // A vector reaches into rows that are written after it; the last ones are written element by element.
  const index reach = Lanes / cols, whole = a.rows > reach ? a.rows - reach : 0;
  index i = 0;
  for (; i < whole; ++i) write(c + i * cols, i);
  for (; i < a.rows; ++i) {
    T last[Lanes];
    write(last, i);
    for (index j = 0; j < cols; ++j) c[i * cols + j] = last[j];
  }
}
template <class T>
using narrow_fn = void (*)(T*, const matrix<T>&, index, const T*, T);
template <class T, int Lanes>
narrow_fn<T> narrow_of(index depth) {
  constexpr narrow_fn<T> list[] = {narrow_rows<T, Lanes, 1>, narrow_rows<T, Lanes, 2>, narrow_rows<T, Lanes, 3>,
                                   narrow_rows<T, Lanes, 4>, narrow_rows<T, Lanes, 5>, narrow_rows<T, Lanes, 6>,
                                   narrow_rows<T, Lanes, 7>, narrow_rows<T, Lanes, 8>};
  return list[depth - 1];
}

template <class T>
bool is_narrow(const product_problem<T>& p) {
  return p.a.cols <= most_narrow && p.b.cols <= most_narrow && p.b.cols > 1 && p.ldc == p.b.cols && !p.accumulate;
}

template <class T>
void multiply_narrow(const product_problem<T>& p, index count) {
  const index depth = p.a.cols, cols = p.b.cols, lanes = cols <= 4 ? 4 : 8;
  const auto narrow = cols <= 4 ? narrow_of<T, 4>(depth) : narrow_of<T, 8>(depth);
  const auto& level = runtime::lanes<T>();
  const bool fits = p.a.col_stride == 1 && p.a.row_stride == depth && std::max(depth, cols) <= level.lanes;
  const auto by_vectors = fits ? level.multiply_rows : nullptr;
  const auto run = [&](T* c, const matrix<T>& a, const T* b) {
    if (by_vectors != nullptr)
      by_vectors(c, a.data, a.rows, depth, cols, b, lanes, p.alpha);
    else
      narrow(c, a, cols, b, p.alpha);
  };
  constexpr index rows_at_once = 4096;
  const index parts = (p.a.rows + rows_at_once - 1) / rows_at_once;
  const double operations = 2.0 * static_cast<double>(std::min(rows_at_once, p.a.rows) * depth * lanes);
  in_blocks(count * parts, block_of(operations / 4), p.how, [&](index first, index last) {
    T b[most_narrow * most_narrow] = {};
    const T* last_b = nullptr;
    for (index number = first; number < last; ++number) {
      const offsets o = offsets_of(p, number / parts);
      const index row = number % parts * rows_at_once;
      const T* const from = p.b.data + o.b;
      if (from != last_b)
        for (index k = 0; k < depth; ++k)
          for (index j = 0; j < cols; ++j) b[k * lanes + j] = from[k * p.b.row_stride + j * p.b.col_stride];
      last_b = from;
      const index rows = std::min(rows_at_once, p.a.rows - row);
      const matrix<T> a{p.a.data + o.a + row * p.a.row_stride, rows, depth, p.a.row_stride, p.a.col_stride};
      T* const c = p.c + o.c + row * cols;
      run(c, a, b);
    }
  });
}

// Stacks of small products whose right sides differ, in runs along the last loop axis.
template <class T>
bool is_run(const product_problem<T>& p) {
  if (p.loop_rank == 0 || p.a.rows > most_narrow || p.b.col_stride != 1 || p.b.row_stride < 0) return false;
  const int last = p.loop_rank - 1;
  const index lanes = p.b.cols <= 4 ? 4 : 8;
  return p.loop[last] >= 4 && p.b_loop[last] >= lanes - p.b.cols && p.b_loop[last] > 0 &&
         p.c_loop[last] == p.a.rows * p.b.cols;
}
template <class T>
void multiply_runs(const product_problem<T>& p, index count) {
  const int last = p.loop_rank - 1;
  const index inner = p.loop[last], rows = p.a.rows, depth = p.a.cols, cols = p.b.cols;
  in_blocks(count, block_of(static_cast<double>(rows * (depth + 2) + depth + 4)), p.how, [&](index first, index until) {
    while (first < until) {
      const offsets o = offsets_of(p, first);
      const index n = std::min(until - first, inner - first % inner);
      lanes<T>().multiply({p.c + o.c, p.a.data + o.a, p.b.data + o.b, p.a_loop[last], p.a.row_stride, p.a.col_stride,
                           p.b_loop[last], p.b.row_stride, rows, depth, cols, n, p.alpha});
      first += n;
    }
  });
}

template <class T>
void multiply_as(product_problem<T> p) {
  const auto& k = products<T>();
  const index count = loop_count(p), rows = p.a.rows, cols = p.b.cols, depth = p.a.cols;
  if (count == 0 || rows == 0 || cols == 0) return;
  if (p.terms != nullptr &&
      (count > 1 || rows == 1 || cols == 1 || depth == 0 || has_blas() || !has_blas_form(p.a) || !has_blas_form(p.b))) {
    product_problem<T> one = p;
    one.terms = nullptr;
    for (index term = 0; term < p.term_count; ++term) {
      one.a.data = p.a.data + p.terms[term].a;
      one.b.data = p.b.data + p.terms[term].b;
      multiply_as(one);
      one.accumulate = true;
      one.addend = nullptr;
    }
    return;
  }
  if (depth == 0) {
    if (!p.accumulate)
      for (index number = 0; number < count; ++number)
        for (index i = 0; i < rows; ++i)
          std::memset(static_cast<void*>(p.c + offsets_of(p, number).c + i * p.ldc), 0,
                      static_cast<std::size_t>(cols) * sizeof(T));
    return;
  }
  if (rows == 1 && cols == 1) {
    in_blocks(count, block_of(2.0 * static_cast<double>(depth)), p.how, [&](index first, index last) {
      for (index number = first; number < last; ++number) {
        const offsets o = offsets_of(p, number);
        const T x = p.alpha * k.dot(p.a.data + o.a, p.a.col_stride, p.b.data + o.b, p.b.row_stride, depth);
        T& to = p.c[o.c];
        to = p.accumulate ? to + x : x;
      }
    });
    return;
  }
  if (p.terms != nullptr) return multiply_summed(p);
  if (cols == 1 && p.ldc == 1) return multiply_vector(k, p, p.a, p.a_loop, p.b.data, p.b.row_stride, p.b_loop, count);
  if (rows == 1) return multiply_vector(k, p, p.b.transposed(), p.b_loop, p.a.data, p.a.col_stride, p.a_loop, count);
  if constexpr (!detail::is_complex_type<T>)
    if (is_narrow(p)) return is_run(p) ? multiply_runs(p, count) : multiply_narrow(p, count);
  const double operations = 2.0 * static_cast<double>(rows) * static_cast<double>(depth) * static_cast<double>(cols);
  if (count >= 8 && operations <= 4e7)
    multiply_many(p, count);
  else
    multiply_large(p, count);
}

// Stacks whose right side is one matrix and whose rows go on from one matrix to the next are one tall matrix.
template <class T>
product_problem<T> merged(product_problem<T> p) {
  while (p.loop_rank > 0) {
    const int last = p.loop_rank - 1;
    if (p.loop[last] == 1) {
      --p.loop_rank;
      continue;
    }
    if (p.b_loop[last] != 0 || p.a_loop[last] != p.a.rows * p.a.row_stride || p.c_loop[last] != p.a.rows * p.ldc ||
        p.a.row_stride <= 0)
      break;
    p.a.rows *= p.loop[last];
    --p.loop_rank;
  }
  return p;
}

// Eigen's kernel takes rows in fours and the last ones singly, with other roundings: blocks begin at whole fours. So do
// products with a column, in runs.
template <class T>
void multiply_rows_as(const product_problem<T>& p, index first, index last) {
  constexpr index group = 4;
  const product_way<T> way(p);
  const index depth = p.a.cols, cols = p.b.cols;
  if (p.terms != nullptr) {
    product_problem<T> one = p;
    one.terms = nullptr;
    for (index term = 0; term < p.term_count; ++term) {
      one.a.data = p.a.data + p.terms[term].a;
      one.b.data = p.b.data + p.terms[term].b;
      multiply_rows_as(one, first, last);
      one.accumulate = true;
    }
    return;
  }
  if (p.a.rows == 1 && cols > 1) {
    // Columns of the only row: as rows of the transposed product.
    product_problem<T> across = p;
    across.a = p.b.transposed();
    across.b = p.a.transposed();
    across.ldc = 1;
    return multiply_rows_as(across, first, last);
  }
  const bool vector = cols == 1 && p.ldc == 1;
  const index each = vector ? vector_run : group;
  index from = first / each * each;
  const index until = std::min(p.a.rows, (last + each - 1) / each * each);
  // One row by itself could be taken for one that lies in a piece.
  if (vector && until - from == 1 && from > 0) from -= each;
  const bool whole = from == first && until == last;
  product_problem<T> part = p;
  part.a.data += from * p.a.row_stride;
  part.a.rows = until - from;
  part.ldc = cols;
  // Rows beside the wanted ones are computed elsewhere.
  buffer<T> own(whole ? 0 : part.a.rows * cols);
  T* const c = whole ? p.c : own.data();
  const auto wanted_bytes = static_cast<std::size_t>((last - first) * cols) * sizeof(T);
  if (!whole && p.accumulate) {
    std::memset(static_cast<void*>(c), 0, static_cast<std::size_t>(part.a.rows * cols) * sizeof(T));
    std::memcpy(static_cast<void*>(c + (first - from) * cols), p.c, wanted_bytes);
  }
  const auto hand_over = [&] {
    if (!whole) std::memcpy(static_cast<void*>(p.c), c + (first - from) * cols, wanted_bytes);
  };
  if (vector) {
    part.c = c;
    multiply_vector(way.k, part, part.a, part.a_loop, part.b.data, part.b.row_stride, part.b_loop, 1);
    return hand_over();
  }
  const bool in_place = has_blas_form(p.b) && way.in_place(p, blas_form(p.b));
  buffer<T> packed_b(in_place ? 0 : packed_b_size(way, p)), packed_a(packed_a_size(way, p));
  buffer<T> copy_a(has_blas_form(p.a) ? 0 : (until - from) * depth), copy_b(has_blas_form(p.b) ? 0 : depth * cols);
  if (!in_place)
    pack_b(way, packed_b.data(), has_blas_form(p.b) ? blas_form(p.b) : copied(p.b, copy_b.data()), depth, cols, 0,
           pack_parts(way, p));
  const right_side<T> right =
      in_place ? right_side<T>{p.b.data, blas_form(p.b).stride, false} : right_side<T>{packed_b.data(), 0, true};
  run_block(way, part, c, has_blas_form(p.a) ? blas_form(part.a) : copied(part.a, copy_a.data()), right,
            packed_a.data(), 0, part.a.rows, 0, cols);
  hand_over();
}

// Matrices [first, last) of the leading loop axis, with the bits of the whole: one tall matrix stays one.
template <class T>
void multiply_leading_as(const product_problem<T>& p, index first, index last) {
  product_problem<T> part = p;
  const product_problem<T> whole = merged(p);
  if (whole.loop_rank == 0 && whole.a.rows != p.a.rows && whole.a.rows % p.loop[0] == 0 && !is_narrow(whole)) {
    const index each = whole.a.rows / p.loop[0];
    return multiply_rows_as(whole, first * each, last * each);
  }
  part.loop[0] = last - first;
  part.a.data += first * p.a_loop[0];
  part.b.data += first * p.b_loop[0];
  multiply_as(merged(part));
}

}  // namespace

template <class T>
bool takes_addend(const product_problem<T>& p) {
  return p.a.cols > 0 && (p.a.rows > 1 || p.b.cols > 1) && !has_blas();
}
template bool takes_addend(const product_problem<float>& p);
template bool takes_addend(const product_problem<double>& p);
template bool takes_addend(const product_problem<std::complex<float>>& p);
template bool takes_addend(const product_problem<std::complex<double>>& p);

void multiply_rows(const product_problem<float>& p, index first, index last) { multiply_rows_as(p, first, last); }
void multiply_rows(const product_problem<double>& p, index first, index last) { multiply_rows_as(p, first, last); }
void multiply_rows(const product_problem<std::complex<float>>& p, index first, index last) {
  multiply_rows_as(p, first, last);
}
void multiply_rows(const product_problem<std::complex<double>>& p, index first, index last) {
  multiply_rows_as(p, first, last);
}

void multiply_leading(const product_problem<float>& p, index first, index last) { multiply_leading_as(p, first, last); }
void multiply_leading(const product_problem<double>& p, index first, index last) {
  multiply_leading_as(p, first, last);
}
void multiply_leading(const product_problem<std::complex<float>>& p, index first, index last) {
  multiply_leading_as(p, first, last);
}
void multiply_leading(const product_problem<std::complex<double>>& p, index first, index last) {
  multiply_leading_as(p, first, last);
}

index product_rows(const index* extents, int rank, index depth, bool vector) {
  if (vector) {
    for (; rank > 1 && extents[0] == 1; --rank) ++extents;
    index all = 1;
    for (int i = 0; i < rank; ++i) all *= extents[i];
    if (all < 128 * vector_run || depth < 1) return -1;
    return std::max<index>(1, 16 * vector_run / (all / extents[0]));
  }
  // The leading axis is the first that is not 1.
  for (; rank > 2 && extents[0] == 1; --rank) ++extents;
  const index rows = extents[rank - 2], cols = extents[rank - 1];
  if (rank > 2) {
    // Matrices of a stack: as many as make a block of rows.
    index all = rows;
    for (int i = 0; i < rank - 2; ++i) all *= extents[i];
    if (all < 2 * row_block || cols < 2 || depth < 1 || (depth <= most_narrow && cols <= most_narrow)) return -1;
    const index rows_each = all / extents[0];
    return rows_each >= 512 ? 1 : (512 + rows_each - 1) / rows_each;
  }
  // Below this there is nothing to win: the result stays in cache, or packing the right side again costs too much.
  if (rows < 2 * row_block || cols < 2 || depth < 1 || (depth <= most_narrow && cols <= most_narrow)) return -1;
  const index eighth = rows / 8 / 4 * 4;
  return eighth < row_block ? row_block : eighth > 512 ? 512 : eighth;
}

void multiply(const product_problem<float>& p) { multiply_as(merged(p)); }
void multiply(const product_problem<double>& p) { multiply_as(merged(p)); }
void multiply(const product_problem<std::complex<float>>& p) { multiply_as(merged(p)); }
void multiply(const product_problem<std::complex<double>>& p) { multiply_as(merged(p)); }

}  // namespace broadloom::runtime
