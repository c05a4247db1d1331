// The program of an evaluation as data: kernels, and the stages that run them over strips.
#pragma once

#include <broadloom/core/dtype.hpp>
#include <broadloom/core/index.hpp>
#include <broadloom/core/isa.hpp>

namespace broadloom::runtime {

constexpr int size_of(dtype t) { return detail::properties_of(t).bytes; }
inline constexpr int dtype_count = static_cast<int>(dtype::own);

// One input of a kernel: its address, and -1 if it advances with the elements, 0 if it is constant.
struct slot {
  const void* data;
  index advance;
};

// How a kernel runs. dense: every input that is not a scalar advances. any: some do not. streamed: as any, and the
// output is written with streaming stores, for which it is aligned to vectors.
enum class kernel_mode : unsigned char { any, dense, streamed };

// Computes n elements, a multiple of its lanes, but for kernels that overlap.
using kernel_fn = void (*)(const slot* in, void* out, index n, kernel_mode mode);

// The same loop for each instruction-set level, and the number of elements in its vectors.
struct kernel {
  kernel_fn run[isa_levels];
  unsigned char lanes[isa_levels];
  // Whether its loops above the lowest level, if dense, take any n from a vector on, of inputs apart from the output.
  bool overlaps = false;
  // Whether its loop for AVX-512, if dense, also takes fewer elements than a vector. It reads all that it takes then,
  // and so does the loop for one vector, before it writes.
  bool masked_tail = false;
};

// At every level the same loop, which takes one element at a time.
constexpr kernel kernel_of_single(kernel_fn each) {
  kernel k{};
  for (int level = 0; level < isa_levels; ++level) {
    k.run[level] = each;
    k.lanes[level] = 1;
  }
  return k;
}

enum class stage_kind : unsigned char { compute, strip1, strip2 };

// Inputs of a stage: operands are numbered from 0, results of earlier stages from `first_stage`.
inline constexpr int first_stage = 128;

// What a kernel computes from two arrays of one type, for loops of the library that fuse it with what follows. Widened:
// an array of bool or of integers of up to 32 bits converted to i64, and so the product of two arrays in their type.
// Squared: square(x), and square(x - y). Magnitude: abs(x), and abs(x - y).
enum class arithmetic : unsigned char {
  other,
  minus,
  times,
  over,
  widened,
  widened_times,
  squared,
  minus_squared,
  magnitude,
  minus_magnitude
};

inline constexpr unsigned char dense_ramps = 2;

// One step of the program: a kernel over its inputs, or a transcendental function of one or two of them.
struct stage {
  stage_kind kind;
  dtype type;
  unsigned char function;  // maths1 or maths2; of a compute stage whose kernel takes ramps (ramp_advance) not 0, and
                           // dense_ramps if its dense loop does, too
  unsigned char input_count;
  const unsigned char* inputs;
  const dtype* input_types;
  const kernel* code;
  bool copies;  // returns its only input
  arithmetic known;
};

// The last stage writes the output; the others write strips that later stages read.
struct program {
  const stage* stages;
  int stage_count;
  const char* const* names;  // what each stage computes, for printing
};

}  // namespace broadloom::runtime
