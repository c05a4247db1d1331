// Static extents of a join that differ off the axis.
// expect: dim 1: 4 vs 3; Sizes of tensors mu
// lines gcc: 25
// lines clang: 15
#include <broadloom/broadloom.hpp>

namespace bl = broadloom;
using namespace bl::literals;

void use(const bl::tensor<float, bl::shape<2, 3>>& a, const bl::tensor<float, bl::shape<1, 3>>& b,
         const bl::tensor<float, bl::shape<1, 4>>& c) {
  static_cast<void>(c);
  static_cast<void>(bl::cat(0_c, a, b));
#ifdef MISTAKE
  static_cast<void>(bl::cat(0_c, a, c));  // blame
#endif
}
