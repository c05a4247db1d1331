// Eigenvalues are complex numbers: of real arrays too they need <complex>.
// expect: include_complex_whose_numbers_eigenvalues_are
// lines gcc: 15
// lines clang: 33
#include <broadloom/linalg/spectral.hpp>

namespace bl = broadloom;

void use(const bl::dtensor<double, 2>& a) {
  static_cast<void>(bl::eigvalsh(a));
#ifdef MISTAKE
  static_cast<void>(bl::eig(a));  // blame
#endif
}
