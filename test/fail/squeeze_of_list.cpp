// How many axes go must be known: the rank is part of the type.
// expect: std::array instead of std::vector
// lines gcc: 15
// lines clang: 30
#include <broadloom/broadloom.hpp>

#include <array>
#include <vector>

namespace bl = broadloom;

void use(bl::dtensor<float, 3>& a) {
#ifdef MISTAKE
  static_cast<void>(bl::squeeze(a, std::vector<int>{0, 1}));  // blame
#else
  static_cast<void>(bl::squeeze(a, std::array<int, 2>{0, 1}));
#endif
}
