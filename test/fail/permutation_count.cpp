// A permutation names every axis.
// expect: one axis of the result per axis of the array
// lines gcc: 15
// lines clang: 30
#include <broadloom/broadloom.hpp>

namespace bl = broadloom;

void use(const bl::tensor<float, bl::shape<2, 3, 4>>& a) {
  static_cast<void>(bl::permute(a, 2, 0, 1));
#ifdef MISTAKE
  static_cast<void>(bl::permute(a, 1, 0));  // blame
#endif
}
