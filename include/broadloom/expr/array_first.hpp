// What functions say of a first argument that is no array: vectors in a vector, a result of several parts, an axis that
// stands before the array.
#pragma once

#include <broadloom/core/dtype.hpp>
#include <broadloom/core/list.hpp>
#include <broadloom/expr/capture.hpp>

namespace broadloom {

namespace detail {

// Containers of numbers that are no array, as their elements are not contiguous: vectors in a vector.
template <class T, class C = nesting<std::remove_cvref_t<T>>>
concept scattered = !array<T> && C::depth > 0 && element<typename C::innermost>;
// Text: std::string, a literal, containers of them.
template <class C>
inline constexpr bool is_text = false;
template <>
inline constexpr bool is_text<char> = true;
template <>
inline constexpr bool is_text<const char*> = true;
template <std::size_t N>
inline constexpr bool is_text<char[N]> = true;
// Those of several axes, and text. Of one axis there are classes with operators of their own, such as list<T>.
template <class T, class C = nesting<std::remove_cvref_t<T>>>
concept scattered_rows =
    !array<T> && ((C::depth > 1 && element<typename C::innermost>) || is_text<typename C::innermost>);

// What sort, svd, where(mask) and the like give: arrays beside each other.
template <class R>
concept result_of_parts = !array<R> && std::is_class_v<R> && std::is_aggregate_v<R> && !shape_type<R> && !scattered<R>;
template <class R>
concept has_parts = !array<R> && std::is_class_v<R> && std::is_aggregate_v<R> && requires(const R& r) { r.values; };

template <class A>
using rows_error = std::conditional_t<is_text<typename nesting<std::remove_cvref_t<A>>::innermost>,
                                      errors_md::text_is_no_operand_write_bl_to_string_x_to_join_texts,
                                      errors_md::write_dtensor_T_R_v_as_v_is_no_array<std::remove_cvref_t<A>>>;

template <class A>
struct first_argument {
  using error = errors_md::write_the_array_first_and_then_what_is_done_with_it;
};
template <array A>
struct first_argument<A> {
  using error = errors_md::write_keepdim_instead_of_true;
};
template <scattered_rows A>
struct first_argument<A> {
  using error = rows_error<A>;
};
template <has_parts A>
struct first_argument<A> {
  using error = errors_md::this_result_has_parts_write_one_of_them_r_values<A>;
};

// The mistakes that a function says something of by first_argument<A>::error.
template <class A, class... O>
inline constexpr bool wants_array_first =
    scattered_rows<A> || has_parts<A> || std::is_arithmetic_v<A> || (array<O> || ...);
template <array A, class... O>
inline constexpr bool wants_array_first<A, O...> = false;

// What a function object inherits whose first argument is an array. (Incomplete and not deleted: clang would list all
// calls. enable_if: of a constraint compilers say more when they list what did not fit.)
struct array_first {
  // Whether these options are an axis and a true that stands for keepdim.
  template <class... O>
  static constexpr bool keeps_by_flag = false;
  template <class A, class... O, class = std::enable_if_t<wants_array_first<A, O...>>>
  typename first_argument<A>::error operator()(const A&, const O&...) const;
};

}  // namespace detail
}  // namespace broadloom
