// A tensor made from an expression of another rank.
// expect: rank 1 vs 2
// lines gcc: 15
// lines clang: 30
#include <broadloom/broadloom.hpp>

namespace bl = broadloom;

void use(const bl::dtensor<float, 2>& a) {
  bl::dtensor<float, 2> m = a + a;
#ifdef MISTAKE
  bl::dtensor<float, 1> v = a + a;  // blame
#endif
  static_cast<void>(m);
}
