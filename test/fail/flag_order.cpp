// The kind of sort that NumPy names is no flag, which would be that of descending order.
// expect: write_true_for_descending_order_as_every_sort_is_stable
// lines gcc: 12
// lines clang: 12
#include <broadloom/broadloom.hpp>

namespace bl = broadloom;

void use(const bl::dtensor<double, 1>& v) {
  static_cast<void>(bl::argsort(v, 0, true));
#ifdef MISTAKE
  static_cast<void>(bl::argsort(v, 0, "stable"));  // blame
#endif
}
