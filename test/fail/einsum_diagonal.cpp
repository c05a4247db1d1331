// A letter twice in one operand is its diagonal: the static extents are equal, also where one is 1.
// expect: 1 vs 3; sizes of subscript i in operands 0 and 0|einsum_sizes_clash
// expect gcc: 1 vs 3; sizes of subscript i in operands 0 and 0
// lines gcc: 15
// lines clang: 30
#include <broadloom/broadloom.hpp>
#include <broadloom/linalg.hpp>

namespace bl = broadloom;

void use(const bl::tensor<float, bl::shape<3, 3>>& a, const bl::tensor<float, bl::shape<1, 3>>& b) {
  static_cast<void>(bl::einsum<"ii->i">(a));
#ifdef MISTAKE
  static_cast<void>(bl::einsum<"ii->i">(b));  // blame
#endif
}
