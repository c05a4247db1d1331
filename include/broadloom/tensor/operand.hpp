// Tensors as trees take them, and their types where an initialiser says them.
#pragma once

#include <broadloom/expr/capture.hpp>
#include <broadloom/fn/promote.hpp>
#include <broadloom/tensor/braces.hpp>
#include <broadloom/tensor/deduced.hpp>

namespace broadloom {

template <class E, class Shape>
struct array_traits<tensor<E, Shape>> {
  static constexpr auto leaf(tensor<E, Shape>& t) { return t.as_view(); }
  static constexpr auto leaf(const tensor<E, Shape>& t) { return t.as_view(); }
  static constexpr auto leaf(tensor<E, Shape>&& t) { return static_cast<tensor<E, Shape>&&>(t).as_leaf(); }
  static constexpr auto operand(const tensor<E, Shape>& t) { return t.as_operand(); }
};
namespace detail {
// A class derived from a tensor is that tensor.
template <class D>
concept derived_from_tensor = requires { typename D::value_type; } && shape_type<typename D::shape_type> &&
                              !__is_same(D, tensor<typename D::value_type, typename D::shape_type>) &&
                              __is_base_of(tensor<typename D::value_type, typename D::shape_type>, D);
}  // namespace detail
template <detail::derived_from_tensor D>
struct array_traits<D> : array_traits<tensor<typename D::value_type, typename D::shape_type>> {};

template <array X>
tensor(X&&)
    -> tensor<detail::value_of<detail::node_of<X>>,
              detail::deduced_shape<detail::value_of<detail::node_of<X>>, detail::shape_of<detail::node_of<X>>>>;
template <detail::scattered C, class N = detail::nesting<C>>
tensor(const C&) -> tensor<typename N::innermost, dshape<N::depth>>;

// tensor x{1, 2, 3} and, a pair of braces for each axis, tensor x{{1, 2}, {3, 4}}: dynamic, as one cannot see which
// extents are meant to stay. Numbers that are all of one type.
template <detail::number_scalar T, class... More>
  requires(__is_same(T, More) && ...)
tensor(T, More...) -> tensor<T, dshape<1>>;
template <detail::number_scalar T, int... N>
tensor(const T (&... row)[N]) -> tensor<T, dshape<2>>;
template <detail::number_scalar T, int... N, int... M>
tensor(const T (&... row)[N][M]) -> tensor<T, dshape<3>>;

// Numbers of several types, and up to eight rows of them.
template <class E>
class tensor<E, errors_md::write_numbers_of_one_type_or_dtensor_double_1> {
 public:
  tensor(std::initializer_list<detail::braced>) = delete;
};
namespace detail {
struct mixed_row {
  mixed_row() = default;
  mixed_row(std::initializer_list<braced>);
};
}  // namespace detail
template <detail::number_scalar T, detail::number_scalar... More>
  requires(!(__is_same(T, More) && ...))
tensor(T, More...) -> tensor<T, errors_md::write_numbers_of_one_type_or_dtensor_double_1>;
tensor(detail::mixed_row, detail::mixed_row = {}, detail::mixed_row = {}, detail::mixed_row = {},
       detail::mixed_row = {}, detail::mixed_row = {}, detail::mixed_row = {}, detail::mixed_row = {})
    -> tensor<double, errors_md::write_numbers_of_one_type_or_dtensor_double_1>;

// tensor r = sort(x): tensor r = sort(x).values.
template <class R>
class tensor<R, errors_md::this_result_has_parts_write_one_of_them_r_values<R>> {
 public:
  tensor(const R&) = delete;
};
template <detail::result_of_parts R>
tensor(const R&) -> tensor<R, errors_md::this_result_has_parts_write_one_of_them_r_values<R>>;

// view(x, 3, 2)
template <class A>
class view<A, errors_md::a_view_is_a_class_write_reshape_x_3_2, void> {
 public:
  template <class... Index>
  view(const A&, Index...) = delete;
  template <int N>
  view(const A&, const index (&)[N]) = delete;
};
template <array A, class... Index>
  requires(sizeof...(Index) > 0 && detail::all_numbers<Index...>)
view(const A&, Index...) -> view<A, errors_md::a_view_is_a_class_write_reshape_x_3_2, void>;
template <array A, int N>
view(const A&, const index (&)[N]) -> view<A, errors_md::a_view_is_a_class_write_reshape_x_3_2, void>;

}  // namespace broadloom
