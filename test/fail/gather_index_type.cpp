// Positions are of i32 or i64.
// expect: gather: an index is of i32 or
// lines gcc: 25
// lines clang: 30
#include <broadloom/broadloom.hpp>

namespace bl = broadloom;

void use(const bl::tensor<float, bl::shape<3>>& a, const bl::tensor<int, bl::shape<3>>& i,
         const bl::tensor<float, bl::shape<3>>& f) {
  static_cast<void>(f);
  static_cast<void>(bl::gather(a, 0, i));
#ifdef MISTAKE
  static_cast<void>(bl::gather(a, 0, f));  // blame
#endif
}
