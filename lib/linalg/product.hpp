// Products of stacks of matrices: of floating and complex numbers on Eigen's block kernel, of integers on their own.
#pragma once

#include <complex>

#include <broadloom/linalg/contraction.hpp>

#include "batch.hpp"

namespace broadloom::runtime {

// One of several products that are added: the addresses of its operands, as offsets in elements.
struct product_term {
  index a, b;
};

// A stack of products c = a * b (or c += alpha * a * b). Loop strides are in elements, those of c too.
template <class T>
struct product_problem {
  int loop_rank = 0;
  index loop[detail::max_loop_axes] = {};
  matrix<T> a{}, b{};
  index a_loop[detail::max_loop_axes] = {}, b_loop[detail::max_loop_axes] = {}, c_loop[detail::max_loop_axes] = {};
  T* c = nullptr;
  index ldc = 0;
  T alpha = 1;
  bool accumulate = false;
  options how;
  const product_addend* addend = nullptr;  // is written to c first, a block at a time
  const product_term* terms = nullptr;     // of a sum of products
  index term_count = 1;
};

struct offsets {
  index a = 0, b = 0, c = 0;
};
template <class T>
offsets offsets_of(const product_problem<T>& p, index number) {
  offsets o;
  for (int i = p.loop_rank - 1; i >= 0; --i) {
    const index at = i == 0 ? number : number % p.loop[i];  // a division takes as long as a small product
    if (i > 0) number /= p.loop[i];
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

// Whether multiply() writes the addend, block by block; if not, the caller writes it first.
template <class T>
bool takes_addend(const product_problem<T>& p);

// Shared out among threads by batch and by blocks of a matrix. The partition depends on the shapes alone.
void multiply(const product_problem<float>& p);
void multiply(const product_problem<double>& p);
void multiply(const product_problem<std::complex<float>>& p);
void multiply(const product_problem<std::complex<double>>& p);
// Of integers, whose sums are taken modulo 2^bits: in any order.
template <class T>
void multiply_integers(const product_problem<T>& p);

// Rows [first, last) of a product without loops, or columns of one with a single row, written to the beginning of p.c.
// The bits are those of the whole.
void multiply_rows(const product_problem<float>& p, index first, index last);
void multiply_rows(const product_problem<double>& p, index first, index last);
void multiply_rows(const product_problem<std::complex<float>>& p, index first, index last);
void multiply_rows(const product_problem<std::complex<double>>& p, index first, index last);

// The matrices with these indices of the first loop axis, written to the beginning of p.c. The bits are those of the
// whole.
void multiply_leading(const product_problem<float>& p, index first, index last);
void multiply_leading(const product_problem<double>& p, index first, index last);
void multiply_leading(const product_problem<std::complex<float>>& p, index first, index last);
void multiply_leading(const product_problem<std::complex<double>>& p, index first, index last);

}  // namespace broadloom::runtime
