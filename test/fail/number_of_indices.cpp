// An expression of rank 2 is asked for an element with one index.
// expect: one index per axis
// lines gcc: 15
// lines clang: 30
#include <broadloom/broadloom.hpp>

namespace bl = broadloom;

float use(const bl::tensor<float, bl::shape<2, 3>>& a) {
  auto e = a + a;
#ifdef MISTAKE
  return e(1);  // blame
#else
  return e(1, 2);
#endif
}
