// A number is no flag.
// expect: write_true_or_false
// lines gcc: 12
// lines clang: 12
#include <broadloom/broadloom.hpp>
#include <broadloom/index/membership.hpp>

namespace bl = broadloom;

void use(const bl::dtensor<double, 1>& v) {
  static_cast<void>(bl::isin(v, v, true));
#ifdef MISTAKE
  static_cast<void>(bl::isin(v, v, 2.5));  // blame
#endif
}
