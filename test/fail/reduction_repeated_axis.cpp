// An axis is reduced twice.
// expect: dim appears multiple times in the list of dims
// lines gcc: 18
// lines clang: 30
#include <broadloom/broadloom.hpp>

namespace bl = broadloom;

void use(const bl::tensor<float, bl::shape<2, 3>>& a) {
  static_cast<void>(bl::amax(a, bl::axes<0, 1>));
#ifdef MISTAKE
  static_cast<void>(bl::amax(a, bl::axes<0, -2>));  // blame
#endif
}
