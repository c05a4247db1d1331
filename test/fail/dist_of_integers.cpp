// A distance between integers needs a floating type to be computed in, as the norm of their difference does.
// expect: input dtype sh
// lines gcc: 20
// lines clang: 30
#include <broadloom/broadloom.hpp>

namespace bl = broadloom;

void use(const bl::tensor<int, bl::shape<2, 3>>& a, const bl::tensor<int, bl::shape<3>>& b) {
  static_cast<void>(bl::dist(bl::cast<float>(a), b));
#ifdef MISTAKE
  static_cast<void>(bl::dist(a, b));  // blame
#endif
}
