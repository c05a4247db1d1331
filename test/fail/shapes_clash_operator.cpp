// Static shapes that do not broadcast do not compile: an operator.
// expect: dim 1: 2 vs 3
// expect gcc: The size of tensor a \(2\) must match the size of tensor b \(3\) at non-singleton dimension 1
// lines gcc: 15
// lines clang: 30
#include <broadloom/broadloom.hpp>

namespace bl = broadloom;

void use(const bl::tensor<float, bl::shape<5, 2, 4, 1>>& a, const bl::tensor<float, bl::shape<3, 1, 1>>& b,
         const bl::tensor<float, bl::shape<2, 1, 1>>& c) {
  static_cast<void>(a + c);
#ifdef MISTAKE
  static_cast<void>(a + b);  // blame
#endif
  static_cast<void>(b);
}
