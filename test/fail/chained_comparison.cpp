// 1 < a < 3 compares truth values with 3, as in C: refused, as Python means both at once.
// expect: write_a_chain_of_comparisons_as_1_lt_a_and_a_lt_3
// lines gcc: 12
// lines clang: 24
#include <broadloom/broadloom.hpp>

namespace bl = broadloom;

bool use(const bl::dtensor<float, 1>& a) {
#ifdef MISTAKE
  return bl::any(1 < a < 3).item();  // blame
#else
  return bl::any(1 < a && a < 3).item();
#endif
}
