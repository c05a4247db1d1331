// `tensor = e` replaces the value, so a result of another rank does not compile; assign broadcasts.
// expect: bl::assign\(o, e\) broadcasts
// expect gcc: and rank 1 is not 2
// lines gcc: 15
// lines clang: 15
#include <broadloom/broadloom.hpp>

namespace bl = broadloom;

void use(bl::tensor<float, bl::dshape<2>>& a, const bl::tensor<float, bl::dshape<1>>& row) {
  bl::assign(a, row);
  a(bl::all) = row;
#ifdef MISTAKE
  a = row;  // blame
#endif
}
