// More than one element is no number: compilers give no reason for a conversion that nobody wrote. A deleted one would
// give it, and make calls of functions that take a number or a view ambiguous.
// expect gcc: cannot convert
// expect clang: no viable conversion
// no anchor
// lines gcc: 15
// lines clang: 30
#include <broadloom/broadloom.hpp>

namespace bl = broadloom;

float larger(float x);
float larger(bl::dview<const float, 2> x);

float use(const bl::dtensor<float, 2>& a) {
#ifdef MISTAKE
  float m = bl::mean(a, 1);  // blame
#else
  float m = bl::mean(a) + larger(a);
#endif
  return m;
}
