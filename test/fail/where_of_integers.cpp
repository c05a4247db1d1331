// A condition is of bool, as PyTorch's.
// expect: mask_must_be_of_bool
// lines gcc: 15
// lines clang: 30
#include <broadloom/broadloom.hpp>

namespace bl = broadloom;

void use(const bl::tensor<float, bl::shape<3>>& a, const bl::tensor<int, bl::shape<3>>& m) {
  static_cast<void>(bl::where(m != 0, a, 1));
#ifdef MISTAKE
  bl::where(m, a, 1);  // blame
#endif
}
