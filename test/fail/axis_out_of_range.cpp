// An axis known to the compiler lies outside of the array's axes.
// expect: [Aa]xis|Dimension
// lines gcc: 15
// lines clang: 30
#include <broadloom/broadloom.hpp>

namespace bl = broadloom;
using namespace bl::literals;

void use(const bl::tensor<float, bl::shape<2, 3>>& a) {
  static_cast<void>(bl::flip(a, 1_c));
#ifdef MISTAKE
  static_cast<void>(bl::flip(a, 2_c));  // blame
#endif
}
