// slice takes at most one index or range per axis.
// expect: more indices than axes
// lines gcc: 15
// lines clang: 30
#include <broadloom/broadloom.hpp>

namespace bl = broadloom;

void use(const bl::tensor<float, bl::shape<2, 3>>& a) {
  static_cast<void>(bl::slice(a, 1, bl::newaxis, bl::all));
#ifdef MISTAKE
  static_cast<void>(bl::slice(a, 1, bl::all, 0));  // blame
#endif
}
