// A parameter takes arrays of its element type: nothing is converted on the way.
// expect gcc: could not convert
// expect clang: no known conversion
// no anchor
// lines gcc: 15
// lines clang: 30
#include <broadloom/broadloom.hpp>

namespace bl = broadloom;

void f(bl::dview<const float, 2>);

void use(const bl::dtensor<float, 2>& a, const bl::dtensor<double, 2>& b) {
  f(a);
  f(a.T());
#ifdef MISTAKE
  f(b);  // blame
#else
  f(bl::eval(bl::cast<float>(b)).as_view());
#endif
}
