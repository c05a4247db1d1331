// `tensor = e` replaces the value, so a result of other static extents does not compile; assign broadcasts.
// expect: bl::assign\(o, e\) broadcasts
// expect gcc: and extent 1 of axis 0 is not 3
// lines gcc: 15
// lines clang: 15
#include <broadloom/broadloom.hpp>

namespace bl = broadloom;

void use(bl::tensor<float, bl::shape<1, 3, 1>>& a, bl::tensor<float, bl::shape<3, 3, 1>>& b) {
  bl::assign(b, a + a);
#ifdef MISTAKE
  b = a + a;  // blame
#endif
}
