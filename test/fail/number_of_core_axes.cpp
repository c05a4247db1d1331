// mm takes matrices and no stacks of them: the ranks are known, so the compiler refuses.
// expect: 3 axes, not 2; mm: operand 0
// lines gcc: 20
// lines clang: 30
#include <broadloom/linalg/products.hpp>

namespace bl = broadloom;

void use(const bl::dtensor<float, 3>& a, const bl::dtensor<float, 2>& b) {
  static_cast<void>(bl::mm(b, b));
#ifdef MISTAKE
  static_cast<void>(bl::mm(a, b));  // blame
#endif
  static_cast<void>(a);
}
