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
// becomes; the caller's memory is left alone. `scalar` is alpha (add, sub), value (addcmul, addcdiv) or weight (lerp),
// if given. Throws std::out_of_range when the name is not in the table.
answer pytorch(const std::string& name, const std::vector<operand>& operands, const double* scalar = nullptr);

// The names the table has, without the in-place forms.
std::vector<std::string> pytorch_names();

}  // namespace reference
