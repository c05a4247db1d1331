// max(x, 0) could mean the axis or the number.
// expect: amax\(x, 0\) or maximum\(x, 0\)
// lines gcc: 15
// lines clang: 30
#include <broadloom/broadloom.hpp>

namespace bl = broadloom;

void use(const bl::tensor<float, bl::shape<2, 3>>& a) {
  static_cast<void>(bl::max(a, a) + bl::amax(a, 0) + bl::maximum(a, 0) + bl::max(a) + bl::max(a, bl::axes<0>));
#ifdef MISTAKE
  bl::max(a, 0);  // blame
#endif
}
