// A sum along either axis of a square has one extent.
// expect: dim 0: 4 vs 3
// expect gcc: The size of tensor a \(4\) must match the size of tensor b \(3\) at non-singleton dimension 0
// lines gcc: 15
// lines clang: 30
#include <broadloom/broadloom.hpp>

namespace bl = broadloom;

void use(const bl::tensor<float, bl::shape<4, 4>>& x, const bl::tensor<float, bl::shape<4>>& y,
         const bl::tensor<float, bl::shape<3>>& z, int axis) {
  static_cast<void>(bl::sum(x, axis) + y);
#ifdef MISTAKE
  static_cast<void>(bl::sum(x, axis) + z);  // blame
#endif
  static_cast<void>(z);
}
