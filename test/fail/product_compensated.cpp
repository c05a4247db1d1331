// Only sums keep what they round off: a product has nothing to compensate.
// expect: only_sums_are_compensated
// lines gcc: 20
// lines clang: 30
#include <broadloom/broadloom.hpp>

namespace bl = broadloom;

void use(const bl::tensor<float, bl::shape<2, 3>>& a) {
  static_cast<void>(bl::sum(a, bl::axes<0>, bl::compensated));
#ifdef MISTAKE
  static_cast<void>(bl::prod(a, bl::axes<0>, bl::compensated));  // blame
#endif
}
