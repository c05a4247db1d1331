// Functions of stacks: the loop over core arrays, and copies of matrices to and from the column-major memory in which
// factorisations work.
#pragma once

#include <cmath>
#include <complex>
#include <cstddef>
#include <cstring>
#include <limits>

#include "../base/by_type.hpp"
#include "../move/copy.hpp"
#include "batch.hpp"
#include "failure.hpp"
#include "halves.hpp"

namespace broadloom::runtime {

using detail::is_complex_type;
using detail::real_of;

// Calls f.operator()<float>() or another type's, by the element type of the call.
template <class F>
void by_type(const stack_call& c, const F& f) {
  by_type(floating_and_complex_types{}, c.type, f);
}
// A function of stacks of f32, f64, c64 and c128, computed by an expression of T and c.
#define BROADLOOM_STACK_FUNCTION(NAME, ...)      \
  void NAME(const stack_call& c) {               \
    by_type(c, [&]<class T>() { __VA_ARGS__; }); \
  }

// |x|, or for complex numbers |re| + |im|, which is enough to choose a pivot. NaN counts as nothing.
template <class T>
real_of<T> pivot_size(const T& x) {
  if constexpr (is_complex_type<T>)
    return std::abs(x.real()) + std::abs(x.imag());
  else
    return std::abs(x);
}

// The conjugate, of type T.
template <class T>
T conjugated(const T& x) {
  if constexpr (is_complex_type<T>)
    return std::conj(x);
  else
    return x;
}
template <class T>
real_of<T> real_part(const T& x) {
  if constexpr (is_complex_type<T>)
    return x.real();
  else
    return x;
}
template <class T>
constexpr T not_a_number() {
  return T(std::numeric_limits<real_of<T>>::quiet_NaN());
}

// An operand's matrix in core array `number`.
template <class T>
matrix<T> matrix_of(const stack_call& c, int input, index number, index rows, index cols) {
  const stack_input& in = c.inputs[input];
  return {static_cast<const T*>(in.data) + loop_offset(c, in, number), rows, cols, in.core[0], in.core[1]};
}
// An operand's vector, as a matrix of one column.
template <class T>
matrix<T> vector_of(const stack_call& c, int input, index number, index size) {
  const stack_input& in = c.inputs[input];
  return {static_cast<const T*>(in.data) + loop_offset(c, in, number), size, 1, in.core[0], 0};
}
template <class T>
T* result_of(const stack_call& c, int output, index number, index size) {
  return static_cast<T*>(c.outputs[output]) + number * size;
}

// To and from contiguous column-major memory.
template <class T>
void copy_in(T* to, const matrix<T>& m) {
  constexpr int size = sizeof(T);
  gather(to, reinterpret_cast<const std::byte*>(m.data), size, m.cols, m.rows, m.col_stride * size,
         m.row_stride * size);
}
template <class T>
void copy_out(T* to, const T* from, index rows, index cols) {
  copy_in(to, matrix<T>{from, cols, rows, rows, 1});
}
// To a matrix of contiguous rows or columns, and to rows.
template <class T>
void copy_to(const grid<T>& to, const matrix<T>& m) {
  const matrix<T> lines = to.col == 1 ? m.transposed() : m;  // its columns
  const index pitch = to.col == 1 ? to.row : to.col;
  const std::size_t bytes = static_cast<std::size_t>(lines.rows) * sizeof(T);
  if (pitch <= lines.rows) return copy_in(to.data, lines);
  if (lines.row_stride == 1) {
    for (index j = 0; j < lines.cols; ++j)
      std::memcpy(static_cast<void*>(to.data + j * pitch), lines.data + j * lines.col_stride, bytes);
    return;
  }
  copy_in(to.data, lines);
  for (index j = lines.cols - 1; j > 0; --j)
    std::memmove(static_cast<void*>(to.data + j * pitch), to.data + j * lines.rows, bytes);
}
template <class T>
void copy_from(T* to, const matrix<T>& m) {
  copy_in(to, m.transposed());
}
template <class T>
void set_identity(T* to, index rows, index cols) {
  for (index j = 0; j < cols; ++j)
    for (index i = 0; i < rows; ++i) to[j * rows + i] = static_cast<T>(i == j);
}
template <class T>
bool all_finite(const T* x, index n) {
  for (index i = 0; i < n; ++i)
    if (!(x[i] - x[i] == T(0))) return false;
  return true;
}

// How many threads may compute one core array: those of a stack compute several at a time.
inline int threads_within(const stack_call& c) { return c.count() == 1 ? c.how.threads : 1; }

// Calls body(work, number) for every core array, with `work` elements of its thread. A result other than 0 is a
// failure, or the info that the call asks for.
template <class T, class Body>
void each_core(const stack_call& c, double operations, index work, failure what, const Body& body) {
  first_failure failed;
  const index count = c.count(), block = block_of(operations);
  work_memory<T> all(work, blocks_of(count, block), c.how);
  in_blocks(count, block, c.how, [&](index first, index last) {
    const typename work_memory<T>::slot memory(all);
    for (index number = first; number < last; ++number)
      if (const int info = body(memory.data(), number); c.info != nullptr)
        c.info[number] = info;
      else if (info != 0)
        return failed.record(number, info);
  });
  failed.raise(c, what);
}

inline double cube(index n) {
  const auto x = static_cast<double>(n);
  return x * x * x + 50;
}

}  // namespace broadloom::runtime
