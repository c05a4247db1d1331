// The compiled side of the door: an evaluation is run by the first room that takes it.
#include "../fuse/barriers.hpp"
#include "../plan/bound.hpp"
#include "small_barriers.hpp"
#include "small_strided.hpp"

namespace broadloom::runtime {

void assign(const target_array& out, const leaf_array* leaves, int count, const program& code, const options& how) {
  for (int i = 0; i < out.rank; ++i)
    if (out.extents[i] == 0) return;
  for (int k = 0; k < count; ++k)
    if (leaves[k].from != nullptr) {
      if (compute_in_place(out, leaves, count, code, how)) return;
      if (assign_small_barriers(out, leaves, count, code, how)) return;
      return assign_with_barriers(out, leaves, count, code, how);
    }
  if (assign_small(out, leaves, count, code, how)) return;
  execute(bound_problem(out, leaves, count, code, how).problem);
}

}  // namespace broadloom::runtime
