// The value of masked_fill is one element.
// expect: value_must_be_a_number_or_of_rank_0
// lines gcc: 15
// lines clang: 30
#include <broadloom/broadloom.hpp>

namespace bl = broadloom;

void use(const bl::tensor<float, bl::shape<3>>& a, const bl::tensor<float, bl::shape<>>& x) {
  static_cast<void>(bl::masked_fill(a, a > 1, x));
#ifdef MISTAKE
  bl::masked_fill(a, a > 1, a);  // blame
#endif
}
