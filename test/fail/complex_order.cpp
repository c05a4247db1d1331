// Complex numbers have no order.
// expect: not_defined_for_these_element_types
// expect: lt
// lines gcc: 15
// lines clang: 30
#include <complex>

#include <broadloom/broadloom.hpp>

namespace bl = broadloom;

void use(const bl::tensor<std::complex<float>, bl::shape<3>>& a, const bl::tensor<float, bl::shape<3>>& b) {
  static_cast<void>(a == b);
#ifdef MISTAKE
  static_cast<void>(bl::lt(a, b));  // blame
#endif
  static_cast<void>(a);
}
