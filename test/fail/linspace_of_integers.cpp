// linspace gives floating numbers.
// expect: linspace gives floating numbers: write cast
// lines gcc: 20
// lines clang: 20
#include <broadloom/broadloom.hpp>

namespace bl = broadloom;

void use() {
  static_cast<void>(bl::cast<int>(bl::linspace<double>(0, 10, 5)));
#ifdef MISTAKE
  static_cast<void>(bl::linspace<int>(0, 10, 5));  // blame
#endif
}
