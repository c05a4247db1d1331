// A .npy file of elements for which NumPy has no type.
// expect: NumPy has no type for bfloat16: write cast<float>\(x\), and read float and cast<bfloat16>
// lines gcc: 14
// lines clang: 14
#include <broadloom/half.hpp>
#include <broadloom/io/npy.hpp>

namespace bl = broadloom;

void use(const bl::dtensor<bl::bfloat16, 2>& a) {
  bl::write_npy("a.npy", bl::cast<float>(a));
#ifdef MISTAKE
  bl::write_npy("a.npy", a);  // blame
#endif
}
