// The index of index_select is a vector.
// expect: index_select\(\): Index is supposed
// lines gcc: 25
// lines clang: 30
#include <broadloom/broadloom.hpp>

namespace bl = broadloom;

void use(const bl::dtensor<float, 2>& a, const bl::dtensor<bl::index, 1>& i, const bl::dtensor<bl::index, 2>& m) {
  static_cast<void>(m);
  static_cast<void>(bl::index_select(a, 0, i));
#ifdef MISTAKE
  static_cast<void>(bl::index_select(a, 0, m));  // blame
#endif
}
