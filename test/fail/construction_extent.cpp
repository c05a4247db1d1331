// A tensor made from an expression with another static extent.
// expect: dim 1: 4 vs 3
// lines gcc: 15
// lines clang: 30
#include <broadloom/broadloom.hpp>

namespace bl = broadloom;

void use(const bl::tensor<float, bl::shape<2, 3>>& a) {
  bl::tensor<float, bl::shape<2, 3>> m = a + a;
#ifdef MISTAKE
  bl::tensor<float, bl::shape<2, 4>> v = a + a;  // blame
#endif
  static_cast<void>(m);
}
