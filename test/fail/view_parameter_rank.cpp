// A parameter takes arrays of its rank.
// expect gcc: could not convert
// expect clang: no known conversion
// no anchor
// lines gcc: 15
// lines clang: 30
#include <broadloom/broadloom.hpp>

namespace bl = broadloom;

void f(bl::dview<const float, 2>);

void use(const bl::dtensor<float, 2>& a, bl::dtensor<float, 3>& b) {
  f(a);
  f(a.T());
#ifdef MISTAKE
  f(b);  // blame
#else
  f(b(0));
#endif
}
