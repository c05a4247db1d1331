// An array summed to a shape that it is no expansion of.
// expect: not an expansion
// lines gcc: 15
// lines clang: 30
#include <broadloom/broadloom.hpp>

namespace bl = broadloom;

void use(const bl::tensor<float, bl::shape<4, 6>>& a) {
  static_cast<void>(bl::sum_to(a, bl::shape<1, 6>{}));
#ifdef MISTAKE
  static_cast<void>(bl::sum_to(a, bl::shape<2, 6>{}));  // blame
#endif
}
