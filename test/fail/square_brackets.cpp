// Indices stand in one pair of round brackets.
// expect: write_a_i_j_in_round_brackets
// lines gcc: 15
// lines clang: 30
#include <broadloom/broadloom.hpp>

namespace bl = broadloom;

float use(const bl::dtensor<float, 2>& a) {
#ifdef MISTAKE
  return a[1][2];  // blame
#else
  return a(1, 2);
#endif
}
