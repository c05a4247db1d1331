// A reshape to another number of elements, both known to the compiler.
// expect: shape is invalid for input of this size
// lines gcc: 15
// lines clang: 30
#include <broadloom/broadloom.hpp>

namespace bl = broadloom;
using namespace bl::literals;

void use(const bl::tensor<int, bl::shape<4, 6>>& a) {
  static_cast<void>(bl::reshape(a, 8_c, -1_c));
#ifdef MISTAKE
  static_cast<void>(bl::reshape(a, 5_c, -1_c));  // blame
#endif
}
