// More than one element is no number.
// expect: only_rank_0_is_a_number
// lines gcc: 15
// lines clang: 30
#include <broadloom/broadloom.hpp>

namespace bl = broadloom;

float use(const bl::dtensor<float, 2>& a) {
#ifdef MISTAKE
  return static_cast<float>(a + a);  // blame
#else
  return static_cast<float>(bl::sum(a)) + bl::mean(a);
#endif
}
