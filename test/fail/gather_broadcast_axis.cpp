// The axis decides the rank where an index has fewer axes.
// expect: gather_broadcast: an index
// lines gcc: 25
// lines clang: 30
#include <broadloom/broadloom.hpp>

namespace bl = broadloom;
using namespace bl::literals;

void use(const bl::dtensor<float, 2>& a, const bl::dtensor<bl::index, 1>& i, int axis) {
  static_cast<void>(axis);
  static_cast<void>(bl::gather_broadcast(a, 0_c, i));
#ifdef MISTAKE
  static_cast<void>(bl::gather_broadcast(a, axis, i));  // blame
#endif
}
