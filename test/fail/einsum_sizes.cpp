// Static extents of one subscript that differ.
// expect: 3 vs 4; sizes of subscript j in operands 0 and 1|einsum_sizes_clash
// expect gcc: 3 vs 4; sizes of subscript j in operands 0 and 1
// lines gcc: 15
// lines clang: 30
#include <broadloom/broadloom.hpp>
#include <broadloom/linalg.hpp>

namespace bl = broadloom;

void use(const bl::tensor<float, bl::shape<2, 3>>& a, const bl::tensor<float, bl::shape<3, 2>>& b,
         const bl::tensor<float, bl::shape<4, 2>>& c) {
  static_cast<void>(bl::einsum<"ij,jk->ik">(a, b));
  static_cast<void>(bl::einsum<"ji,jk->ik">(bl::tensor<float, bl::shape<1, 2>>{}, c));
#ifdef MISTAKE
  static_cast<void>(bl::einsum<"ij,jk->ik">(a, c));  // blame
#endif
}
