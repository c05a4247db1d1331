// Each row of a static matrix has as many numbers as there are columns.
// expect: braces_hold_as_many_as_each_static_extent
// lines gcc: 15
// lines clang: 30
#include <broadloom/broadloom.hpp>

namespace bl = broadloom;

void use() {
  const bl::tensor<float, bl::shape<2, 3>> right{{1, 2, 3}, {4, 5, 6}};
#ifdef MISTAKE
  const bl::tensor<float, bl::shape<2, 3>> wrong{{1, 2, 3}, {4, 5}};  // blame
#endif
  static_cast<void>(right);
}
