// An output must be writable.
// expect: the output must be writable
// lines gcc: 25
// lines clang: 30
#include <broadloom/broadloom.hpp>

namespace bl = broadloom;

void use(bl::dtensor<float, 1>& a, const bl::dtensor<float, 1>& c, const bl::dtensor<bl::index, 1>& i) {
  static_cast<void>(c);
  bl::scatter_(a, 0, i, 1.f);
#ifdef MISTAKE
  bl::scatter_(c, 0, i, 1.f);  // blame
#endif
}
