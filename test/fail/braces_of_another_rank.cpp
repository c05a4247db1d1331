// A matrix wants braces in braces.
// expect: braces_are_nested_once_for_each_axis<2>
// lines gcc: 15
// lines clang: 30
#include <broadloom/broadloom.hpp>

namespace bl = broadloom;

void use() {
  const bl::dtensor<float, 2> a{{1, 2, 3}};
#ifdef MISTAKE
  const bl::dtensor<float, 2> m{1, 2, 3};  // blame
#endif
  static_cast<void>(a);
}
