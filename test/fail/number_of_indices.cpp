// One index of a matrix is a row of it, and no number.
// expect: convert|conversion
// no anchor
// lines gcc: 15
// lines clang: 30
#include <broadloom/broadloom.hpp>

namespace bl = broadloom;

float use(const bl::tensor<float, bl::shape<2, 3>>& a) {
  auto e = a + a;
#ifdef MISTAKE
  return e(1);  // blame
#else
  return e(1, 2) + e(1)(2) + a(1)(2);
#endif
}
