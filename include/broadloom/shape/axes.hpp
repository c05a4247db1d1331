// Axes: numbers that may count from the end, lists of them known to the compiler, and what the compiler knows of a
// shape that depends on axes given at run time.
#pragma once

#include <broadloom/core/list.hpp>
#include <broadloom/core/mistakes.hpp>
#include <broadloom/core/throw_error.hpp>
#include <broadloom/shape/shape.hpp>

namespace broadloom {

// axes<0, -1>: the first and the last axis, known to the compiler.
template <index... A>
struct axes_t {
  static constexpr int count = sizeof...(A);
  static constexpr detail::indices<count> values{{A...}};
};
template <index... A>
inline constexpr axes_t<A...> axes{};

namespace detail {

// The axis counted from the left; throws index_error outside [-rank, rank), which names the call.
constexpr int normal_axis(index axis, int rank, const char* call = nullptr) {
  if (axis < -rank || axis >= rank) throw_axis_out_of_range(axis, rank, call);
  return static_cast<int>(axis < 0 ? axis + rank : axis);
}

[[noreturn, gnu::cold, gnu::noinline]] inline void throw_repeated_axis(index axis, const char* call) {
  throw_error(error_kind::repeated_axis, {axis, call});
}

// The number of elements, if the type tells it: of std::array and of a span with a fixed extent.
template <class C>
constexpr index container_extent() {
  if constexpr (requires { C::extent; }) {
    constexpr auto n = C::extent;
    return n == static_cast<decltype(n)>(-1) ? dyn : static_cast<index>(n);
  } else if constexpr (requires { std::tuple_size<C>::value; })
    return static_cast<index>(std::tuple_size<C>::value);
  else
    return dyn;
}

// Axes known at run time, in a container: std::vector<int>, std::array, std::span. Their number is known to the
// compiler if container_extent is.
template <class T>
concept axis_list = !is_shape<T> && !requires { typename T::shape_type; } && contiguous_container<T> &&
                    integer<std::remove_cvref_t<decltype(*std::declval<const T&>().data())>>;

// f of the numbers of a list, which the compiler counts.
template <axis_list L, class F>
constexpr auto unpack_list(const L& l, const F& f) {
  constexpr index n = container_extent<L>();
  static_assert(n != dyn,
                "the rank is how many extents there are: braces or std::array instead of std::vector "
                "[errors.md#rank-must-be-static]");
  return [&]<int... At>(sequence<At...>) {
    return f(static_cast<index>(l.data()[At])...);
  }(make_sequence < n == dyn ? 8 : n > {});
}

// The axes as bits, from the left. Throws index_error for an axis that is out of range or repeated.
constexpr unsigned add_axis(unsigned bits, index axis, int rank, const char* call) {
  const unsigned bit = 1u << normal_axis(axis, rank, call);
  if ((bits & bit) != 0) throw_repeated_axis(normal_axis(axis, rank), call);
  return bits | bit;
}
template <axis_list L>
constexpr unsigned add_axes(unsigned bits, const L& axes, int rank, const char* call) {
  const auto* const first = axes.data();
  for (index i = 0; i < static_cast<index>(axes.size()); ++i)
    bits = add_axis(bits, static_cast<index>(first[i]), rank, call);
  return bits;
}

// Stands for an amount or an index, not an axis, that is known at run time only.
inline constexpr index known_later = -__PTRDIFF_MAX__ - 1;

// What all possible results of a call have in common, extent by extent; all dyn if no result is possible.
template <int Rank>
struct common_extents {
  indices<Rank> extents = all_dyn<Rank>();
  bool any = false;

  constexpr void add(const indices<Rank>& x) {
    for (int i = 0; i < Rank; ++i) extents[i] = !any || extents[i] == x[i] ? x[i] : dyn;
    any = true;
  }
};

// Calls f(axis) for each axis, counted from the left, that an argument of type A may name: its value if it is a
// constant, else all axes.
template <class A, class F>
constexpr void for_each_axis(int rank, const F& f) {
  if constexpr (constant<A>)
    f(normal_axis(A::value, rank));
  else
    for (int a = 0; a < rank; ++a) f(a);
}

// The numbers of a call, some of which may be axes known at run time: number k is one of `axes[k]` axes, or no axis if
// that is below 0. Calls f(numbers) for all possible values.
template <int Count, class F>
constexpr void for_each_choice(const indices<Count>& numbers, const bool (&given)[Count == 0 ? 1 : Count],
                               const indices<Count>& axes, const F& f) {
  indices<Count> choice{};
  for (int k = 0; k < Count; ++k)
    if (!given[k] && axes[k] == 0) return;
  for (;;) {
    indices<Count> n{};
    for (int k = 0; k < Count; ++k) n[k] = given[k] ? numbers[k] : axes[k] < 0 ? known_later : choice[k];
    f(n);
    int k = Count - 1;
    for (; k >= 0; --k) {
      if (given[k] || axes[k] < 0) continue;
      if (++choice[k] < axes[k]) break;
      choice[k] = 0;
    }
    if (k < 0) return;
  }
}

}  // namespace detail
}  // namespace broadloom
