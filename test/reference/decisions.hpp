// The differences from PyTorch that are decisions: decisions.tsv, one line each.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace reference {

// What kind of difference a line is about.
//   refuses     does not compile here, PyTorch has it        accepts     works here, PyTorch refuses it
//   type        another result type                          zero        of 0 and -0 the other one
//   value       PyTorch's element is off by more than its bound, this library's is within its own
//   steps       the steps of a composite are rounded one by one here
//   overflow    what is added is scaled first here, and that overflows
//   shift       a count that is negative or too large        nan         NaN of NaN here
//   truth       the truth of an element before or after promotion
//   conversion  a floating number that the integer type cannot hold
//   shared      a destination that shares elements is refused here, PyTorch writes to it
//   empty       a destination without elements is taken here, whatever its strides, and refused by PyTorch's copy_
//   layout      into a destination whose axes do not lie in row-major order PyTorch writes other elements
//   sentence    another error text                           order       of two mistakes the other one is told first
class decisions {
 public:
  explicit decisions(const char* path);

  // Whether a line covers the difference; counts it. Any line of that kind whose functions and types name these.
  bool cover(const std::string& kind, const std::string& function, const std::vector<std::string>& types);

  void print() const;
  std::vector<std::string> unused() const;

 private:
  struct line {
    std::string name, kind, text;
    std::vector<std::string> functions, types;
    long long count = 0;
  };
  std::vector<line> lines_;
};

}  // namespace reference
