// `view = view` writes elements, so swapping views would lose data.
// expect: a_view_is_not_moved_or_swapped_but_written_by_assign
// lines gcc: 15
// lines clang: 30
#include <broadloom/broadloom.hpp>

#include <utility>

namespace bl = broadloom;

void use(bl::view<float, bl::dshape<1>> a, bl::view<float, bl::dshape<1>> b, bl::dtensor<float, 1>& x,
         bl::dtensor<float, 1>& y) {
  std::swap(x, y);
#ifdef MISTAKE
  swap(a, b);  // blame
#endif
  static_cast<void>(a), static_cast<void>(b);
}
