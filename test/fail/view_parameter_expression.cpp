// An expression is no memory to look at: it is evaluated first.
// expect gcc: could not convert
// expect clang: no known conversion
// no anchor
// lines gcc: 15
// lines clang: 30
#include <broadloom/broadloom.hpp>

namespace bl = broadloom;

void f(bl::dview<const float, 2>);

void use(const bl::dtensor<float, 2>& a, const bl::dtensor<float, 2>& b) {
  f(a);
  f(a.T());
#ifdef MISTAKE
  f(a + b);  // blame
#else
  const auto c = bl::eval(a + b);
  f(c);
#endif
}
