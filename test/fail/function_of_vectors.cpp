// A function that takes an axis says that vectors in a vector are no array.
// expect: write_dtensor_T_R_v_as_v_is_no_array
// lines gcc: 12
// lines clang: 12
#include <broadloom/broadloom.hpp>

#include <vector>

namespace bl = broadloom;

auto use(const std::vector<std::vector<float>>& v) {
#ifdef MISTAKE
  return bl::sort(v, 0);  // blame
#else
  return bl::sort(bl::dtensor<float, 2>(v), 0);
#endif
}
