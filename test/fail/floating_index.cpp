// A floating index would be truncated.
// expect: an index is an integer
// lines gcc: 14
// lines clang: 14
#include <broadloom/broadloom.hpp>

namespace bl = broadloom;

float use(const bl::dtensor<float, 1>& a) {
#ifdef MISTAKE
  return a(1.7).item();  // blame
#else
  return a(1);
#endif
}
