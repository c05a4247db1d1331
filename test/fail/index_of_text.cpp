// NumPy's colon is all.
// expect: an index is an integer, range
// lines gcc: 12
// lines clang: 16
#include <broadloom/broadloom.hpp>

namespace bl = broadloom;

auto use(const bl::dtensor<float, 2>& x) {
#ifdef MISTAKE
  return bl::eval(x(":", 1));  // blame
#else
  return bl::eval(x(bl::all, 1));
#endif
}
