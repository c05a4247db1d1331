// Static stacks of matrices that do not broadcast do not compile.
// expect: 2 vs 3; linalg.solve: ope
// expect gcc: operand 1, loop axis 0; signature \(n,n\),\(n,k\?\)->\(n,k\?\)
// lines gcc: 20
// lines clang: 30
#include <broadloom/linalg/solve.hpp>

namespace bl = broadloom;

void use(const bl::tensor<float, bl::shape<2, 4, 4>>& a, const bl::tensor<float, bl::shape<1, 4, 5>>& b,
         const bl::tensor<float, bl::shape<3, 4, 5>>& c) {
  static_cast<void>(bl::solve(a, b));
#ifdef MISTAKE
  static_cast<void>(bl::solve(a, c));  // blame
#endif
  static_cast<void>(c);
}
