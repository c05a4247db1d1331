// The output of an in-place function keeps its shape: (1, 3, 1) does not take (3, 3, 7).
// expect clang: output_does_not_fit<.*output with shape \[1, 3, 1\]
// expect gcc: output with shape \[1, 3, 1\] doesn.{1,2}t match the broadcast shape \[3, 3, 7\]
// lines gcc: 15
// lines clang: 30
#include <broadloom/broadloom.hpp>

namespace bl = broadloom;

void use(bl::tensor<float, bl::shape<1, 3, 1>>& a, bl::tensor<float, bl::shape<3, 3, 7>>& b) {
  b += a;
#ifdef MISTAKE
  a += b;  // blame
#endif
}
