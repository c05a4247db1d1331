// Why a tensor of a type that the user wrote cannot be made of a result: its shape, or its elements.
#pragma once

#include <broadloom/core/text.hpp>
#include <broadloom/eval/assignable.hpp>
#include <broadloom/expr/array_first.hpp>

namespace broadloom {

namespace errors_md {
// A tensor's type and the shape of a result that it cannot hold: write `auto`, or the type that fits.
template <auto Text, class TensorShape, class ResultShape>
struct result_does_not_fit_the_tensor;
// A tensor of containers in one another that are not as deep as it has axes, or whose elements do not fit.
template <class Container, class Element, int Axes>
struct containers_nest_as_deep_as_axes_and_hold_elements_that_fit;
}  // namespace errors_md

namespace detail {

template <class O, class S>
constexpr sentence construction_sentence() {
  sentence s;
  if constexpr (O::axes_count != S::axes_count)
    s << "rank " << O::axes_count << " vs " << S::axes_count << "; the tensor's rank is not the result's";
  else
    for (int i = 0; i < O::axes_count && s.n == 0; ++i)
      if (const index o = O::static_extents[i], x = S::static_extents[i]; !may_become(x, o))
        s << "dim " << i << ": " << extent_text{o} << " vs " << extent_text{x}
          << "; the tensor's extent is not the result's";
  return s;
}

// The elements of C, which is containers in one another; the error where no tensor of E and so many axes is made of it.
template <class C, class E, int Axes>
using nested_element =
    std::conditional_t<nesting<C>::depth == Axes && castable(dtype_of<typename nesting<C>::innermost>, dtype_of<E>),
                       typename nesting<C>::innermost,
                       errors_md::containers_nest_as_deep_as_axes_and_hold_elements_that_fit<C, E, Axes>>;

// What one can iterate over but no tensor is made of: texts, ranges that do not know their size.
template <class C>
concept range_without_elements = __is_class(C) && !array<C> && !shape_type<C> && !scattered<C> && requires(C& c) {
  c.begin();
  c.end();
};

// What points to elements, one after the other: a pointer, an iterator. (That of std::vector<bool> refers to none.)
template <class It>
struct pointed {
  using type = void;
};
template <class It>
struct pointed<It*> {
  using type = std::remove_cv_t<It>;
};
template <class It>
  requires requires { typename It::value_type; }
struct pointed<It> {
  using type = typename It::value_type;
};
template <class It>
concept points_to_elements = element<typename pointed<It>::type> && !array<It> && requires(It i) {
  *i;
  ++i;
  i != i;
};

// void where a tensor of elements T and shape O may be made of X.
template <class T, class O, class X>
struct construction_check {
  using error = void;
};
template <class T, class X>
concept makes_elements = castable(dtype_of<value_of<node_of<X>>>, dtype_of<T>) && own_converts<value_of<node_of<X>>, T>;
template <class T, class O, array X>
  requires(!makes_elements<T, X>)
struct construction_check<T, O, X> {
  using from = value_of<node_of<X>>;
  using error = errors_md::result_type_does_not_fit<cast_text<dtype_of<from>, dtype_of<T>>, T, from>;
};
template <class T, class O, array X>
  requires(makes_elements<T, X> && construction_sentence<O, shape_of<node_of<X>>>().n > 0)
struct construction_check<T, O, X> {
  using result = shape_of<node_of<X>>;
  using error = errors_md::result_does_not_fit_the_tensor<
      fit<construction_sentence<O, result>().n>(construction_sentence<O, result>()), O, result>;
};

}  // namespace detail
}  // namespace broadloom
