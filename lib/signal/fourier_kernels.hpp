// Fourier transforms by the lane: one transform in each lane of a vector. What the kernels of an instruction-set level
// do.
#pragma once

#include <broadloom/core/index.hpp>

#include "../base/level.hpp"

namespace broadloom::runtime {

inline constexpr int max_fourier_lanes = 16, max_radix = 31, max_stages = 64;

// The powers w^k, k < n, of w = exp(-2 pi i / n), real and imaginary parts by turns, and the radices whose product is
// n.
template <class T>
struct fourier_table {
  index n = 1;
  const T* roots = nullptr;
  int stages = 0;
  int radix[max_stages] = {};
};

// Where the elements of each lane lie: the real part of element k at at[lane] + k * step, its imaginary part
// `imaginary` behind that; 0: there is none. `active` lanes are written, all are read.
template <class P>
struct fourier_lines {
  P at[max_fourier_lanes];
  int active;
  index step, imaginary;
  bool swapped;  // real and imaginary parts change places: a transform of swapped parts, swapped, is the inverse one
};

// An element of lane memory is `lanes` real parts and as many imaginary ones.
template <class T>
struct fourier_kernels {
  int lanes;
  // The transforms of n elements in x, in x or in y, which is as long; returns where they are.
  T* (*transform)(const fourier_table<T>& t, T* x, T* y);
  void (*load)(T* to, const fourier_lines<const T*>& from, index count);
  void (*store)(const fourier_lines<T*>& to, const T* from, index count, T scale);
  // Elements times the numbers of a table, one for all lanes. Parts of x, or of the products, are swapped.
  void (*multiply)(T* x, const T* table, index count, bool swap_before, bool swap_after);
  // Element k times coarse[k / block] * fine[k % block], which have numbers of their own for each lane.
  void (*twist)(T* x, const T* coarse, const T* fine, index count, index block);
  // Of the transforms z of h elements x[2 k] + i x[2 k + 1], those of the 2 h real elements x: h + 1 of them. roots:
  // the powers of exp(-2 pi i / 2 h). sign -1: their conjugates.
  void (*to_real)(T* to, const T* z, const T* roots, index h, T sign);
  // The way back, for an inverse transform: twice z of the h + 1 elements, or of their conjugates, with swapped parts.
  void (*from_real)(T* z, const T* from, const T* roots, index h, T sign);
};
BROADLOOM_REAL_LEVELS(all, fourier_kernels, kernels_of_fourier)

}  // namespace broadloom::runtime
