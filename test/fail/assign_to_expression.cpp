// An expression is not an output.
// expect: must be writable
// lines gcc: 15
// lines clang: 30
#include <broadloom/broadloom.hpp>

namespace bl = broadloom;

void use(bl::tensor<float, bl::dshape<2>>& a) {
  a += a;
#ifdef MISTAKE
  (a + a) += a;  // blame
#endif
}
