// What compiled code is given for Fourier transforms along one axis.
#pragma once

#include <broadloom/core/api.hpp>
#include <broadloom/plan/problem.hpp>

namespace broadloom::runtime {

enum class fourier_kind : unsigned char { complex, to_half, from_half };  // fft, rfft, irfft

struct fourier_call {
  const void* data;  // elements of `type`, extents and strides of `rank` axes
  dtype type;
  int rank, axis;
  const index* extents;
  const index* strides;
  void* out;  // row-major; the axis has n elements, or n / 2 + 1 of to_half
  index n;    // the length of the transform: the operand is cut off or filled up with 0
  fourier_kind kind;
  bool inverse;  // exp(+ 2 pi i j k / n)
  double scale;
  options how;
};

BROADLOOM_API void fourier(const fourier_call& call);

}  // namespace broadloom::runtime
