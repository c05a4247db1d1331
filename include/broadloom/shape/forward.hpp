// The names of shapes and arrays, before they are defined.
#pragma once

#include <broadloom/core/array.hpp>
#include <broadloom/shape/size.hpp>

namespace broadloom {

template <index... E>
class shape;

namespace detail {

// The shape type with the given extents, an array known to the compiler.
template <auto X, class>
struct shape_from_sequence;
template <auto X, int... At>
struct shape_from_sequence<X, sequence<At...>> {
  using type = shape<X.v[At]...>;
};
template <auto X>
using shape_from = typename shape_from_sequence<X, make_sequence<X.count>>::type;

template <int Rank>
constexpr indices<Rank> all_dyn() {
  indices<Rank> r{};
  for (int i = 0; i < Rank; ++i) r[i] = dyn;
  return r;
}

}  // namespace detail

// dshape<3> = shape<dyn, dyn, dyn>.
template <int Rank>
using dshape = detail::shape_from<detail::all_dyn<Rank>()>;

struct row_major;
template <int Rank>
struct dyn_strides;

template <class T, class Shape, class Layout = dyn_strides<Shape::axes_count>>
class view;
// dview<const float, 2>: a view of rank 2 whose extents and strides are known at run time.
template <class T, int Rank>
using dview = view<T, dshape<Rank>, dyn_strides<Rank>>;

template <class E, class Shape>
class tensor;
// dtensor<float, 2>: a tensor of rank 2 whose extents are known at run time.
template <class E, int Rank>
using dtensor = tensor<E, dshape<Rank>>;

namespace detail {

// A rank as a value that depends on T, for arrays of known types in templates: dtensor<index, rank_for<1, X>> is
// instantiated when a call is, and dtensor<index, 1> by each program that includes the header.
template <int Rank, class T>
inline constexpr int rank_for = Rank;

}  // namespace detail

}  // namespace broadloom
