// What common mistakes with arrays "return": types whose names say what to write instead. (Included first, so that GCC
// has few lines to say how it came here.)
#pragma once

#include <type_traits>

#include <broadloom/core/index.hpp>

namespace broadloom {

// if (a == b): there are as many truth values as elements.
struct no_truth_value_of_its_own_write_all_x_or_any_x;
// a[1][2]
struct write_a_i_j_in_round_brackets_not_square_ones;
// a(1, 2, 3) of a matrix
template <int Indices, int Axes>
struct more_indices_than_axes;
// n % 2
struct write_remainder_as_pythons_or_fmod_as_cs;
// sum(x, 1, true)
struct write_keepdim_instead_of_true;
// dtensor<float, 2>{1, 2, 3}
template <int Axes>
struct braces_are_nested_once_for_each_axis;

namespace detail {

template <class... I>
inline constexpr bool all_numbers = (std::is_convertible_v<I, index> && ...);

// The calls that an array of so many axes refuses.
template <class Self, int Axes>
struct refused_calls {
  template <class... I, class Error = more_indices_than_axes<sizeof...(I), Axes>>
    requires(all_numbers<I...> && sizeof...(I) > Axes)
  Error operator()(I...) const = delete;
  template <class I, class Error = write_a_i_j_in_round_brackets_not_square_ones>
  Error operator[](const I&) const = delete;
  template <class B, class Error = no_truth_value_of_its_own_write_all_x_or_any_x>
    requires(__is_same(B, bool) && Axes > 0)
  explicit operator B() const = delete;
};

}  // namespace detail
}  // namespace broadloom
