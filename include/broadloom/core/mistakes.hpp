// What common mistakes with arrays "return": types whose names say what to write instead. (Included first, so that GCC
// has few lines to say how it came here.)
#pragma once

#include <initializer_list>
#include <type_traits>

#include <broadloom/core/index.hpp>
#include <broadloom/core/throw_error.hpp>

namespace broadloom {

// What refused calls "return", here and in the headers of the calls: each name is an anchor of
// docs/reference/errors.md, which says what helps. Texts of static_assert name theirs in brackets.
namespace errors_md {

// if (a == b): there are as many truth values as elements.
struct no_truth_value_of_its_own_write_all_x_or_any_x;
// a[1][2]
struct write_a_i_j_in_round_brackets_not_square_ones;
// a(1, 2, 3) of a matrix
template <int Indices, int Axes>
struct more_indices_than_axes;
// softmax(x), squeeze(x)
struct which_axis_write_it_after_the_array;
// cat(a, b, 0), stack({a, b}, 0)
struct write_the_axis_first_and_no_braces_cat_0_a_b;
// cat(0, v), where v is a std::vector of arrays
struct write_the_axis_after_a_list_cat_v_0;
// sqrt(2.0)
struct write_std_sqrt_of_numbers_alone;
// relu(x, 0), pow(x), maximum(x, y, z), lerp(x, y)
struct write_one_argument_as_in_sqrt_x;
struct write_two_arguments_as_in_pow_x_y;
struct write_three_arguments_as_in_clamp_x_low_high;
// n % 2
struct write_remainder_as_pythons_or_fmod_as_cs;
// x + v, sum(v), where v is a std::vector<std::vector<float>>
template <class Container>
struct write_dtensor_T_R_v_as_v_is_no_array;
// x + "a", x == std::string("a")
struct text_is_no_operand_write_bl_to_string_x_to_join_texts;
// view(x, 3, 2), which is PyTorch's reshape
struct a_view_is_a_class_write_reshape_x_3_2;
// std::cout << sort(x), sum(sort(x)), which gives the values and the indices: r.values
template <class Result>
struct this_result_has_parts_write_one_of_them_r_values;
// sum(0, x)
struct write_the_array_first_and_then_what_is_done_with_it;
// sum(x, true)
struct write_keepdim_instead_of_true;
// sum(x, 1, false), which reads beyond its end: of a call that is no constant clang also says where it is declared.
inline constexpr bool false_is_left_out_as_axes_stay_by_keepdim_alone[1] = {true};
// gather(x, i, 1), where other libraries have another order; the text is how it is written here.
template <auto Call>
struct write_the_arguments_as_in;
// auto z = v + 1; z = 1
struct an_expression_keeps_no_elements_write_bl_tensor_z_for_auto_z;
// x(all, {0, 1})
struct write_a_list_of_positions_as_std_array_0_1;
// for (float x : a + b): nothing is computed yet.
struct write_eval_e_to_iterate_over_its_elements;
// float x = a; of more than one element
struct only_rank_0_is_a_number_write_item_or_an_index;
// dtensor<float, 2>{1, 2, 3}
template <int Axes>
struct braces_are_nested_once_for_each_axis;
}  // namespace errors_md

namespace detail {

// What every argument converts to, braces too, worse than to anything else: a call that takes it is the one chosen
// where no other fits.
struct any_argument {
  template <class... T>
  constexpr any_argument(const T&...) {}
  constexpr any_argument(std::initializer_list<any_argument>) {}
};
// What a function object inherits of which other libraries have another order of the arguments. (Incomplete and not
// deleted: clang would list all calls.)
template <class F>
struct refuses_other_arguments {
  template <class G = F, class Error = errors_md::write_the_arguments_as_in<G::call>>
  Error operator()(const any_argument& = {}, const any_argument& = {}, const any_argument& = {},
                   const any_argument& = {}, const any_argument& = {}) const;
};

// What function objects inherit that take one, two or three arguments: other numbers of them.
struct takes_one {
  template <class Error = errors_md::write_one_argument_as_in_sqrt_x>
  Error operator()() const BROADLOOM_REFUSED;
  template <class Error = errors_md::write_one_argument_as_in_sqrt_x>
  Error operator()(const any_argument&, const any_argument&, const any_argument& = {},
                   const any_argument& = {}) const BROADLOOM_REFUSED;
};
struct takes_two {
  template <class Error = errors_md::write_two_arguments_as_in_pow_x_y>
  Error operator()() const BROADLOOM_REFUSED;
  template <class Error = errors_md::write_two_arguments_as_in_pow_x_y>
  Error operator()(const any_argument&) const BROADLOOM_REFUSED;
  template <class Error = errors_md::write_two_arguments_as_in_pow_x_y>
  Error operator()(const any_argument&, const any_argument&, const any_argument&,
                   const any_argument& = {}) const BROADLOOM_REFUSED;
};
struct takes_three {
  template <class Error = errors_md::write_three_arguments_as_in_clamp_x_low_high>
  Error operator()() const BROADLOOM_REFUSED;
  template <class Error = errors_md::write_three_arguments_as_in_clamp_x_low_high>
  Error operator()(const any_argument&) const BROADLOOM_REFUSED;
  template <class Error = errors_md::write_three_arguments_as_in_clamp_x_low_high>
  Error operator()(const any_argument&, const any_argument&) const BROADLOOM_REFUSED;
  template <class Error = errors_md::write_three_arguments_as_in_clamp_x_low_high>
  Error operator()(const any_argument&, const any_argument&, const any_argument&,
                   const any_argument&) const BROADLOOM_REFUSED;
};

// Arrays of rank 0 convert to numbers, too, but as arguments they are arrays. Floating numbers would be truncated.
template <class Index>
inline constexpr bool is_plain_number =
    std::is_convertible_v<Index, index> && !std::is_floating_point_v<std::remove_cvref_t<Index>> &&
    !requires { typename std::remove_cvref_t<Index>::shape_type; };
template <class... Index>
inline constexpr bool all_numbers = (is_plain_number<Index> && ...);

// Why an array of so many axes is not converted to a number of type N.
template <class N>
using no_number = std::conditional_t<__is_same(N, bool), errors_md::no_truth_value_of_its_own_write_all_x_or_any_x,
                                     errors_md::only_rank_0_is_a_number_write_item_or_an_index>;

// sum(x, std::vector{0, 2})
template <bool Known>
struct number_of_axes {
  static_assert(Known,
                "the result's rank is how many axes are left: std::array instead of std::vector, or keepdim "
                "[errors.md#rank-must-be-static]");
};

// What has its elements in memory already.
template <class E>
concept has_memory = requires(const E& e) {
  e.data();
  e.strides();
};

// `call`: the name of the call, for the message; null if it is not known.
[[noreturn, gnu::cold, gnu::noinline]] inline void throw_axis_out_of_range(index axis, index rank, const char* call) {
  throw_error(error_kind::axis_out_of_range, {axis, rank, call});
}

// x.copy(): tensor/eval.hpp.
template <class E>
struct copied;

// The uses that an array of so many axes refuses, and what is known of each without its elements, in the words of
// mdspan and NumPy.
template <class Self, int Axes>
struct refused_uses {
  // The extent of one axis; negative ones count from the end. Throws index_error outside [-rank, rank).
  constexpr index extent(index axis) const {
    if (axis < -Axes || axis >= Axes) throw_axis_out_of_range(axis, Axes, "extent");
    return static_cast<const Self&>(*this).shape()[axis < 0 ? axis + Axes : axis];
  }
  // The number of axes: rank().
  static constexpr index ndim() { return Axes; }
  // The bytes of all elements; strides and what lies between them do not count.
  constexpr index nbytes() const {
    return static_cast<const Self&>(*this).size() * static_cast<index>(sizeof(typename Self::value_type));
  }
  // A tensor of its own with these elements: eval(x).
  template <class E = Self>
  constexpr auto copy() const {
    return copied<E>::of(static_cast<const Self&>(*this));
  }
  template <class Index, class Error = errors_md::write_a_i_j_in_round_brackets_not_square_ones>
  Error operator[](const Index&) const = delete;
  template <class N, class Error = no_number<N>>
    requires(std::is_arithmetic_v<N> && Axes > 0)
  explicit operator N() const = delete;
  template <class E = Self, class Error = errors_md::write_eval_e_to_iterate_over_its_elements>
    requires(!has_memory<E>)
  Error begin() const = delete;
  // Only so that there is one error.
  template <class E = Self>
    requires(!has_memory<E>)
  const errors_md::write_eval_e_to_iterate_over_its_elements* end() const {
    return nullptr;
  }
};
// And calls.
template <class Self, int Axes>
struct refused_calls : refused_uses<Self, Axes> {
  template <class... Index, class Error = errors_md::more_indices_than_axes<sizeof...(Index), Axes>>
    requires(all_numbers<Index...> && sizeof...(Index) > Axes)
  Error operator()(Index...) const BROADLOOM_REFUSED;
  // Positions in braces, on the first or the second axis.
  template <int N, class... Index, class Error = errors_md::write_a_list_of_positions_as_std_array_0_1>
  Error operator()(const index (&)[N], const Index&...) const BROADLOOM_REFUSED;
  template <class First, int N, class... Index, class Error = errors_md::write_a_list_of_positions_as_std_array_0_1>
  Error operator()(const First&, const index (&)[N], const Index&...) const BROADLOOM_REFUSED;
};

// The last of sum(x, 1, true), which may be PyTorch's keepdim. How many axes the result has depends on it, so the
// compiler must know it. `Rule` is there for messages of clang.
struct keepdim_flag {
  template <class B, auto& Rule = errors_md::false_is_left_out_as_axes_stay_by_keepdim_alone>
    requires(__is_same(B, bool))
  consteval keepdim_flag(B keep) {
    if (!errors_md::false_is_left_out_as_axes_stay_by_keepdim_alone[keep ? 0 : 1]) __builtin_unreachable();
  }
};

}  // namespace detail
}  // namespace broadloom
