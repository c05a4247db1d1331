// Joined arrays have the same number of axes.
// expect: Tensors must have same number of d
// lines gcc: 25
// lines clang: 15
#include <broadloom/broadloom.hpp>

namespace bl = broadloom;

void use(const bl::dtensor<float, 2>& a, const bl::dtensor<float, 3>& b) {
  static_cast<void>(b);
  static_cast<void>(bl::cat(0, a, a));
#ifdef MISTAKE
  static_cast<void>(bl::cat(0, a, b));  // blame
#endif
}
