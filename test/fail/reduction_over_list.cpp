// How many axes are reduced must be known where they go.
// expect: std::array instead of std::vector, or keepdim
// lines gcc: 15
// lines clang: 30
#include <broadloom/broadloom.hpp>

#include <vector>

namespace bl = broadloom;

auto use(const bl::dtensor<float, 3>& a, const std::vector<int>& axes) {
#ifdef MISTAKE
  return bl::sum(a, axes);  // blame
#else
  return bl::sum(a, axes, bl::keepdim);
#endif
}
