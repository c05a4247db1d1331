// More indices than axes: an element of an expression.
// expect: more_indices_than_axes<3, 2>
// lines gcc: 15
// lines clang: 30
#include <broadloom/broadloom.hpp>

namespace bl = broadloom;

float use(const bl::dtensor<float, 2>& a) {
  const auto e = a + a;
#ifdef MISTAKE
  return e(1, 2, 3);  // blame
#else
  return e(1, 2);
#endif
}
