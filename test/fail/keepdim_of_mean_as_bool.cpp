// Which axes stay is said after them: of a statistic, and without axes.
// expect: write_keepdim_instead_of_true
// lines gcc: 12
// lines clang: 12
#include <broadloom/broadloom.hpp>

namespace bl = broadloom;

void use(const bl::dtensor<float, 2>& a) {
  static_cast<void>(bl::mean(a, {0, 1}, true));
  static_cast<void>(bl::mean(a, bl::keepdim));
#ifdef MISTAKE
  static_cast<void>(bl::mean(a, true));  // blame
#endif
}
