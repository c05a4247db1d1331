// Vectors in a vector are no array: a tensor is made of them first.
// expect: write_dtensor_T_R_v_as_v_is_no_array
// lines gcc: 12
// lines clang: 12
#include <broadloom/broadloom.hpp>

#include <vector>

namespace bl = broadloom;

auto use(const std::vector<std::vector<float>>& v) {
#ifdef MISTAKE
  return bl::eval(bl::mean(v, 1));  // blame
#else
  return bl::eval(bl::mean(bl::dtensor<float, 2>(v), 1));
#endif
}
