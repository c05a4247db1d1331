// The axis of a softmax is written: PyTorch warns where it has to guess it.
// expect: which_axis_write_it_after_the_array
// lines gcc: 13
// lines clang: 30
#include <broadloom/broadloom.hpp>

namespace bl = broadloom;

bl::dtensor<float, 2> use(const bl::dtensor<float, 2>& a) {
#ifdef MISTAKE
  return bl::softmax(a);  // blame
#else
  return bl::softmax(a, 0);
#endif
}
