// A view of a container that is about to die is refused.
// expect gcc: deleted
// expect clang: refused
// lines gcc: 15
// lines clang: 30
#include <broadloom/broadloom.hpp>

#include <vector>

namespace bl = broadloom;

std::vector<float> make();

void use(std::vector<float>& kept) {
  static_cast<void>(bl::from(kept, bl::dshape<1>(2)));
#ifdef MISTAKE
  static_cast<void>(bl::from(make(), bl::dshape<1>(2)));  // blame
#endif
}
