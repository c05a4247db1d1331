// A mask is of bool.
// expect: mask_must_be_of_bool
// lines gcc: 15
// lines clang: 30
#include <broadloom/broadloom.hpp>

namespace bl = broadloom;

void use(bl::tensor<float, bl::shape<3>>& a, const bl::tensor<int, bl::shape<3>>& m) {
  bl::masked_fill_(a, m != 0, 1);
#ifdef MISTAKE
  bl::masked_fill_(a, m, 1);  // blame
#endif
}
