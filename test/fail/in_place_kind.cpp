// An in-place result must be castable to the output's kind: floating numbers do not go into integers.
// expect: result type can.{1,2}t be cast
// lines gcc: 15
// lines clang: 30
#include <broadloom/broadloom.hpp>

namespace bl = broadloom;

void use(bl::tensor<int, bl::shape<3>>& a, const bl::tensor<float, bl::shape<3>>& b) {
  a *= 2;
#ifdef MISTAKE
  a *= b;  // blame
#endif
  static_cast<void>(b);
}
