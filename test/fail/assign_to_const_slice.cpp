// A slice of a const tensor cannot be written.
// expect clang: output_is_not_writable
// expect gcc: array is const, or windows, which overlap
// lines gcc: 15
// lines clang: 15
#include <broadloom/broadloom.hpp>

namespace bl = broadloom;

void use(bl::dtensor<float, 2>& a, const bl::dtensor<float, 2>& b) {
  a(bl::all, 1) = 2.0f;
#ifdef MISTAKE
  b(bl::all, 1) = 2.0f;  // blame
#endif
  static_cast<void>(b);
}
