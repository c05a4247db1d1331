// Static matrices whose inner sizes differ do not compile: the function, its signature, the operand and both sizes.
// expect: 4 vs 3; matmul: operand 1
// expect gcc: core axis 0; signature \(m\?,k\),\(k,n\?\)->\(m\?,n\?\)
// lines gcc: 20
// lines clang: 30
#include <broadloom/linalg/products.hpp>

namespace bl = broadloom;

void use(const bl::tensor<float, bl::shape<2, 3>>& a, const bl::tensor<float, bl::shape<3, 5>>& b,
         const bl::tensor<float, bl::shape<4, 5>>& c) {
  static_cast<void>(bl::matmul(a, b));
#ifdef MISTAKE
  static_cast<void>(bl::matmul(a, c));  // blame
#endif
  static_cast<void>(c);
}
