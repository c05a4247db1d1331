// As many shifts as axes.
// expect: shifts and dimensions must align
// lines gcc: 25
// lines clang: 30
#include <broadloom/broadloom.hpp>

namespace bl = broadloom;

void use(const bl::dtensor<float, 2>& x) {
  static_cast<void>(bl::roll(x, {1, 2}, {0, 1}));
#ifdef MISTAKE
  static_cast<void>(bl::roll(x, {1, 2}, {0}));  // blame
#endif
}
