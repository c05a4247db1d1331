// An expression that doubles with each line has 128 operands in the end: the limit and the size are named.
// expect: too many operands
// expect: 128 <= 127
// expect: let
// lines gcc: 15
// lines clang: 30
#include <broadloom/broadloom.hpp>

namespace bl = broadloom;

void use(const bl::dtensor<float, 1>& a) {
  const auto two = a + a;
  const auto four = two * two;
  const auto eight = four + four;
  const auto sixteen = eight * eight;
  const auto half = sixteen + sixteen;
#ifdef MISTAKE
  const auto all = half * half;
#else
  const auto all = bl::let(half) * bl::let(half);
#endif
#ifdef MISTAKE
  static_cast<void>(all + all);  // blame
#else
  static_cast<void>(all + all);
#endif
}
