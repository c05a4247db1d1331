// A static vector takes as many numbers as it has elements.
// expect: braces_hold_as_many_as_each_static_extent
// lines gcc: 15
// lines clang: 30
#include <broadloom/broadloom.hpp>

namespace bl = broadloom;

void use() {
  const bl::tensor<float, bl::shape<3>> right{1, 2, 3};
#ifdef MISTAKE
  const bl::tensor<float, bl::shape<3>> wrong{1, 2};  // blame
#endif
  static_cast<void>(right);
}
