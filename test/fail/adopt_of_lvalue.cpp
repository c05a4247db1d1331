// What is adopted moves in; an lvalue is looked at by from.
// expect: write_adopt_of_std_move_v_or_from_v
// lines gcc: 15
// lines clang: 33
#include <broadloom/broadloom.hpp>

#include <vector>

namespace bl = broadloom;

float use(std::vector<float>& v) {
#ifdef MISTAKE
  auto a = bl::adopt(v, 2, 3);  // blame
#else
  auto a = bl::adopt(std::move(v), 2, 3);
#endif
  return a(1, 2);
}
