// There is no operator %: C's and Python's remainders differ.
// expect: write_remainder_as_pythons_or_fmod_as_cs
// lines gcc: 15
// lines clang: 30
#include <broadloom/broadloom.hpp>

namespace bl = broadloom;

void use(const bl::dtensor<int, 1>& n) {
  static_cast<void>(bl::remainder(n, 2));
#ifdef MISTAKE
  static_cast<void>(n % 2);  // blame
#endif
}
