// Subtraction is not defined for bool, as in PyTorch.
// expect: not_defined_for_these_element_types
// expect: sub
// lines gcc: 15
// lines clang: 30
#include <broadloom/broadloom.hpp>

namespace bl = broadloom;

void use(const bl::tensor<bool, bl::shape<3>>& a, const bl::tensor<int, bl::shape<3>>& b) {
  static_cast<void>(b - b);
#ifdef MISTAKE
  static_cast<void>(a - a);  // blame
#endif
}
