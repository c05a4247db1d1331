// A part of an axis of a tree: the same leaves, moved along it.
#include <broadloom/eval/assign_part.hpp>

#include "../plan/bound.hpp"

namespace broadloom::runtime {

void assign_part(slot* leaves, index* extents, void* out, const unplanned_form& form, const axis_range& part,
                 const options& how) {
  const int rank = form.rank, axis = part.axis;
  const unplanned_place at = place_of(form);
  assign_fn* const assign_all = unplanned_assign[at.rank][at.count];
  if (axis < 0) return assign_all(leaves, extents, out, form, how);
  small_array<dtype, 16> types(form.count);
  for (int k = 0; k < form.count; ++k) types[k] = form.type;
  each_leaf_type(*form.code, [&](int k, dtype type) { types[k] = type; });
  for (int k = 0; k < form.count; ++k) {
    index* const own = extents + (k + 1) * rank;
    if (leaves[k].advance != 0 && own[axis] != 1) {
      index step = part.first * size_of(types[k]);
      for (int i = axis + 1; i < rank; ++i) step *= own[i];
      leaves[k].data = static_cast<const char*>(leaves[k].data) + step;
    }
    if (own[axis] != 1) own[axis] = part.count;
  }
  extents[axis] = part.count;
  assign_all(leaves, extents, out, form, how);
}

void assign_part(const target_array& out, leaf_array* leaves, int count, const program& code, const axis_range& part,
                 const options& how) {
  if (part.axis < 0) return assign(out, leaves, count, code, how);
  const int rank = out.rank;
  small_array<index, 64> extents(static_cast<std::size_t>((count + 1) * rank));
  for (int i = 0; i < rank; ++i) extents[i] = i == part.axis ? part.count : out.extents[i];
  index* own = extents.data() + rank;
  for (int k = 0; k < count; ++k, own += rank) {
    leaf_array& x = leaves[k];
    const int axis = part.axis - (rank - x.rank);
    if (x.is_scalar || axis < 0 || x.extents[axis] == 1) continue;
    index step = 1;
    if (x.strides != nullptr)
      step = x.strides[axis];
    else
      for (int i = axis + 1; i < x.rank; ++i) step *= x.extents[i];
    x.data = static_cast<const char*>(x.data) + part.first * step * size_of(x.type);
    for (int i = 0; i < x.rank; ++i) own[i] = i == axis ? part.count : x.extents[i];
    x.extents = own;
  }
  assign({out.data, extents.data(), out.strides, out.rank, out.type}, leaves, count, code, how);
}

}  // namespace broadloom::runtime
