// A static result whose type is deduced and that is too large for the stack.
// expect: over_256_KiB_on_the_stack_write_the_type_or_use_dtensor
// lines gcc: 15
// lines clang: 30
#include <broadloom/broadloom.hpp>

namespace bl = broadloom;

using large = bl::tensor<double, bl::shape<200, 200>>;

void use(const large& x, const bl::dtensor<double, 2>& y, large& to) {
  to = x + 1;
  static_cast<void>(bl::eval(y + 1));
#ifdef MISTAKE
  bl::tensor r = x + 1;  // blame
#endif
}
