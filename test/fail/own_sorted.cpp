// A function of the compiled library, which does not know element types of the program's own.
// expect: this function is not there for element types of the program's own
// lines gcc: 30
// lines clang: 30
#include <broadloom/elements.hpp>

namespace bl = broadloom;

namespace mine {
struct metres {
  double m;
  friend bool operator<(metres a, metres b) { return a.m < b.m; }
};
}  // namespace mine
template <>
inline constexpr bool bl::enable_element<mine::metres> = true;

void use(bl::dtensor<mine::metres, 1>& x) {
  x = bl::flip(x, 0);
#ifdef MISTAKE
  x = bl::sort(x).values;  // blame
#endif
}
