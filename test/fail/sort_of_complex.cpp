// Complex numbers are not sorted.
// expect: complex numbers have no order
// lines gcc: 30
// lines clang: 30
#include <complex>

#include <broadloom/broadloom.hpp>

namespace bl = broadloom;

void use(const bl::dtensor<std::complex<float>, 1>& a, const bl::dtensor<float, 1>& b) {
  static_cast<void>(a);
  bl::sort(b);
#ifdef MISTAKE
  bl::sort(a);  // blame
#endif
}
