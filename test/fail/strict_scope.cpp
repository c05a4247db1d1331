// In a strict scope an array does not gain axes.
// clang does not print what a deleted function would return. It says which condition fails, and lists all candidates.
// expect gcc: strict_forbids_operands_of_different_rank
// expect clang: overload resolution selected deleted operator '\+'
// expect clang: because 'ranks_agree<.*evaluated to false
// no anchor clang
// lines gcc: 20
// lines clang: 48
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
