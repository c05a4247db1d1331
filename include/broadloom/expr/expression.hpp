// What every node of a tree has: an element type, a shape, and elements that can be read one at a time.
#pragma once

#include <type_traits>

#include <broadloom/core/mistakes.hpp>
#include <broadloom/core/throw_error.hpp>
#include <broadloom/shape/layout.hpp>

namespace broadloom {

// A node of an expression tree: leaf, scalar, or function of nodes.
template <class T>
concept expression = requires {
  typename std::remove_cvref_t<T>::expression_tag;
  // Other libraries have a member of that name too, such as xtensor.
  requires __is_same(typename std::remove_cvref_t<T>::expression_tag, void);
};

namespace detail {

template <class T>
using value_of = typename std::remove_cvref_t<T>::value_type;
template <class T>
using shape_of = typename std::remove_cvref_t<T>::shape_type;
template <class T>
inline constexpr int rank_of = shape_of<T>::axes_count;

// The offset of the element at index `at` of a result of rank R.
// Missing axes and axes of extent 1 do not contribute.
template <int Rank, int R>
constexpr index offset_of(const indices<Rank>& extents, const indices<Rank>& strides, const indices<R>& at) {
  static_assert(Rank <= R);
  index o = 0;
  for (int i = 0; i < Rank; ++i)
    if (extents[i] != 1) o += strides[i] * at[R - Rank + i];
  return o;
}

[[noreturn, gnu::cold, gnu::noinline]] inline void throw_index_out_of_bounds(index value, index axis, index extent,
                                                                             const char* call = nullptr) {
  throw_error(error_kind::index_out_of_bounds, {value, axis, extent, call});
}

// The indices counted from the start. Throws index_error outside the shape.
template <class Shape, int R>
constexpr indices<R> checked_indices(const Shape& s, indices<R> at) {
  for (int i = 0; i < R; ++i) {
    if (at[i] < -s[i] || at[i] >= s[i]) throw_index_out_of_bounds(at[i], i, s[i]);
    if (at[i] < 0) at[i] += s[i];
  }
  return at;
}

// Whether every index that is a constant is inside of its axis, as far as the compiler knows the extents.
template <class Index>
constexpr bool is_inside(index extent) {
  if constexpr (constant<Index>)
    return is_dyn(extent) || (Index::value >= -extent && Index::value < extent);
  else
    return true;
}
template <class Shape, class... Index>
constexpr bool are_inside() {
  int axis = 0;
  return (is_inside<std::remove_cvref_t<Index>>(Shape::static_extents[axis++]) && ...);
}

// Slices by the call syntax, x(all, 3) and x(rows, all): expr/slice.hpp.
template <class... Index>
struct called_slice;

// Whether one element costs one element of each leaf:
// nothing is computed before it, as for a reduction or a product.
template <class E>
inline constexpr bool has_single_elements = true;

// The evaluation of an expression of one element, for files with these native vectors: eval/assign.hpp.
template <class E, int Native>
struct evaluated_item;

[[noreturn, gnu::cold, gnu::noinline]] inline void throw_not_one_element(const index* extents, index rank) {
  throw_error(error_kind::not_one_element, {extents, rank});
}

// The only element of an array, read in place; an expression is evaluated.
template <int Native, class E>
constexpr auto only_element(const E& e) {
  const auto x = e.shape().extents();
  for (index n : x)
    if (n != 1) throw_not_one_element(x.v, x.count);
  // In this order: behind a negated condition GCC compiles both ways and drops one only later.
  if constexpr (!requires { e.data(); })
    if (__builtin_is_constant_evaluated())
      return e.element(indices<rank_of<E>>{});
    else
      return evaluated_item<E, Native>::of(e);
  else
    return e.element(indices<rank_of<E>>{});
}

}  // namespace detail
}  // namespace broadloom
