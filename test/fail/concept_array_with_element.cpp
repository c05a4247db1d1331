// Elements of another type than the concept wants.
// expect: is not the same as|__is_same
// no anchor
// lines gcc: 18
// lines clang: 20
#include <broadloom/broadloom.hpp>

namespace bl = broadloom;
using bl::dyn;
constexpr auto batch = bl::size<"batch">, feature = bl::size<"feature">;

template <bl::array_with<float, bl::shape<dyn, 3>> A>
void take(const A&) {}

void use(const bl::tensor<float, bl::shape<batch, 3>>& x, const bl::tensor<double, bl::shape<batch, 3>>& y) {
  take(x);
#ifdef MISTAKE
  take(y);  // blame
#endif
}
