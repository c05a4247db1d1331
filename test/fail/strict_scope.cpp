// In a strict scope an array does not gain axes.
// expect: strict_forbids_operands_of_different_rank
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
