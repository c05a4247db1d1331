// NumPy's place(x, mask, values) is no function here.
// expect gcc: write_masked_copy_x_mask_values_or_masked_fill_x_mask_number
// expect clang: call to deleted function call operator
// no anchor clang
// lines gcc: 12
// lines clang: 14
#include <broadloom/broadloom.hpp>

namespace bl = broadloom;

void use(bl::dtensor<float, 1>& x, const bl::dtensor<float, 1>& values) {
  bl::masked_copy_(x, x > 3, values);
#ifdef MISTAKE
  bl::place(x, x > 3, values);  // blame
#endif
}
