// No operand has an axis of this name.
// expect: tim: no axis of an operand
// lines gcc: 15
// lines clang: 30
#include <broadloom/broadloom.hpp>
#include <broadloom/linalg.hpp>

namespace bl = broadloom;
using namespace bl::literals;
constexpr auto batch = bl::size<"batch">, steps = bl::size<"time">;

void use(const bl::tensor<float, bl::shape<batch, steps>>& x, const bl::dtensor<float, 1>& plain) {
  static_cast<void>(plain * 2);
  static_cast<void>(bl::einsum_to<"time">(x, x));
#ifdef MISTAKE
  static_cast<void>(bl::einsum_to<"tim">(x, x));  // blame
#endif
}
