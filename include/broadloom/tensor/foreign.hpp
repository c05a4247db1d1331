// Arrays of other kinds as leaves: a view of memory owned elsewhere, and a leaf that owns an object which was
// moved into the tree.
#pragma once

#include <broadloom/expr/capture.hpp>
#include <broadloom/expr/owned_arrays.hpp>

namespace broadloom::detail {

template <class T, class Shape, class Strides>
constexpr auto strided_view(T* data, const Shape& s, const Strides& strides) {
  return view<T, Shape, Strides>(data, s, strides);
}

// A leaf that owns `object`; see(kept object) is a view of its elements. Throws std::bad_alloc, and then `object` has
// been moved from.
template <class Object, class See>
auto owning_leaf(Object&& object, const See& see) {
  static_assert(!std::is_reference_v<Object>);
  struct holder {
    Object* kept;
    ~holder() { delete kept; }
  } held{new Object(static_cast<Object&&>(object))};
  const auto seen = see(static_cast<const Object&>(*held.kept));
  using view_type = std::remove_const_t<decltype(seen)>;
  const shared_handle handle(make_shared_owner(held.kept, [](void* o) { delete static_cast<Object*>(o); }));
  held.kept = nullptr;
  return shared_array<typename view_type::value_type, typename view_type::shape_type, typename view_type::layout_type>(
      handle, seen.data(), seen.shape(), seen.layout());
}

}  // namespace broadloom::detail
