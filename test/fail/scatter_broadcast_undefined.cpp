// Neither index nor source has the axis: the case that the notes leave undefined.
// expect: scatter_broadcast: neither the ind
// lines gcc: 25
// lines clang: 30
#include <broadloom/broadloom.hpp>

namespace bl = broadloom;
using namespace bl::literals;

void use(bl::dtensor<float, 2>& a, const bl::dtensor<bl::index, 1>& i, const bl::dtensor<float, 1>& s) {
  bl::scatter_broadcast_(a, 1_c, i, s);
#ifdef MISTAKE
  bl::scatter_broadcast_(a, 0_c, i, s);  // blame
#endif
}
