// The source of index_add_ has the output's axes.
// expect: index_add_\(\): source has 1 axes
// lines gcc: 25
// lines clang: 30
#include <broadloom/broadloom.hpp>

namespace bl = broadloom;

void use(bl::dtensor<float, 2>& a, const bl::dtensor<bl::index, 1>& i, const bl::dtensor<float, 2>& s,
         const bl::dtensor<float, 1>& v) {
  static_cast<void>(v);
  bl::index_add_(a, 0, i, s);
#ifdef MISTAKE
  bl::index_add_(a, 0, i, v);  // blame
#endif
}
