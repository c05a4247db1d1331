// What is sorted along an axis that only the run knows keeps its shape.
// expect: dim 1: 3 vs 4
// expect gcc: The size of tensor a \(3\) must match the size of tensor b \(4\) at non-singleton dimension 1
// lines gcc: 15
// lines clang: 30
#include <broadloom/broadloom.hpp>

namespace bl = broadloom;

void use(const bl::tensor<float, bl::shape<2, 3>>& x, const bl::tensor<float, bl::shape<3>>& y,
         const bl::tensor<float, bl::shape<4>>& z, int axis) {
  static_cast<void>(bl::sort(x, axis).values + y);
#ifdef MISTAKE
  static_cast<void>(bl::sort(x, axis).values + z);  // blame
#endif
  static_cast<void>(z);
}
