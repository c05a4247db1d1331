// A slice of a row that only the run knows, with a range of constants.
// expect: dim 0: 2 vs 3
// expect gcc: The size of tensor a \(2\) must match the size of tensor b \(3\) at non-singleton dimension 0
// lines gcc: 15
// lines clang: 30
#include <broadloom/broadloom.hpp>

namespace bl = broadloom;
using namespace bl::literals;

void use(const bl::tensor<float, bl::shape<4, 3>>& x, const bl::tensor<float, bl::shape<3>>& y, int row) {
  static_cast<void>(bl::slice(x, row, bl::all) + y);
#ifdef MISTAKE
  static_cast<void>(bl::slice(x, row, bl::range(0_c, 2_c)) + y);  // blame
#endif
}
