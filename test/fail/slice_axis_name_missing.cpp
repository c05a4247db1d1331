// No axis of the array has this name.
// expect: tim: no axis of \[batch, time\]
// lines gcc: 16
// lines clang: 30
#include <broadloom/broadloom.hpp>

namespace bl = broadloom;
using namespace bl::literals;
constexpr auto batch = bl::size<"batch">, time = bl::size<"time">;

void use(const bl::tensor<float, bl::shape<batch, time>>& x, const bl::dtensor<float, 1>& plain) {
  static_cast<void>(plain * 2);
  static_cast<void>(bl::slice(x, "time"_axis = 2, "batch"_axis = bl::all));
#ifdef MISTAKE
  static_cast<void>(bl::slice(x, "tim"_axis = 2));  // blame
#endif
}
