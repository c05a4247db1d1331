// Whether axes stay is known to the compiler: false is left out.
// expect: false_is_left_out_as_axes_stay_by_keepdim_alone
// lines gcc: 12
// lines clang: 12
// no anchor
#include <broadloom/broadloom.hpp>

namespace bl = broadloom;

void use(const bl::dtensor<float, 2>& a) {
  static_cast<void>(bl::sum(a, 1, true));
#ifdef MISTAKE
  static_cast<void>(bl::sum(a, 1, false));  // blame
#endif
}
