// More indices than axes: an element of a tensor.
// expect: more_indices_than_axes<3, 2>
// lines gcc: 15
// lines clang: 15
#include <broadloom/broadloom.hpp>

namespace bl = broadloom;

float use(const bl::dtensor<float, 2>& a) {
#ifdef MISTAKE
  return a(1, 2, 3);  // blame
#else
  return a(1, 2);
#endif
}
