// A size of another name than the concept wants.
// expect: dim 0: feature vs batch; not the extent
// lines gcc: 18
// lines clang: 20
#include <broadloom/broadloom.hpp>

namespace bl = broadloom;
using bl::dyn;
constexpr auto batch = bl::size<"batch">, feature = bl::size<"feature">;

template <bl::array_of<float, batch, 3> A>
void take(const A&) {}

void use(const bl::tensor<float, bl::shape<batch, 3>>& x, const bl::tensor<float, bl::shape<feature, 3>>& y) {
  take(x + 1);
#ifdef MISTAKE
  take(y + 1);  // blame
#endif
}
