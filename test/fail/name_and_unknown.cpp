// A size with a name does not meet one without.
// expect: dim 1: feature vs \?; bl::named
// lines gcc: 15
// lines clang: 30
#include <broadloom/broadloom.hpp>

namespace bl = broadloom;
using namespace bl::literals;
constexpr auto batch = bl::size<"batch">, feature = bl::size<"feature">;

void use(const bl::tensor<float, bl::shape<batch, feature>>& x, const bl::tensor<float, bl::shape<feature>>& bias,
         const bl::tensor<float, bl::shape<batch>>& weight, const bl::dtensor<float, 2>& plain) {
  static_cast<void>(x + bias);
  static_cast<void>(weight * 2);
  static_cast<void>(plain * 2);
#ifdef MISTAKE
  static_cast<void>(x * plain);  // blame
#endif
}
