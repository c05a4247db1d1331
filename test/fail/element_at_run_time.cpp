// Elements of static arrays behind a reduction may be asked for in constant expressions alone.
// expect: bl::eval\(e\)\(i, j\)
// generates code
// lines gcc: 15
// lines clang: 30
#include <broadloom/broadloom.hpp>

namespace bl = broadloom;

constexpr bl::tensor<float, bl::shape<4>> x{{1, 2, 3, 2}};
static_assert((x / bl::sum(x))(1) == 0.25f);

float use(const bl::tensor<float, bl::shape<4>>& a) {
  const auto e = a / bl::sum(a);
#ifdef MISTAKE
  return e(1);  // blame
#else
  return bl::eval(e)(1) + bl::sum(a).item() + bl::sum(a)();
#endif
}
