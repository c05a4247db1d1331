// The norm of integers needs a floating type to be computed in, as in PyTorch.
// expect: input dtype should
// lines gcc: 20
// lines clang: 30
#include <broadloom/broadloom.hpp>

namespace bl = broadloom;

void use(const bl::tensor<int, bl::shape<2, 3>>& a) {
  static_cast<void>(bl::norm(a, bl::axes<0>, bl::of_type<float>));
#ifdef MISTAKE
  static_cast<void>(bl::norm(a, bl::axes<0>));  // blame
#endif
}
