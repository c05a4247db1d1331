// PyTorch as a function from arrays to an array or an error text. Its headers are included in pytorch.cpp alone,
// because they take long to compile.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <broadloom/core/dtype.hpp>
#include <broadloom/core/index.hpp>

namespace reference {

// An array in the caller's memory. Strides are in elements and may be 0 or negative.
struct operand {
  const void* data;
  broadloom::dtype type;
  std::vector<broadloom::index> shape, strides;
};

// What a call gave: an error's text, or the result's type, shape and elements (row-major).
struct answer {
  bool failed = false;
  std::string error;
  broadloom::dtype type{};
  std::vector<broadloom::index> shape;
  std::vector<std::byte> elements;
};

// Calls the function of that name. A trailing `_` means the in-place form: the answer is what the first operand
// becomes; the caller's memory is left alone. Where PyTorch has no in-place form, it is the result copied into the
// first operand, refused as PyTorch's in-place functions refuse. `numbers` are those that need not be given (alpha,
// value, a slope, ...), empty for PyTorch's defaults. `weak_last` makes a number of the last operand, of rank 0.
// Throws std::out_of_range when the name is not in the table.
answer pytorch(const std::string& name, const std::vector<operand>& operands, const std::vector<double>& numbers = {},
               bool weak_last = false);

// PyTorch has this function, or one that this one is defined by.
bool in_pytorch(const std::string& name);

}  // namespace reference
