// The errors of views that change the number of axes, in PyTorch's words.
#include <string>

#include <broadloom/core/error.hpp>
#include <broadloom/expr/windows.hpp>
#include <broadloom/tensor/bit_cast.hpp>
#include <broadloom/tensor/reshape.hpp>

#include "errors.hpp"
#include "list_text.hpp"

namespace broadloom::detail {

void raise_windows(index axis, index extent, index size, index step) {
  if (size < 0) throw shape_error("size is " + std::to_string(size) + " but must be >= 0\n  in windows");
  if (step <= 0) throw shape_error("step is " + std::to_string(step) + " but must be > 0\n  in windows");
  throw shape_error("maximum size for tensor at dimension " + std::to_string(axis) + " is " + std::to_string(extent) +
                    " but size is " + std::to_string(size) + "\n  in windows");
}

void raise_bits_left(const index* extents, index rank, index from, index to) {
  throw shape_error("the last axis of " + list(extents, rank) + " has " + std::to_string(extents[rank - 1] * from) +
                    " bytes, which make no whole elements of " + std::to_string(to) + "\n  in bit_cast");
}

void raise_reshape(const index* wanted, index rank, index size) {
  const std::string shape = list(wanted, rank);
  index product = 1, free = 0;
  for (index i = 0; i < rank; ++i) {
    if (wanted[i] < -1) throw shape_error("invalid shape dimension " + std::to_string(wanted[i]) + "\n  in reshape");
    free += wanted[i] == -1;
    if (wanted[i] == 0) product = 0;
  }
  if (free > 1) throw shape_error("only one dimension can be inferred\n  in reshape");
  if (free == 1 && product == 0 && size == 0)
    throw shape_error("cannot reshape tensor of 0 elements into shape " + shape +
                      " because the unspecified dimension size -1 can be any value and is ambiguous\n  in reshape");
  throw shape_error("shape '" + shape + "' is invalid for input of size " + std::to_string(size) + "\n  in reshape");
}

}  // namespace broadloom::detail
