// A tensor of integers is not made from floating numbers unasked.
// expect: result type can.{1,2}t be cast from f32
// lines gcc: 15
// lines clang: 30
#include <broadloom/broadloom.hpp>

namespace bl = broadloom;

void use(const bl::tensor<float, bl::shape<3>>& a) {
  bl::tensor<int, bl::shape<3>> b(bl::cast<int>(a));
#ifdef MISTAKE
  bl::tensor<int, bl::shape<3>> c(a);  // blame
#endif
  static_cast<void>(b);
}
