// Static axes behind a dynamic one are counted, too.
// expect: braces_hold_as_many_as_each_static_extent
// lines gcc: 15
// lines clang: 30
#include <broadloom/broadloom.hpp>

namespace bl = broadloom;

void use() {
  const bl::tensor<float, bl::shape<bl::dyn, 3>> right{{1, 2, 3}, {4, 5, 6}};
#ifdef MISTAKE
  const bl::tensor<float, bl::shape<bl::dyn, 3>> wrong{{1, 2, 3}, {4, 5, 6, 7}};  // blame
#endif
  static_cast<void>(right);
}
