// A tensor has no truth value of its own.
// expect: write_all_x_or_any_x
// lines gcc: 15
// lines clang: 30
#include <broadloom/broadloom.hpp>

namespace bl = broadloom;

int use(const bl::tensor<bool, bl::shape<3>>& mask) {
#ifdef MISTAKE
  return mask ? 1 : 0;  // blame
#else
  return bl::any(mask).item() ? 1 : 0;
#endif
}
