// Elements of what reads a reduction are read after it was evaluated.
// expect: bl::eval\(e\)\(i, j\)
// lines gcc: 15
// lines clang: 30
#include <broadloom/broadloom.hpp>

namespace bl = broadloom;

float use(const bl::dtensor<float, 1>& a, bl::index i) {
  const auto e = a / bl::sum(a);
#ifdef MISTAKE
  static_cast<void>(e(i));  // blame
#endif
  return bl::eval(e)(i) + (a * a)(i) + bl::sum(a).item();
}
