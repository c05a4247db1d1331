// keepdim is an option with a name.
// expect: write_keepdim_instead_of_true
// lines gcc: 12
// lines clang: 12
#include <broadloom/broadloom.hpp>

namespace bl = broadloom;

void use(const bl::dtensor<float, 2>& a) {
  static_cast<void>(bl::sum(a, 1, bl::keepdim));
#ifdef MISTAKE
  static_cast<void>(bl::sum(a, 1, true));  // blame
#endif
}
