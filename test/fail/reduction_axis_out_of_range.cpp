// An axis of a reduction that the compiler knows lies outside of the array's axes.
// expect: Dimension out of range
// lines gcc: 18
// lines clang: 30
#include <broadloom/broadloom.hpp>

namespace bl = broadloom;

void use(const bl::tensor<float, bl::shape<2, 3>>& a) {
  static_cast<void>(bl::sum(a, bl::axes<-2>));
#ifdef MISTAKE
  static_cast<void>(bl::sum(a, bl::axes<2>));  // blame
#endif
}
