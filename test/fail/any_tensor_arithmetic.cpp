// An array whose rank only the run knows computes nothing.
// expect: its_rank_is_known_to_the_run_only_write_x_as_rank_of_2_or_visit_rank
// lines gcc: 15
// lines clang: 30
#include <broadloom/broadloom.hpp>
#include <broadloom/interop/any_tensor.hpp>

namespace bl = broadloom;

void use(const bl::any_tensor<float>& x) {
  static_cast<void>(bl::eval(x.as_rank<2>() + 1));
#ifdef MISTAKE
  static_cast<void>(x + 1);  // blame
#endif
}
