// A named view of the same type as the right side could be moved by mistake: bl::assign or (bl::all) say that elements
// are written.
// expect gcc: a_view_is_not_moved_or_swapped_but_written_by_assign
// expect clang: selected deleted operator '='
// no anchor clang
// lines gcc: 15
// lines clang: 30
#include <broadloom/broadloom.hpp>

namespace bl = broadloom;

void use(bl::dtensor<float, 2>& m) {
  auto row = bl::select(m, 0, 0);
  bl::assign(row, bl::select(m, 0, 1));
  row(bl::all) = bl::select(m, 0, 1);
  bl::select(m, 0, 0) = bl::select(m, 0, 1);
#ifdef MISTAKE
  row = bl::select(m, 0, 1);  // blame
#endif
}
