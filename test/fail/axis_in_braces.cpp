// Where one axis is taken, a list of axes is refused.
// expect: one axis is wanted here: sort\(x, 0\), no braces
// lines gcc: 12
// lines clang: 14
#include <broadloom/broadloom.hpp>

namespace bl = broadloom;

auto use(const bl::dtensor<float, 2>& x) {
#ifdef MISTAKE
  return bl::sort(x, {0});  // blame
#else
  return bl::sort(x, 0);
#endif
}
