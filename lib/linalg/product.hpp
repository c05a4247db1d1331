// Products of stacks of matrices, on Eigen's block kernel.
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

// Whether multiply() writes the addend, block by block; if not, the caller writes it first.
template <class T>
bool takes_addend(const product_problem<T>& p);

// Shared out among threads by batch and by blocks of a matrix. The partition depends on the shapes alone.
void multiply(const product_problem<float>& p);
void multiply(const product_problem<double>& p);
void multiply(const product_problem<std::complex<float>>& p);
void multiply(const product_problem<std::complex<double>>& p);

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
