// Bits are of integers and bool; floating numbers have none, as in PyTorch.
// expect: not_defined_for_these_element_types
// expect: bitwise_and
// lines gcc: 15
// lines clang: 30
#include <broadloom/broadloom.hpp>

namespace bl = broadloom;

void use(const bl::tensor<float, bl::shape<3>>& a, const bl::tensor<int, bl::shape<3>>& b) {
  static_cast<void>(b & b);
#ifdef MISTAKE
  static_cast<void>(a & b);  // blame
#endif
  static_cast<void>(a);
}
