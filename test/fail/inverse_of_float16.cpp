// A decomposition of elements of 16 bits, which is computed for float and double alone.
// expect: not_defined_for_elements_of_16_bits_use_cast_to_float
// expect gcc: linalg.inv
// lines gcc: 14
// lines clang: 20
#include <broadloom/half.hpp>
#include <broadloom/linalg.hpp>

namespace bl = broadloom;

void use(const bl::dtensor<bl::float16, 2>& a) {
  static_cast<void>(bl::inv(bl::cast<float>(a)));
#ifdef MISTAKE
  static_cast<void>(bl::inv(a));  // blame
#endif
}
