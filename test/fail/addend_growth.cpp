// The addend of a fused product expands to the product's shape, never the reverse.
// expect: output with shape \[3, 5\]
// lines gcc: 20
// lines clang: 30
#include <broadloom/linalg/fused.hpp>

namespace bl = broadloom;

void use(const bl::tensor<float, bl::shape<5>>& c, const bl::tensor<float, bl::shape<1, 3, 5>>& large,
         const bl::tensor<float, bl::shape<3, 4>>& a, const bl::tensor<float, bl::shape<4, 5>>& b) {
  static_cast<void>(bl::addmm(c, a, b));
#ifdef MISTAKE
  static_cast<void>(bl::addmm(large, a, b));  // blame
#endif
  static_cast<void>(large);
}
