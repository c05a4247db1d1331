// A softmax of integers needs a floating type to be computed in, as in PyTorch.
// expect: softmax is not imp
// lines gcc: 20
// lines clang: 30
#include <broadloom/broadloom.hpp>

namespace bl = broadloom;
using namespace bl::literals;

void use(const bl::tensor<int, bl::shape<2, 3>>& a) {
  static_cast<void>(bl::softmax(a, 1_c, bl::of_type<float>));
#ifdef MISTAKE
  static_cast<void>(bl::softmax(a, 1_c));  // blame
#endif
}
