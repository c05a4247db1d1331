// Arrays that do not broadcast with each other, by name.
// expect: dim 1: batch vs feature; The size
// lines gcc: 18
// lines clang: 20
#include <broadloom/broadloom.hpp>

namespace bl = broadloom;
using bl::dyn;
constexpr auto batch = bl::size<"batch">, feature = bl::size<"feature">;

template <bl::array A, bl::broadcastable_with<A> B>
void take(const A&, const B&) {}

void use(const bl::tensor<float, bl::shape<3, feature>>& x, const bl::tensor<float, bl::shape<batch>>& y) {
  take(x, x);
#ifdef MISTAKE
  take(x, y);  // blame
#endif
}
