// A view of const elements cannot be written.
// expect: const
// lines gcc: 20
// lines clang: 15
#include <broadloom/broadloom.hpp>

namespace bl = broadloom;

void use(bl::tensor<float, bl::dshape<2>>& a, const bl::tensor<float, bl::dshape<2>>& b) {
  a.T() = b;
#ifdef MISTAKE
  b.T() = a;  // blame
#endif
}
