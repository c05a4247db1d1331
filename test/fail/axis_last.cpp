// The axis of a join comes first, as there may be any number of arrays.
// expect: write_the_axis_first_and_no_braces_cat_0_a_b
// lines gcc: 13
// lines clang: 30
#include <broadloom/broadloom.hpp>

namespace bl = broadloom;

auto use(const bl::dtensor<float, 2>& a) {
#ifdef MISTAKE
  return bl::cat(a, a, 1);  // blame
#else
  return bl::cat(1, a, a);
#endif
}
