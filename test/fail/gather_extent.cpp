// Static extents of an index of gather that exceed the array's.
// expect: dim 0: 4 vs 3; Size does not match
// lines gcc: 25
// lines clang: 30
#include <broadloom/broadloom.hpp>

namespace bl = broadloom;
using namespace bl::literals;

void use(const bl::tensor<float, bl::shape<3, 5>>& a, const bl::tensor<int, bl::shape<3, 2>>& i,
         const bl::tensor<int, bl::shape<4, 2>>& j) {
  static_cast<void>(j);
  static_cast<void>(bl::gather(a, 1_c, i));
#ifdef MISTAKE
  static_cast<void>(bl::gather(a, 1_c, j));  // blame
#endif
}
