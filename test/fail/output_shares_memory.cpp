// An output whose elements share memory, known to the compiler, is refused.
// expect: more than one element of the written-to tensor refers to a single memory location
// lines gcc: 20
// lines clang: 30
#include <broadloom/broadloom.hpp>

namespace bl = broadloom;

void use(bl::tensor<float, bl::shape<1, 3>>& a, const bl::tensor<float, bl::shape<3>>& b) {
  bl::flip(a, 1) = b;
#ifdef MISTAKE
  bl::assign(bl::expand(a, bl::shape<2, 3>{}), b);  // blame
#endif
}
