// Static extents of take_along_dim that do not broadcast off the axis.
// expect: dim 0: 3 vs 2; The size of tensor
// lines gcc: 25
// lines clang: 30
#include <broadloom/broadloom.hpp>

namespace bl = broadloom;
using namespace bl::literals;

void use(const bl::tensor<float, bl::shape<3, 5>>& a, const bl::tensor<int, bl::shape<1, 2>>& i,
         const bl::tensor<int, bl::shape<2, 2>>& j) {
  static_cast<void>(j);
  static_cast<void>(bl::take_along_dim(a, i, 1_c));
#ifdef MISTAKE
  static_cast<void>(bl::take_along_dim(a, j, 1_c));  // blame
#endif
}
