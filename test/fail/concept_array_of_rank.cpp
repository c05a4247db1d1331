// A vector where a matrix is wanted.
// expect: 1 vs 2 axes; the rank is not
// lines gcc: 18
// lines clang: 20
#include <broadloom/broadloom.hpp>

namespace bl = broadloom;
using bl::dyn;
constexpr auto batch = bl::size<"batch">, feature = bl::size<"feature">;

template <bl::array_of_rank<2> A>
void take(const A&) {}

void use(const bl::dtensor<float, 2>& matrix, const bl::dtensor<float, 1>& vector) {
  take(matrix * 2);
#ifdef MISTAKE
  take(vector * 2);  // blame
#endif
}
