// Axes known to the compiler must be a permutation.
// expect: the axes must be a permutation of the array's axes
// lines gcc: 15
// lines clang: 30
#include <broadloom/broadloom.hpp>

namespace bl = broadloom;

void use(const bl::tensor<float, bl::shape<2, 3, 4>>& a) {
  static_cast<void>(bl::permute(a, bl::axes<2, 0, 1>));
#ifdef MISTAKE
  static_cast<void>(bl::permute(a, bl::axes<2, 0, 0>));  // blame
#endif
}
