// One of several outputs keeps its shape as a single one does.
// expect gcc: output with shape \[1, 3, 1\] doesn.{1,2}t match the broadcast shape \[3, 3, 7\]
// expect clang: output_does_not_fit
// lines gcc: 15
// lines clang: 30
#include <broadloom/broadloom.hpp>

namespace bl = broadloom;

void use(bl::tensor<float, bl::shape<1, 3, 1>>& a, bl::tensor<float, bl::shape<3, 3, 7>>& b) {
  bl::assign_all(bl::to(b, a + 1), bl::to(a, a * 2));
#ifdef MISTAKE
  bl::assign_all(bl::to(b, a + 1), bl::to(a, b));  // blame
#endif
}
