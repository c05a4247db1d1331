// The choice of a method for a product: by blocks, by runs of a stack, as vectors, or narrow. Parts of a product have
// the same bits as the whole.
#include "product.hpp"

#include <algorithm>
#include <cstring>

#include <broadloom/linalg/products.hpp>

#include "../base/scope.hpp"
#include "blas.hpp"
#include "dot_product.hpp"
#include "ordered.hpp"
#include "product_blocks.hpp"
#include "product_stacks.hpp"
#include "product_vectors.hpp"

namespace broadloom::runtime {

namespace {

template <class T>
void multiply_as(product_problem<T> p) {
  const auto& k = products<T>();
  const index count = loop_count(p), rows = p.a.rows, cols = p.b.cols, depth = p.a.cols;
  if (count == 0 || rows == 0 || cols == 0) return;
  if (products_in_force(p.how) == product_order::fixed && depth > 0) return multiply_ordered(p);
  if (p.terms != nullptr &&
      (count > 1 || rows == 1 || cols == 1 || depth == 0 || has_blas() || !has_blas_form(p.a) || !has_blas_form(p.b))) {
    if constexpr (!detail::is_complex_type<T>)
      if (is_tile_sum(p)) return multiply_tile_sum(p);
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
        const T x = p.alpha * dot_product(p.a.data + o.a, p.a.col_stride, p.b.data + o.b, p.b.row_stride, depth, p.how);
        T& to = p.c[o.c];
        to = (p.accumulate ? to : T(0)) + x;
      }
    });
    return;
  }
  if (p.terms != nullptr) return multiply_summed(p);
  if constexpr (!detail::is_complex_type<T>) {
    if (cols == 1 && p.ldc == 1 && is_small(p, rows, depth))
      return multiply_small(p, p.a, p.a_loop, p.b.data, p.b.row_stride, p.b_loop, count);
    if (rows == 1 && is_small(p, cols, depth))
      return multiply_small(p, p.b.transposed(), p.b_loop, p.a.data, p.a.col_stride, p.a_loop, count);
  }
  if (cols == 1 && p.ldc == 1) return multiply_vector(k, p, p.a, p.a_loop, p.b.data, p.b.row_stride, p.b_loop, count);
  if (rows == 1) return multiply_vector(k, p, p.b.transposed(), p.b_loop, p.a.data, p.a.col_stride, p.a_loop, count);
  if constexpr (!detail::is_complex_type<T>) {
    if (is_narrow(p)) return is_run(p) ? multiply_runs(p, count) : multiply_narrow(p, count);
    if (p.addend == nullptr && adds_runs(p)) return add_runs(p, count);
  }
  const double operations = 2.0 * static_cast<double>(rows) * static_cast<double>(depth) * static_cast<double>(cols);
  if (count >= 8 && operations <= 4e7)
    multiply_many(p, count);
  else
    multiply_large(p, count);
}

// If a stack has one right side and the rows continue from matrix to matrix, it is one tall matrix.
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

// Eigen's kernel computes rows in fours and the last ones singly, with other roundings. So blocks begin at a multiple
// of four; and so do the runs of products with a column.
template <class T>
void multiply_rows_as(const product_problem<T>& p, index first, index last) {
  constexpr index group = 4;
  const product_way<T> way(p);
  const index depth = p.a.cols, cols = p.b.cols;
  if (products_in_force(p.how) == product_order::fixed) {
    product_problem<T> part = p;
    const bool across = p.a.rows == 1 && cols > 1;
    (across ? part.b.data : part.a.data) += first * (across ? p.b.col_stride : p.a.row_stride);
    (across ? part.b.cols : part.a.rows) = last - first;
    part.ldc = part.b.cols;
    return multiply_as(part);
  }
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
    // Columns of the only row: computed as rows of the transposed product.
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
  // Alone, one row would be computed as a different kind of product than within a block.
  if (vector && until - from == 1 && from > 0) from -= each;
  const bool whole = from == first && until == last;
  product_problem<T> part = p;
  part.a.data += from * p.a.row_stride;
  part.a.rows = until - from;
  part.ldc = cols;
  // The rows next to the wanted ones are written to a buffer.
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
  buffer<T> packed_b(in_place ? 0 : packed_b_size(way, p));
  buffer<T> copy_a(has_blas_form(p.a) ? 0 : (until - from) * depth), copy_b(has_blas_form(p.b) ? 0 : depth * cols);
  const auto left = has_blas_form(p.a) ? blas_form(part.a) : copied(part.a, copy_a.data());
  const block_room<T> room(way, p, left, !in_place);
  if (!in_place)
    pack_b(way, packed_b.data(), has_blas_form(p.b) ? blas_form(p.b) : copied(p.b, copy_b.data()), depth, cols, 0,
           pack_parts(way, p));
  const right_side<T> right =
      in_place ? right_side<T>{p.b.data, blas_form(p.b).stride, false} : right_side<T>{packed_b.data(), 0, true};
  run_block(way, part, c, left, right, room, 0, part.a.rows, 0, cols);
  hand_over();
}

// Matrices [first, last) of the leading loop axis, with the bits of the whole: what is one tall matrix there is one
// here.
template <class T>
void multiply_leading_as(const product_problem<T>& p, index first, index last) {
  product_problem<T> part = p;
  const product_problem<T> whole = merged(p);
  if (products_in_force(p.how) == product_order::free && whole.loop_rank == 0 && whole.a.rows != p.a.rows &&
      whole.a.rows % p.loop[0] == 0 && !is_narrow(whole)) {
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
  // A block of the addend for each small matrix would cost more than its way through memory.
  if constexpr (!detail::is_complex_type<T>)
    if (p.loop_rank > 0 && adds_runs(p)) return false;
  return p.a.cols > 0 && (p.a.rows > 1 || p.b.cols > 1) && !has_blas() &&
         products_in_force(p.how) == product_order::free;
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
  // The leading axis is the first whose extent is not 1.
  for (; rank > 2 && extents[0] == 1; --rank) ++extents;
  const index rows = extents[rank - 2], cols = extents[rank - 1];
  if (rank > 2) {
    // Matrices of a stack: as many as give a block of rows.
    index all = rows;
    for (int i = 0; i < rank - 2; ++i) all *= extents[i];
    if (all < 2 * row_block || cols < 2 || depth < 1 || (depth <= max_narrow && cols <= max_narrow)) return -1;
    const index rows_each = all / extents[0];
    return rows_each >= 512 ? 1 : (512 + rows_each - 1) / rows_each;
  }
  // Smaller products gain nothing: the result stays in cache, or packing the right side again costs too much.
  if (rows < 2 * row_block || cols < 2 || depth < 1 || (depth <= max_narrow && cols <= max_narrow)) return -1;
  const index eighth = rows / 8 / 4 * 4;
  return eighth < row_block ? row_block : eighth > 512 ? 512 : eighth;
}

void multiply(const product_problem<float>& p) { multiply_as(merged(p)); }
void multiply(const product_problem<double>& p) { multiply_as(merged(p)); }
void multiply(const product_problem<std::complex<float>>& p) { multiply_as(merged(p)); }
void multiply(const product_problem<std::complex<double>>& p) { multiply_as(merged(p)); }

}  // namespace broadloom::runtime
