// A const tensor is not an output.
// expect: assign
// lines gcc: 25
// lines clang: 30
#include <broadloom/broadloom.hpp>

namespace bl = broadloom;

void use(bl::tensor<float, bl::dshape<2>>& a, const bl::tensor<float, bl::dshape<2>>& b) {
  bl::assign(a, b);
#ifdef MISTAKE
  bl::assign(b, a);  // blame
#endif
}
