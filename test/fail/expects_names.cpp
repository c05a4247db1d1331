// One name stands for two names in the types.
// expect: n is batch vs feature
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
  bl::expects<"(_,n),(n)">(x, weight);  // blame
#endif
}
