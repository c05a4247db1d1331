// The mean of integers needs a floating type to be computed in.
// expect: could not infer
// lines gcc: 20
// lines clang: 30
#include <broadloom/broadloom.hpp>

namespace bl = broadloom;

void use(const bl::tensor<int, bl::shape<2, 3>>& a) {
  static_cast<void>(bl::mean(a, bl::axes<0>, bl::of_type<float>));
#ifdef MISTAKE
  static_cast<void>(bl::mean(a, bl::axes<0>));  // blame
#endif
}
