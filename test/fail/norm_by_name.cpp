// The norms that other libraries name are those of matrices.
// expect: write_matrix_norm_x_frobenius_or_x_nuclear
// lines gcc: 15
// lines clang: 30
#include <broadloom/broadloom.hpp>

namespace bl = broadloom;

auto use(const bl::dtensor<float, 2>& a) {
#ifdef MISTAKE
  return bl::eval(bl::norm(a, "fro"));  // blame
#else
  return bl::eval(bl::norm(a));
#endif
}
