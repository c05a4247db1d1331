// Arrays drawn at random: shapes that mostly meet, layouts of every kind, ordinary and special values.
#pragma once

#include <complex>
#include <random>
#include <vector>

#include "pytorch.hpp"

namespace reference {

using broadloom::dtype;
using broadloom::index;

class generator {
 public:
  explicit generator(unsigned seed) : random_(seed) {}
  int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  double number(double low, double high) { return low + (high - low) * static_cast<double>(random_() >> 1) * 0x1p-31; }

 private:
  std::mt19937 random_;
};

// Values that some functions do not survive in PyTorch 1.13: its process ends.
struct domain {
  bool smallest_integer = true;  // the most negative one, where integers are divided
  bool few_zeros = false;        // a divisor: 0 now and then only
  bool finite = false;           // beside complex numbers, which are all finite
  bool counts = false;           // of a shift: another number now and then only
};

// Memory of its own and the way it is seen.
struct array {
  std::vector<std::byte> memory;
  operand seen;
  index elements() const;
};

// The extents that the operands of one call have in common, of the largest rank.
std::vector<index> common_shape(generator& g, int rank);
// An operand's extents: its last ones, each kept or 1; now and then another size.
std::vector<index> part_of(generator& g, const std::vector<index>& common, int rank);
// Contiguous, transposed, sliced, flipped, expanded, each drawn by itself.
array draw(generator& g, dtype type, const std::vector<index>& shape, const domain& d, bool expanded = true);

using complex_number = std::complex<long double>;
complex_number complex_element_at(const operand& x, const std::vector<index>& shape, index position);
complex_number complex_at(const std::byte* memory, dtype type, index position);

// One element as a number (a bool is 0 or 1); row-major position in a shape that the operand broadcasts to.
long double element_at(const operand& x, const std::vector<index>& shape, index position);
long double number_at(const std::byte* memory, dtype type, index position);
int size_of(dtype type);

}  // namespace reference
