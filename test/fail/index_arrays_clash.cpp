// Index arrays of static extents that do not broadcast together.
// expect: shape mismatch: indexing tensors could not be broadcast together
// lines gcc: 25
// lines clang: 30
#include <broadloom/broadloom.hpp>

namespace bl = broadloom;

void use(bl::tensor<float, bl::shape<4, 4>>& x, const bl::tensor<int, bl::shape<3>>& i,
         const bl::tensor<int, bl::shape<2>>& j) {
  static_cast<void>(j);
  static_cast<void>(x(i, i));
#ifdef MISTAKE
  static_cast<void>(x(i, j));  // blame
#endif
}
