// `view = view` writes elements, so moving a view to another one (as std::swap does) would lose data.
// expect gcc: a_view_is_not_moved_or_swapped_but_written_by_assign
// expect clang: selected deleted operator '='
// no anchor clang
// lines gcc: 15
// lines clang: 30
#include <broadloom/broadloom.hpp>

#include <utility>

namespace bl = broadloom;

void use(bl::view<float, bl::dshape<1>> a, bl::view<float, bl::dshape<1>> b) {
  a = b;
  bl::assign(a, b);
#ifdef MISTAKE
  a = std::move(b);  // blame
#endif
}
