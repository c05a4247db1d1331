// How a tensor becomes the value of a tree: in the memory that it has, or in new memory. Where the tree needs no plan,
// the library allocates and evaluates by one call.
#pragma once

#include <broadloom/eval/assign.hpp>
#include <broadloom/expr/tensor_ref.hpp>
#include <broadloom/plan/unplanned.hpp>
#include <broadloom/plan/unplanned_leaves.hpp>
#include <broadloom/tensor/elements.hpp>

namespace broadloom::detail {

// Whether the library also allocates for a tensor that becomes such a tree's value: then the caller has nothing to free
// when an evaluation throws.
template <int Native, class Out, class E>
inline constexpr bool replaces_unplanned =
    !is_by_element(Native) && !Out::shape_type::is_static && Out::shape_type::dyn_count == rank_of<Out> &&
    goes_unplanned_in_memory<Out, E> && !has_calls<E> && !static_form<Out, E, Native>::ok;
// Whether elements of a static tensor become a tree's value without a look at anything else.
template <int Native, class Out, class E>
inline constexpr bool replaces_straight =
    static_form<Out, E, Native>::ok && !has_calls<E> && deferred_count<E> == 0 && !writes_itself<Native, Out, E>;

// The same by one call of the library, which gets the leaves as they stand in the tree: by their addresses where there
// are few.
template <const runtime::unplanned_form& Form>
[[gnu::always_inline]] inline void replace_from_listed(void* tensor, const runtime::listed_leaf* leaves) {
  constexpr unsigned numbers = Form.leaves.numbers, ramps = Form.leaves.ramps;
  if constexpr (Form.count == 2 && numbers == 0 && (ramps == 1 || ramps == 2))
    runtime::unplanned_listed.with_ramp(tensor, Form, leaves[ramps & 1].tensor, leaves[ramps >> 1].tensor);
  else if constexpr (ramps != 0 || !Form.one_loop || Form.rank > 2 || Form.count > 3 ||
                     (numbers != 0 && (Form.count != 2 || numbers == 3)))
    runtime::unplanned_listed.any(tensor, Form, leaves);
  else {
    constexpr int rank = Form.rank - 1;
    if constexpr (numbers != 0)
      runtime::unplanned_listed.rank[rank].with_number(tensor, Form, leaves[numbers & 1].tensor,
                                                       leaves[numbers >> 1].number);
    else if constexpr (Form.count == 1)
      runtime::unplanned_listed.rank[rank].one(tensor, Form, leaves[0].tensor);
    else if constexpr (Form.count == 2)
      runtime::unplanned_listed.rank[rank].two(tensor, Form, leaves[0].tensor, leaves[1].tensor);
    else
      runtime::unplanned_listed.rank[rank].three(tensor, Form, leaves[0].tensor, leaves[1].tensor, leaves[2].tensor);
  }
}

// Memory for the new value; given back if the evaluation throws.
template <class T, class Shape>
struct replacement {
  heap_elements<T, Shape>* elements;
  T* room;  // null: the present memory has the shape
  Shape shape;
  ~replacement() {
    if (room != nullptr) elements->drop(room, shape);
  }
};
// A tensor's elements, static or on the heap, get the value of any other tree; on the heap also its shape.
template <int Native, class T, class Shape, class Elements, class E>
[[gnu::always_inline]] constexpr void replace_value(Elements& to, const E& e) {
  using output = view<T, Shape, row_major>;
  const Shape s(e.shape());
  if constexpr (Shape::is_static)
    assign_node<Native>(output(to.v, s, {}), e, runtime::options{});
  else {
    const bool same = same_extents(s, to.shape);
    replacement<T, Shape> r{&to, same ? nullptr : to.room_for(s), s};
    assign_node<Native>(output(same ? to.data : r.room, s, {}), e, runtime::options{});
    if (r.room != nullptr) to.adopt(r.room, s);
    r.room = nullptr;
  }
}

// A constructor that throws runs no destructor: this frees the elements.
template <class Elements>
struct construction_guard {
  Elements* elements;
  ~construction_guard() {
    if (elements != nullptr) elements->release();
  }
};
// The same for a tensor under construction, which has no elements on the heap yet.
template <int Native, class T, class Shape, class Elements, class E>
constexpr void construct_value(Elements& to, const E& e, const runtime::options& how) {
  constexpr bool ok = castable(dtype_of<typename E::value_type>, dtype_of<T>);
  static_assert(ok, "result type can't be cast to the tensor's type [errors.md#result_type_does_not_fit]");
  using output = view<T, Shape, row_major>;
  if constexpr (!ok)
    return;
  else if constexpr (Shape::is_static)
    assign_node<Native>(output(to.v, Shape(e.shape()), {}), e, how);
  else if constexpr (replaces_unplanned<Native, output, E> && ramp_count<E> == 0) {
    const Shape s(e.shape());
    constexpr const runtime::unplanned_form& form = form_of_assignment<Native, output, E, writing::copy>;
    BROADLOOM_LIST_LEAVES(Shape::axes_count, E, s, e)
    const auto fresh = runtime::replace_unplanned({to.data, to.size}, leaves, extents, form, how);
    to.data = static_cast<T*>(fresh.data);
    to.size = fresh.size;
    to.shape = s;
  } else {
    to.allocate(Shape(e.shape()));
    construction_guard<Elements> g{&to};
    assign_node<Native>(output(to.data, to.shape, {}), e, how);
    g.elements = nullptr;
  }
}

}  // namespace broadloom::detail
