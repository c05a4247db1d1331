// A dynamic tensor that becomes the value of a tree: what the library allocates and evaluates by one call.
#pragma once

#include <broadloom/eval/assign.hpp>
#include <broadloom/expr/tensor_ref.hpp>

namespace broadloom::detail {

// Whether the library also allocates for a tensor that becomes such a tree's value: then the caller has nothing to free
// when an evaluation throws.
template <int Native, class Out, class E>
inline constexpr bool replaces_unplanned = Out::shape_type::dyn_count == rank_of<Out> && goes_unplanned<Out, E> &&
                                           !has_calls<E> && !static_form<Out, E, Native>::ok;
template <int Native, class T, class Shape, class E>
[[gnu::always_inline]] inline void replace_at_run_time(tensor_elements<T, Shape>& to, const Shape& s, const E& e) {
  static_assert(sizeof to == sizeof(runtime::tensor_elements) + Shape::axes_count * sizeof(index));
  constexpr int rank = Shape::axes_count, count = operand_limit<operand_count<E>>::count;
  constexpr const runtime::unplanned_form& form =
      form_of_assignment<Native, view<T, Shape, row_major>, E, writing::copy>;
  runtime::slot leaves[count];
  index extents[rank * (1 + count) + 1];
  list_all_unplanned<rank>(s, e, leaves, extents);
  constexpr runtime::replace_fn* replace = runtime::replace_for(form);
  replace(&to, leaves, extents, form);
}
// The same for a tensor that has no shape yet.
template <int Native, class T, class Shape, class E>
[[gnu::always_inline]] inline void construct_at_run_time(tensor_elements<T, Shape>& to, const Shape& s, const E& e,
                                                         const runtime::options& how) {
  constexpr int rank = Shape::axes_count, count = operand_limit<operand_count<E>>::count;
  constexpr const runtime::unplanned_form& form =
      form_of_assignment<Native, view<T, Shape, row_major>, E, writing::copy>;
  runtime::slot leaves[count];
  index extents[rank * (1 + count) + 1];
  list_all_unplanned<rank>(s, e, leaves, extents);
  const auto fresh = runtime::replace_unplanned({to.data, to.size}, leaves, extents, form, how);
  to.data = static_cast<T*>(fresh.data);
  to.size = fresh.size;
  to.shape = s;
}

}  // namespace broadloom::detail
