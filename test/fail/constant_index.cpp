// A constant index that is outside of a static extent does not compile; a number is an index_error when it runs.
// expect: a constant index is outside of its axis \[errors.md#constant-index\]
// lines gcc: 12
// lines clang: 12
#include <broadloom/broadloom.hpp>

namespace bl = broadloom;
using namespace bl::literals;

int at(const bl::tensor<int, bl::shape<3>>& s) {
#ifdef MISTAKE
  return s(5_c);  // blame
#else
  return s(2_c) + s(-3_c) + s(5) + bl::slice(s, 0_c).item();
#endif
}
