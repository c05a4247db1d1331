// A function that an element type of the program's own has not.
// expect: not_defined_for_these_element_types
// expect: exp.*mine::metres
// lines gcc: 12
// lines clang: 14
#include <broadloom/elements.hpp>

namespace bl = broadloom;

namespace mine {
struct metres {
  double m;
  friend metres operator+(metres a, metres b) { return {a.m + b.m}; }
};
}  // namespace mine
template <>
inline constexpr bool bl::enable_element<mine::metres> = true;

void use(bl::dtensor<mine::metres, 1>& x) {
  x = x + bl::sum(x);
#ifdef MISTAKE
  static_cast<void>(bl::exp(x));  // blame
#endif
}
