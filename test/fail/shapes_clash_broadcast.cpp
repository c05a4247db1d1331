// Static shapes that do not broadcast do not compile: the shapes alone.
// expect: dim 1: 2 vs 3
// expect gcc: The size of tensor a \(2\) must match the size of tensor b \(3\) at non-singleton dimension 1
// lines gcc: 15
// lines clang: 30
#include <broadloom/shape/broadcast.hpp>

namespace bl = broadloom;

int main() {
  static_cast<void>(bl::broadcast(bl::shape<5, 2, 4, 1>{}, bl::shape<2, 1, 1>{}));
#ifdef MISTAKE
  static_cast<void>(bl::broadcast(bl::shape<5, 2, 4, 1>{}, bl::shape<3, 1, 1>{}));  // blame
#endif
}
