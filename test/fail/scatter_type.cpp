// What is scattered has the output's type.
// expect: scatter\(\): Expected self.dtype
// lines gcc: 25
// lines clang: 30
#include <broadloom/broadloom.hpp>

namespace bl = broadloom;

void use(bl::dtensor<float, 1>& a, const bl::dtensor<bl::index, 1>& i, const bl::dtensor<float, 1>& s,
         const bl::dtensor<double, 1>& d) {
  static_cast<void>(d);
  bl::scatter_(a, 0, i, s);
#ifdef MISTAKE
  bl::scatter_(a, 0, i, d);  // blame
#endif
}
