// LAPACK's letter is no flag: of 'L' C++ would make true, which is the upper triangle.
// expect: write_true_for_the_upper_triangle_or_false_for_the_lower
// lines gcc: 12
// lines clang: 12
#include <broadloom/broadloom.hpp>
#include <broadloom/linalg.hpp>

namespace bl = broadloom;

void use(const bl::dtensor<double, 2>& a) {
  static_cast<void>(bl::eigvalsh(a, false));
#ifdef MISTAKE
  static_cast<void>(bl::eigvalsh(a, 'L'));  // blame
#endif
}
