// Indices of one axis of a tree, written to memory: the leaves are moved, so that no tree of views is made of it.
#pragma once

#include <broadloom/core/api.hpp>
#include <broadloom/eval/assign.hpp>
#include <broadloom/expr/view_ops.hpp>

namespace broadloom {

namespace runtime {

// Indices [first, first + count) of an axis; `axis` below 0: all elements.
struct axis_range {
  int axis;
  index first, count;
};

// As an assign_fn, but only these indices, to the beginning of `out`; the axes before are of extent 1. Leaves and
// extents are changed.
BROADLOOM_API void assign_part(slot* leaves, index* extents, void* out, const unplanned_form& form,
                               const axis_range& part, const options& how);
// The same of any leaves in memory; `out` has the extents of the whole.
BROADLOOM_API void assign_part(const target_array& out, leaf_array* leaves, int count, const program& code,
                               const axis_range& part, const options& how);

}  // namespace runtime

namespace detail {

// Writes such a part of a tree of type E, or all of it, row-major. Compiled once, whatever the part.
template <int Native, class E>
[[gnu::noinline]] void write_part(const void* tree, void* out, const runtime::axis_range& part,
                                  const runtime::options& how) {
  const E& e = *static_cast<const E*>(tree);
  value_of<E>* const to = static_cast<value_of<E>*>(out);
  using out_type = view<value_of<E>, shape_of<E>, row_major>;
  constexpr int rank = rank_of<E>;
  if constexpr (deferred_count<E> > 0 || has_calls<E> || static_form<out_type, E, Native>::ok) {
    if (part.axis < 0) return assign_node<Native>(out_type(to, e.shape(), {}), e, how);
    if constexpr (rank > 0) {
      auto extents = e.shape().extents();
      extents[part.axis] = part.count;
      assign_node<Native>(view<value_of<E>, dshape<rank>, row_major>(to, dshape<rank>::unchecked(extents), {}),
                          edit_axes<narrow_edit>(e, index{part.axis}, part.first, part.count), how);
    }
  } else if constexpr (goes_unplanned<out_type, E>) {
    constexpr const runtime::unplanned_form& form = form_of_assignment<Native, out_type, E, writing::copy>;
    BROADLOOM_LIST_LEAVES(rank, E, e.shape(), e)
    runtime::assign_part(leaves, extents, to, form, part, how);
  } else {
    using code = program_code<typename program_of<E, value_of<E>>::type, Native, false>;
    bound_tree<E, Native> bound(e);
    runtime::assign_part(bind_output(out_type(to, e.shape(), {})), bound.leaves, bound.count, code::value, part, how);
  }
}

}  // namespace detail
}  // namespace broadloom
