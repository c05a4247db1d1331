// A floating result does not go into integers, through positions either.
// expect: result type can.{1,2}t be cast from
// lines gcc: 25
// lines clang: 30
#include <broadloom/broadloom.hpp>

namespace bl = broadloom;

void use(bl::dtensor<int, 1>& a, const bl::dtensor<bl::index, 1>& i, const bl::dtensor<int, 1>& s,
         const bl::dtensor<float, 1>& f) {
  static_cast<void>(f);
  a(i) = s;
#ifdef MISTAKE
  a(i) = f;  // blame
#endif
}
