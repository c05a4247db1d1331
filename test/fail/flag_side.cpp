// A text is no flag: of "left" C++ would make true, and search to the right.
// expect: write_true_for_the_right_side_or_false_for_the_left
// lines gcc: 12
// lines clang: 12
#include <broadloom/broadloom.hpp>

namespace bl = broadloom;

void use(const bl::dtensor<double, 1>& v) {
  static_cast<void>(bl::searchsorted(v, v, false));
#ifdef MISTAKE
  static_cast<void>(bl::searchsorted(v, v, "left"));  // blame
#endif
}
