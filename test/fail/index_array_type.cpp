// An index array that is not of i32 or i64.
// expect: an index array is of i32 or i64
// lines gcc: 20
// lines clang: 20
#include <broadloom/broadloom.hpp>

namespace bl = broadloom;

void use(bl::dtensor<float, 2>& x, const bl::dtensor<int, 1>& i, const bl::dtensor<float, 1>& f) {
  static_cast<void>(f);
  static_cast<void>(x(bl::all, i));
#ifdef MISTAKE
  static_cast<void>(x(bl::all, f));  // blame
#endif
}
