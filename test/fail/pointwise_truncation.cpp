// A callable of integers does not take floating elements: nothing is converted.
// expect: say cast<T>\(x\) of the operand
// lines gcc: 15
// lines clang: 30
#include <broadloom/broadloom.hpp>

namespace bl = broadloom;

void use(const bl::tensor<float, bl::shape<3>>& a) {
  const auto f = [](int x) { return x + 1; };
  static_cast<void>(bl::pointwise(f, bl::cast<int>(a)));
#ifdef MISTAKE
  static_cast<void>(bl::pointwise(f, a));  // blame
#endif
}
