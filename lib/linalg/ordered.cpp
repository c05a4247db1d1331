// Sums of products in one fixed order, by strips of columns of the result. The sums of a strip stay in a buffer from
// the first product to the last.
#include "ordered.hpp"

#include <algorithm>

#include <broadloom/fn/lanes.hpp>

namespace broadloom::runtime {

namespace {

// The rows of a strip, and how much of the depth is packed together: at most 24 and 32 KiB of the stack.
constexpr index rows_at_most = 96, depth_at_most = 128, widest_strip = 32;

// One product of the stack; its rows may be the columns of the result.
template <class T>
struct ordered_product {
  matrix<T> a, b;
  T* c;
  index c_row, c_col;
};

// Columns [first, first + cols) and rows [at, at + depth) of b; zeros beyond the last column.
template <class T>
void pack_strip(detail::real_of<T>* to, const ordered_kernels<T>& k, const matrix<T>& b, index at, index depth,
                index first, index cols) {
  for (index i = 0; i < depth; ++i, to += k.strip) {
    const T* const from = b.data + (at + i) * b.row_stride + first * b.col_stride;
    if constexpr (detail::is_complex_type<T>)
      for (index j = 0; j < k.columns; ++j) {
        to[j] = j < cols ? from[j * b.col_stride].real() : 0;
        to[k.columns + j] = j < cols ? from[j * b.col_stride].imag() : 0;
      }
    else
      for (index j = 0; j < k.columns; ++j) to[j] = j < cols ? from[j * b.col_stride] : 0;
  }
}

// x times a factor; each product and each sum is rounded.
template <class T>
T scaled(const T& factor, const T& x) {
  using lanes::minus, lanes::plus, lanes::times;
  if (factor == T(1)) return x;
  if constexpr (detail::is_complex_type<T>)
    return {minus(times(factor.real(), x.real()), times(factor.imag(), x.imag())),
            plus(times(factor.real(), x.imag()), times(factor.imag(), x.real()))};
  else
    return times(factor, x);
}

// Writes a sum, times alpha, to the result.
template <class T>
void finish(const product_problem<T>& p, T& to, const T& sum) {
  const T x = scaled(p.alpha, sum);
  to = p.accumulate ? to + x : x;
}

// The factors of a term of the sum.
template <class T>
void begin_term(const product_problem<T>& p, bool across, index term, matrix<T>& a, matrix<T>& b) {
  if (p.terms == nullptr) return;
  a.data += across ? p.terms[term].b : p.terms[term].a;
  b.data += across ? p.terms[term].a : p.terms[term].b;
}

// The only element of a product. The sum begins with -0, which leaves the first product unchanged, even if it is -0.
template <class T>
void run_element(const product_problem<T>& p, const ordered_product<T>& x) {
  using lanes::minus, lanes::plus, lanes::times;
  using R = detail::real_of<T>;
  R re = -R(0), im = -R(0);
  for (index term = 0; term < p.term_count; ++term) {
    matrix<T> a = x.a, b = x.b;
    begin_term(p, false, term, a, b);
    for (index k = 0; k < a.cols; ++k) {
      const T left = a.data[k * a.col_stride], right = b.data[k * b.row_stride];
      if constexpr (detail::is_complex_type<T>) {
        re = plus(re, minus(times(left.real(), right.real()), times(left.imag(), right.imag())));
        im = plus(im, plus(times(left.real(), right.imag()), times(left.imag(), right.real())));
      } else
        re = plus(re, times(left, right));
    }
  }
  if constexpr (detail::is_complex_type<T>)
    finish(p, *x.c, T(re, im));
  else
    finish(p, *x.c, re);
}

// Rows [row, row + rows) and columns [col, col + cols) of the product.
template <class T>
void run_strip(const product_problem<T>& p, const ordered_product<T>& x, bool across, index row, index rows, index col,
               index cols) {
  using R = detail::real_of<T>;
  const ordered_kernels<T>& k = ordered<T>();
  alignas(64) R sums[rows_at_most * widest_strip], packed[depth_at_most * widest_strip];
  std::fill_n(sums, rows * k.strip, -R(0));
  for (index term = 0; term < p.term_count; ++term) {
    matrix<T> a = x.a, b = x.b;
    begin_term(p, across, term, a, b);
    for (index at = 0; at < a.cols; at += depth_at_most) {
      const index depth = std::min(depth_at_most, a.cols - at);
      pack_strip(packed, k, b, at, depth, col, cols);
      k.add(sums, a.data + row * a.row_stride + at * a.col_stride, a.row_stride, a.col_stride, packed, depth, rows);
    }
  }
  for (index i = 0; i < rows; ++i)
    for (index j = 0; j < cols; ++j) {
      const R* const from = sums + i * k.strip + j;
      T& to = x.c[(row + i) * x.c_row + (col + j) * x.c_col];
      if constexpr (detail::is_complex_type<T>)
        finish(p, to, T(from[0], from[k.columns]));
      else
        finish(p, to, *from);
    }
}

template <class T>
void multiply_ordered_as(const product_problem<T>& p) {
  const ordered_kernels<T>& k = ordered<T>();
  // Few columns and more rows are computed as the rows of the transposed product: multiplication commutes.
  const bool across = p.b.cols < k.columns && p.a.rows > p.b.cols;
  const matrix<T> a = across ? p.b.transposed() : p.a, b = across ? p.a.transposed() : p.b;
  index count = 1;
  for (int i = 0; i < p.loop_rank; ++i) count *= p.loop[i];
  const index row_parts = blocks_of(a.rows, rows_at_most), strips = blocks_of(b.cols, k.columns);
  const double operations = 2.0 * static_cast<double>(std::min(a.rows, rows_at_most) * std::min(b.cols, k.columns)) *
                            static_cast<double>(a.cols) * static_cast<double>(p.term_count);
  in_blocks(count * row_parts * strips, block_of(operations / 2), p.how, [&](index first, index last) {
    for (index block = first; block < last; ++block) {
      index number = block / (row_parts * strips);
      const index row = block / strips % row_parts * rows_at_most, col = block % strips * k.columns;
      ordered_product<T> x{a, b, p.c, across ? 1 : p.ldc, across ? p.ldc : 1};
      for (int i = p.loop_rank - 1; i >= 0; --i) {
        const index at = number % p.loop[i];
        number /= p.loop[i];
        x.a.data += at * (across ? p.b_loop[i] : p.a_loop[i]);
        x.b.data += at * (across ? p.a_loop[i] : p.b_loop[i]);
        x.c += at * p.c_loop[i];
      }
      if (a.rows == 1 && b.cols == 1)
        run_element(p, x);
      else
        run_strip(p, x, across, row, std::min(rows_at_most, a.rows - row), col, std::min(k.columns, b.cols - col));
    }
  });
}

}  // namespace

void multiply_ordered(const product_problem<float>& p) { multiply_ordered_as(p); }
void multiply_ordered(const product_problem<double>& p) { multiply_ordered_as(p); }
void multiply_ordered(const product_problem<std::complex<float>>& p) { multiply_ordered_as(p); }
void multiply_ordered(const product_problem<std::complex<double>>& p) { multiply_ordered_as(p); }

}  // namespace broadloom::runtime
