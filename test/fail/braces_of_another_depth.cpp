// An array of three axes wants three pairs of braces.
// expect: braces_are_nested_once_for_each_axis<3>
// lines gcc: 12
// lines clang: 12
#include <broadloom/broadloom.hpp>

namespace bl = broadloom;

void use() {
  const bl::dtensor<float, 3> a{{{1, 2}, {3, 4}}};
#ifdef MISTAKE
  const bl::dtensor<float, 3> b{{1, 2}, {3, 4}};  // blame
#endif
  static_cast<void>(a);
}
