// An expression has no elements to iterate over before it is evaluated.
// expect: write_eval_e_to_iterate_over_its_elements
// lines gcc: 15
// lines clang: 30
#include <broadloom/broadloom.hpp>

namespace bl = broadloom;

float use(const bl::dtensor<float, 2>& a) {
  float s = 0;
#ifdef MISTAKE
  for (float x : a + a) s += x;  // blame
#else
  for (float x : bl::eval(a + a)) s += x;
  for (float x : a.T()) s += x;
#endif
  return s;
}
