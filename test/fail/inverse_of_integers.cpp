// Factorisations are defined for floating elements.
// expect: not_defined_for_these_element_types
// expect gcc: linalg.inv
// lines gcc: 20
// lines clang: 30
#include <broadloom/linalg/factor.hpp>

namespace bl = broadloom;

void use(const bl::dtensor<int, 2>& a, const bl::dtensor<double, 2>& b) {
  static_cast<void>(bl::inv(b));
#ifdef MISTAKE
  static_cast<void>(bl::inv(a));  // blame
#endif
  static_cast<void>(a);
}
