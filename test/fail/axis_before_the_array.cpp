// A reduction takes the array first.
// expect: write_the_array_first_and_then_what_is_done_with_it
// lines gcc: 12
// lines clang: 12
#include <broadloom/broadloom.hpp>

namespace bl = broadloom;

auto use(const bl::dtensor<float, 2>& x) {
#ifdef MISTAKE
  return bl::eval(bl::sum(0, x));  // blame
#else
  return bl::eval(bl::sum(x, 0));
#endif
}
