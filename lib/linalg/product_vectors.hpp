// Products with vectors, in runs of rows, and products so narrow that packing would cost more than the work. Part of
// product.cpp.
#pragma once

#include <cstring>

#include <broadloom/core/isa.hpp>
#include <broadloom/core/simd_vec.hpp>
#include <broadloom/linalg/products.hpp>

#include "lanes.hpp"
#include "product_packing.hpp"
#include "run_kernels.hpp"

namespace broadloom::runtime {

namespace {

// A product with a column: y = a * x.
template <class T>
void multiply_vector(const product_kernels<T>& k, const product_problem<T>& p, const matrix<T>& a, const index* a_loop,
                     const T* x, index x_stride, const index* x_loop, index count) {
  constexpr index run = vector_run, max_added = 16 * run;
  const index runs = (a.rows + run - 1) / run;
  const double operations = 2.0 * static_cast<double>(std::min(run, a.rows)) * static_cast<double>(a.cols);
  struct copies {
    buffer<T> x, a;  // those that are needed
  };
  const auto make_copies = [&] {
    return copies{buffer<T>(x_stride == 1 ? 0 : a.cols), buffer<T>(has_blas_form(a) ? 0 : run * a.cols)};
  };
  thread_scratch all_copies(make_copies);
  const auto run_rows = [&](const copies& own, index first, index last) {
    index added = 0;  // the elements of the current product that have the addend
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
                          : copied(here, own.a.data());
      const T* from = x + at_x;
      if (x_stride != 1) {
        for (index i = 0; i < a.cols; ++i) own.x.data()[i] = from[i * x_stride];
        from = own.x.data();
      }
      T* const y = p.c + at_y + row;
      if (p.addend != nullptr && (number == first || row == 0 || row >= added)) {
        const index n = std::min({max_added, a.rows - row, (last - number) * run});
        const bool down = a.data == p.a.data;  // else y is a row
        p.addend->write(p.addend->object, y, down ? n : 1, down ? 1 : n, down ? 1 : n);
        added = row + n;
      }
      if (!p.accumulate) std::memset(static_cast<void*>(y), 0, static_cast<std::size_t>(rows) * sizeof(T));
      k.matvec(y, as.data, as.stride, as.row_major, rows, a.cols, from, p.alpha);
    }
  };
  in_blocks(count * runs, block_of(operations), p.how,
            [&](index first, index last) { all_copies.lend([&](const copies& own) { run_rows(own, first, last); }); });
}

// Small matrices with a vector each, in runs along the last loop axis.
template <class T>
bool is_small(const product_problem<T>& p, index rows, index depth) {
  return rows <= max_run_size && depth <= max_run_size && !p.accumulate &&
         (p.loop_rank == 0 || p.c_loop[p.loop_rank - 1] == rows);
}
template <class T>
void multiply_small(const product_problem<T>& p, const matrix<T>& a, const index* a_loop, const T* x, index x_stride,
                    const index* x_loop, index count) {
  const int last = p.loop_rank - 1;
  const index inner = last < 0 ? 1 : p.loop[last];
  in_blocks(count, block_of(static_cast<double>(a.rows * a.cols + 4)), p.how, [&](index first, index until) {
    while (first < until) {
      index rest = first, at_a = 0, at_x = 0, at_c = 0;
      for (int i = last; i >= 0; --i) {
        const index at = rest % p.loop[i];
        rest /= p.loop[i];
        at_a += at * a_loop[i];
        at_x += at * x_loop[i];
        at_c += at * p.c_loop[i];
      }
      const index n = std::min(until - first, inner - first % inner);
      small_runs<T>().multiply({{a.data + at_a, last < 0 ? 0 : a_loop[last], a.row_stride, a.col_stride, n},
                                a.rows,
                                a.cols,
                                x + at_x,
                                last < 0 ? 0 : x_loop[last],
                                x_stride,
                                p.alpha,
                                p.c + at_c});
      first += n;
    }
  });
}

// Products with so few terms and columns that packing would cost more than the work: one row of the result at a time,
// in one vector; rows of b are vectors too.
constexpr index max_narrow = 8;

template <class T, int Lanes, int Depth>
void narrow_rows(T* c, const matrix<T>& a, index cols, const T* b, T alpha) {
  // Vectors of the width that every processor has.
  constexpr int width = 16 / sizeof(T), pieces = Lanes / width;
  using vector = detail::simd_vec<T, width>;
  vector row[Depth][pieces];
  for (int k = 0; k < Depth; ++k)
    for (int p = 0; p < pieces; ++p) row[k][p] = detail::load<T, width>(b + k * Lanes + p * width) * alpha;
  const auto write = [&](T* to, index i) __attribute__((always_inline)) {
    const T* const from = a.data + i * a.row_stride;
    vector r[pieces];
    for (int p = 0; p < pieces; ++p) r[p] = row[0][p] * from[0] + vector{};  // the sum begins with 0, so it is never -0
    for (int k = 1; k < Depth; ++k)
      for (int p = 0; p < pieces; ++p) r[p] += row[k][p] * from[k * a.col_stride];
    for (int p = 0; p < pieces; ++p) detail::store<T>(to + p * width, r[p]);
  };
  // A vector extends into rows that are written later; the last rows are written element by element.
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
bool fits_narrow(const product_problem<T>& p) {
  return p.a.cols <= max_narrow && p.b.cols <= max_narrow && p.b.cols > 1 && p.ldc == p.b.cols;
}
template <class T>
bool is_narrow(const product_problem<T>& p) {
  return fits_narrow(p) && !p.accumulate;
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
    T b[max_narrow * max_narrow] = {};
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
  if (p.loop_rank == 0 || p.a.rows > max_narrow || p.b.col_stride != 1 || p.b.row_stride < 0) return false;
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

// The same added to c, through a buffer that stays in the cache: blocks, with a right side packed for each matrix, take
// ten times as long. The bits are theirs: a sum of products from 0 on, then alpha times it added; but where there are
// no fused multiplications, their sums are of two parts.
template <class T>
bool adds_runs(const product_problem<T>& p) {
#if defined(__x86_64__)
  if (active_isa() == isa::base) return false;
#else
  return false;
#endif
  return p.accumulate && p.a.rows > 1 && fits_narrow(p) && is_run(p);
}
template <class T>
void add_runs(const product_problem<T>& p, index count) {
  constexpr index room = 1024;  // elements
  const int last = p.loop_rank - 1;
  const index inner = p.loop[last], rows = p.a.rows, depth = p.a.cols, cols = p.b.cols, size = rows * cols;
  in_blocks(count, block_of(static_cast<double>(rows * (depth + 3) + depth + 4)), p.how, [&](index first, index until) {
    T sums[room];
    while (first < until) {
      const offsets o = offsets_of(p, first);
      const index n = std::min({until - first, inner - first % inner, room / size});
      lanes<T>().multiply({sums, p.a.data + o.a, p.b.data + o.b, p.a_loop[last], p.a.row_stride, p.a.col_stride,
                           p.b_loop[last], p.b.row_stride, rows, depth, cols, n, T(1)});
      lanes<T>().add(p.c + o.c, sums, n * size, p.alpha);
      first += n;
    }
  });
}

}  // namespace

}  // namespace broadloom::runtime
