// In a strict scope an array does not gain axes.
// clang does not print what the function would return.
// expect gcc: strict_forbids_operands_of_different_rank
// expect clang: refused: a strict scope forbids operands of different rank
// no anchor clang
// lines gcc: 20
// lines clang: 30
#include <broadloom/broadloom.hpp>
#include <broadloom/fn/strictly.hpp>

namespace bl = broadloom;

void use(const bl::dtensor<float, 2>& a, const bl::dtensor<float, 1>& b) {
  static_cast<void>(a + b);
  using namespace bl::strictly;
  static_cast<void>(a + a);
#ifdef MISTAKE
  static_cast<void>(a + b);  // blame
#endif
}
