// How what orders elements along an axis hands its array to the library, line by line, and the shapes of results.
#pragma once

#include <broadloom/core/api.hpp>
#include <broadloom/core/throw_error.hpp>
#include <broadloom/expr/views.hpp>
#include <broadloom/index/operand.hpp>

namespace broadloom {

// Results that belong together; auto [values, indices] = sort(x) takes them apart.
template <class Values, class Indices>
struct values_and_indices {
  Values values;
  Indices indices;
};

namespace detail {

// A contiguous array as (outer, extent, inner): the functions work along the middle axis.
struct lines_of {
  const void* data;
  dtype type;
  index outer, extent, inner;
};

// Which of a line's elements are wanted, in order: numbers [first, first + count) of the sorted line. values and
// indices (either may be null) have count elements in place of the line's. With `in_order` false the order among them
// is free.
struct sort_request {
  index first, count;
  bool descending, in_order;
  bool nan_first;  // a NaN in a line takes the first place wanted
};
BROADLOOM_API void sort_lines(const lines_of& x, const sort_request& r, void* values, index* indices,
                              const runtime::options& how);

template <class E>
inline constexpr bool has_order = !is_complex(dtype_of<value_of<E>>);

// Elements of 16 bits are ordered as f32, which holds each of them.
template <class A>
constexpr auto ordered(A&& x) {
  return argument<arithmetic_type<value_of<node_of<A>>>>(static_cast<A&&>(x));
}
// What was found in f32, with values of the elements' type T.
template <class T, class V, class S>
auto with_values_of(tensor<V, S>&& values) {
  if constexpr (__is_same(T, V))
    return static_cast<tensor<V, S>&&>(values);
  else
    return tensor<T, S>(cast<T>(values));
}
template <class T, class V, class Index>
auto with_values_of(values_and_indices<V, Index>&& r) {
  auto values = with_values_of<T>(static_cast<V&&>(r.values));
  return values_and_indices<decltype(values), Index>{static_cast<decltype(values)&&>(values),
                                                     static_cast<Index&&>(r.indices)};
}

template <int Native, class E, class A, class F>
auto with_lines(const char* call, const E& e, A axis, const runtime::options& how, F f) {
  static_assert(has_order<E>, "complex numbers have no order [errors.md#complex-order]");
  static_assert(!is_half_type<value_of<E>>,
                "elements of 16 bits are ordered as f32: cast<float>(x) [errors.md#half-float-nodes]");
  if constexpr (constant<A>)
    static_assert(is_axis(A::value, rank_of<E> == 0 ? 1 : rank_of<E>),
                  "Dimension out of range: an axis must lie in [-rank, rank) [errors.md#axis-out-of-range]");
  if constexpr (rank_of<E> == 0) {
    const memory<E, Native> m(e, how, {true, {}});
    return f(lines_of{m.data(), compiled_dtype<value_of<E>>(), 1, 1, 1}, 0);
  } else {
    const int a = normal_axis(static_cast<index>(axis), rank_of<E>, call);
    const memory<E, Native> m(e, how, {true, {}});
    lines_of x{m.data(), compiled_dtype<value_of<E>>(), 1, e.shape()[a], 1};
    for (int k = 0; k < a; ++k) x.outer *= e.shape()[k];
    for (int k = a + 1; k < rank_of<E>; ++k) x.inner *= e.shape()[k];
    return f(x, a);
  }
}

// The shape without the axis, or with N elements there: `whole_line` for as many as there are.
inline constexpr index whole_line = -2, no_axis = -3;
template <class A, index N, class Shape>
constexpr auto line_extents() {
  constexpr int rank = Shape::axes_count;
  if constexpr (rank == 0 || N == whole_line)
    return Shape::static_extents;
  else if constexpr (N == no_axis) {
    common_extents<rank - 1> r;
    for_each_axis<A>(rank, [&](int axis) { r.add(without_axis(Shape::static_extents, axis)); });
    return r.extents;
  } else {
    common_extents<rank> r;  // of the axes that are long enough
    for_each_axis<A>(rank, [&](int axis) {
      auto x = Shape::static_extents;
      const bool fits = is_dyn(N) || is_dyn(x[axis]) || N <= x[axis];
      x[axis] = N;
      if (fits) r.add(x);
    });
    return r.extents;
  }
}
template <class A, index N, class Shape>
auto line_shape(const Shape& s, int axis, index n) {
  using result = shape_from<line_extents<A, N, Shape>()>;
  auto x = s.extents();
  if constexpr (Shape::axes_count == 0 || N == whole_line)
    return result::unchecked(x);
  else if constexpr (N == no_axis)
    return result::unchecked(without_axis(x, axis));
  else {
    x[axis] = n;
    return result::unchecked(x);
  }
}

// Extents with one more in front.
template <int R>
constexpr indices<R + 1> with_leading(const indices<R>& x, index n) {
  indices<R + 1> r{{n}};
  for (int a = 0; a < R; ++a) r[a + 1] = x[a];
  return r;
}

using last_axis = boost::hana::integral_constant<index, -1>;

[[noreturn, gnu::cold, gnu::noinline]] inline void throw_k_out_of_range(const char* sentence, const char* call, index k,
                                                                        index extent) {
  throw_error(error_kind::k_out_of_range, {sentence, call, k, extent});
}

// `Extent` elements of each line, as line_shape() has it.
template <index Extent, int Native, class X, class A>
auto sorted_part(X&& x, A axis, index first, index count, bool descending, bool in_order, bool nan_first,
                 const runtime::options& how) {
  using own = value_of<node_of<X>>;
  const auto e = ordered(static_cast<X&&>(x));
  using T = value_of<decltype(e)>;
  return with_values_of<own>(with_lines<Native>(nullptr, e, axis, how, [&](const lines_of& lines, int a) {
    const auto shape = line_shape<A, Extent>(e.shape(), a, count);
    using s = std::remove_const_t<decltype(shape)>;
    values_and_indices<deduced_tensor<T, s>, deduced_tensor<index, s>> r{tensor<T, s>::uninitialised(shape),
                                                                         tensor<index, s>::uninitialised(shape)};
    sort_lines(lines, {first, count, descending, in_order, nan_first}, r.values.data(), r.indices.data(), how);
    return r;
  }));
}
template <class X>
index line_length(const char* call, const X& x, index axis) {
  using shape = shape_of<node_of<X>>;
  if constexpr (shape::axes_count == 0)
    return 1;
  else
    return as_node(x).shape()[normal_axis(axis, shape::axes_count, call)];
}

}  // namespace detail

}  // namespace broadloom
