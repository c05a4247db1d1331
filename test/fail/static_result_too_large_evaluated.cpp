// A static result too large for the stack: of eval.
// expect: over_256_KiB_on_the_stack_write_the_type_or_use_dtensor
// lines gcc: 15
// lines clang: 30
#include <broadloom/broadloom.hpp>

namespace bl = broadloom;

void use(const bl::tensor<double, bl::shape<200, 200>>& x, const bl::dtensor<double, 2>& y) {
  static_cast<void>(bl::eval(y));
#ifdef MISTAKE
  static_cast<void>(bl::eval(x));  // blame
#endif
  static_cast<void>(x);
}
