// An array has no truth value of its own.
// expect: write_all_x_or_any_x
// lines gcc: 15
// lines clang: 30
#include <broadloom/broadloom.hpp>

namespace bl = broadloom;

int use(const bl::dtensor<float, 2>& a, const bl::dtensor<float, 2>& b) {
#ifdef MISTAKE
  if (a == b) return 1;  // blame
#else
  if (bl::all(a == b).item()) return 1;
#endif
  return 0;
}
