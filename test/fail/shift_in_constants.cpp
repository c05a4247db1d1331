// What throws when it is evaluated is an error of the compiler in constant expressions: shifts by what is no count.
// clang shows the ten calls nearest to it, and the macros of the catalogue, which no header shortens.
// expect: throw_wrong_shift
// no anchor
// lines gcc: 30
// lines clang: 61
#include <broadloom/broadloom.hpp>

namespace bl = broadloom;

inline constexpr bl::tensor<int, bl::shape<2>> x{1, 2}, counts{31, 0}, wrong{31, 32};
inline constexpr auto shifted = bl::eval(x << counts);
#ifdef MISTAKE
inline constexpr auto mistaken = bl::eval(x << wrong);  // blame
#endif
static_assert(shifted(1) == 2 && wrong(0) == 31);
