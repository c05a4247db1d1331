// Arrays of which one would be broadcast where equal shapes are wanted.
// expect: dim 0: 1 vs batch; the shapes are not the same
// lines gcc: 18
// lines clang: 20
#include <broadloom/broadloom.hpp>

namespace bl = broadloom;
using bl::dyn;
constexpr auto batch = bl::size<"batch">, feature = bl::size<"feature">;

template <bl::array A, bl::same_shape<A> B>
void take(const A&, const B&) {}

void use(const bl::tensor<float, bl::shape<batch, 3>>& x, const bl::tensor<float, bl::shape<1, 3>>& y) {
  take(x, x * 2);
#ifdef MISTAKE
  take(x, y);  // blame
#endif
}
