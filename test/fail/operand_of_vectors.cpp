// Elements of vectors in a vector are not contiguous: a tensor is made of them first.
// expect: write_dtensor_T_R_v_as_v_is_no_array
// lines gcc: 15
// lines clang: 30
#include <broadloom/broadloom.hpp>

#include <vector>

namespace bl = broadloom;

auto use(const bl::dtensor<float, 2>& a, const std::vector<std::vector<float>>& v) {
#ifdef MISTAKE
  return bl::eval(a * v);  // blame
#else
  return bl::eval(a * bl::dtensor<float, 2>(v));
#endif
}
