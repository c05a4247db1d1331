// A tensor of rank 3 is not made of vectors in a vector.
// expect: containers_nest_as_deep_as_axes_and_hold_elements_that_fit
// lines gcc: 15
// lines clang: 30
#include <broadloom/broadloom.hpp>

#include <vector>

namespace bl = broadloom;

void use(const std::vector<std::vector<float>>& v) {
#ifdef MISTAKE
  bl::dtensor<float, 3> a(v);  // blame
#else
  bl::dtensor<float, 2> a(v);
#endif
  static_cast<void>(a);
}
