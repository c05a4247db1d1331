// An index of gather has as many axes as the array.
// expect: Index tensor must have the same
// lines gcc: 25
// lines clang: 30
#include <broadloom/broadloom.hpp>

namespace bl = broadloom;

void use(const bl::dtensor<float, 3>& a, const bl::dtensor<bl::index, 3>& i, const bl::dtensor<bl::index, 1>& v) {
  static_cast<void>(v);
  static_cast<void>(bl::gather(a, 0, i));
#ifdef MISTAKE
  static_cast<void>(bl::gather(a, 0, v));  // blame
#endif
}
