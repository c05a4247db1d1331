// Lazy views of arrays and of whole expressions: transpose, permute, expand, unsqueeze, squeeze, flip, select, narrow
// ... Each returns a node over the same elements; a view of a writable array is writable. Axes may be negative. An
// extent stays static if it does not depend on an axis, index or amount given at run time; constants (1_c, axes<...>)
// are known. Names and rules are PyTorch's; `T()` is NumPy's.
#pragma once

#include <broadloom/expr/takes_axis_names.hpp>
#include <broadloom/expr/view_ops.hpp>
#include <broadloom/shape/braced.hpp>

namespace broadloom {

// permute(x, 2, 0, 1), permute(x, {2, 0, 1}), permute(x, axes<2, 0, 1>) or permute(x, list), a std::array, std::vector
// or the like of integers: axis i of the result is axis p[i] of x. Throws shape_error unless p is a permutation.
inline constexpr struct permute_t {
  template <array A, index... P>
  constexpr auto operator()(A&& a, axes_t<P...>) const {
    return (*this)(static_cast<A&&>(a), boost::hana::integral_constant<index, P>{}...);
  }
  template <array A, detail::integer_like... P>
  constexpr auto operator()(A&& a, P... p) const {
    constexpr bool count = sizeof...(P) == detail::rank_of<detail::node_of<A>>;
    constexpr bool permutes = detail::may_permute<detail::number_of<P>...>();
    static_assert(count, "one axis of the result per axis of the array [errors.md#permutation]");
    static_assert(!count || permutes, "the axes must be a permutation of the array's axes [errors.md#permutation]");
    if constexpr (count && permutes)
      return detail::transform(
          detail::permute_op<detail::number_of<P>...>{
              boost::hana::basic_tuple<detail::number_of<P>...>(detail::as_number(p)...)},
          detail::as_node(static_cast<A&&>(a)));
  }
  template <array A, detail::axis_list P>
  constexpr auto operator()(A&& a, const P& list) const {
    constexpr int rank = detail::rank_of<detail::node_of<A>>;
    constexpr index given = detail::container_extent<P>();
    static_assert(given == dyn || given == rank,
                  "one axis of the result per axis of the array [errors.md#permutation]");
    const auto n = static_cast<index>(list.size());
    if (n != rank) {
      constexpr int shown = 32;
      detail::throw_bad_permutation(detail::first_axes<shown>(list).v, n < shown ? n : shown, rank, "permute");
    }
    const auto p = detail::first_axes<rank>(list);
    return [&]<int... At>(detail::sequence<At...>) {
      return (*this)(static_cast<A&&>(a), p[At]...);
    }(detail::make_sequence<rank>{});
  }
  template <array A, int R>
  constexpr auto operator()(A&& a, detail::braced_extents<R> axes) const {
    return (*this)(static_cast<A&&>(a), detail::braced_axes<R>(axes));
  }
} permute{};

// All axes in reverse order; with two axes, these two swapped; with a list of all of them, permute (NumPy's transpose).
inline constexpr struct transpose_t : detail::takes_axis_names<transpose_t>, permute_t {
  static constexpr detail::text call{"transpose(x, axis, axis)"};
  using takes_axis_names::operator();
  using permute_t::operator();
#if defined(__clang__)
  template <detail::referred A>
  constexpr auto operator()(A& a BROADLOOM_LIFETIMEBOUND) const {
    return (*this)(detail::as_node(a));
  }
  template <detail::referred A, detail::integer_like First, detail::integer_like Second>
  constexpr auto operator()(A& a BROADLOOM_LIFETIMEBOUND, First i, Second j) const {
    return (*this)(detail::as_node(a), i, j);
  }
#endif
  template <array A>
  constexpr auto operator()(A&& a) const {
    return detail::reversed_axes(detail::as_node(static_cast<A&&>(a)));
  }
  template <array A, detail::integer_like First, detail::integer_like Second>
  constexpr auto operator()(A&& a, First i, Second j) const {
    return detail::edit_axes<detail::swap_edit>(detail::as_node(static_cast<A&&>(a)), i, j);
  }
} transpose{};

namespace detail {

// expand for a call that expands an argument: errors name that call.
template <array A, shape_type S>
constexpr auto expanded_for(const char* call, A&& a, const S& s) {
  decltype(auto) e = as_node(static_cast<A&&>(a));
  constexpr bool fits = expands_statically<shape_of<decltype(e)>, S>();
  static_assert(fits, "The expanded size of the tensor must match the existing size, or that is 1 [errors.md#expand]");
  if constexpr (fits) {
    check_expandable(e.shape(), s, call);
    using shape = shape_from<expanded_extents<shape_of<decltype(e)>, S>()>;
    return transform(expand_op<shape>{shape::unchecked(s.extents())}, e);
  }
}

}  // namespace detail

// expand(x, shape), expand(x, 2, n), expand(x, {2, n}): x seen with these extents, nothing copied. Throws shape_error
// when an extent is neither 1 nor the target's.
inline constexpr struct expand_t {
#if defined(__clang__)
  template <detail::referred A, shape_type S>
  constexpr auto operator()(A& a BROADLOOM_LIFETIMEBOUND, const S& s) const {
    return (*this)(detail::as_node(a), s);
  }
  template <detail::referred A, detail::integer_like... N>
    requires(sizeof...(N) > 0)
  constexpr auto operator()(A& a BROADLOOM_LIFETIMEBOUND, N... n) const {
    return (*this)(detail::as_node(a), n...);
  }
#endif
  template <array A, shape_type S>
  constexpr auto operator()(A&& a, const S& s) const {
    return detail::expanded_for("expand", static_cast<A&&>(a), s);
  }
  template <array A, detail::axis_list L>
  constexpr auto operator()(A&& a, const L& extents) const {
    return detail::unpack_list(extents, [&](auto... n) { return (*this)(static_cast<A&&>(a), n...); });
  }
  template <array A, int R>
  constexpr auto operator()(A&& a, detail::braced_extents<R> s) const {
    return [&]<int... At>(detail::sequence<At...>) {
      return (*this)(static_cast<A&&>(a), s[At].n...);
    }(detail::make_sequence<R>{});
  }
  template <array A, detail::integer_like... N>
    requires(sizeof...(N) > 0)
  constexpr auto operator()(A&& a, N... n) const {
    decltype(auto) e = detail::as_node(static_cast<A&&>(a));
    constexpr int rank = detail::rank_of<decltype(e)>, added = static_cast<int>(sizeof...(N)) - rank;
    const auto own = e.shape().extents();
    detail::indices<sizeof...(N)> x{{static_cast<index>(n)...}};
    for (int i = added < 0 ? 0 : added; i < x.count; ++i)
      if (x[i] == -1) x[i] = own[i - added];
    for (index extent : x)
      if (extent < 0) detail::throw_negative_extent(x.v, x.count);
    return detail::expanded_for("expand", e, shape<detail::extent_of<N>()...>::unchecked(x));
  }
} expand{};
// NumPy's name of expand.
inline constexpr expand_t broadcast_to{};

// expand_as(x, y) = expand(x, y.shape()).
inline constexpr struct expand_as_t {
  template <array A, array B>
  constexpr auto operator()(A&& a, const B& b) const {
    return detail::expanded_for("expand_as", static_cast<A&&>(a), b.shape());
  }
} expand_as{};

// unsqueeze(x, axis): a new axis of extent 1 before `axis` of the result.
inline constexpr struct unsqueeze_t {
  template <array A, class Error = errors_md::which_axis_write_it_after_the_array>
  Error operator()(A&&) const BROADLOOM_REFUSED;
#if defined(__clang__)
  template <detail::referred A, detail::integer_like Axis>
  constexpr auto operator()(A& a BROADLOOM_LIFETIMEBOUND, Axis axis) const {
    return (*this)(detail::as_node(a), axis);
  }
#endif
  template <array A, detail::integer_like Axis>
  constexpr auto operator()(A&& a, Axis axis) const {
    return detail::edit_axes<detail::unsqueeze_edit>(detail::as_node(static_cast<A&&>(a)), axis);
  }
} unsqueeze{};

// squeeze(x, axis): without that axis, whose extent must be 1 (shape_error otherwise: the rank is part of the type).
// squeeze(x, list): without those in a std::array of integers or the like, whose number is known to the compiler.
inline constexpr struct squeeze_t : detail::takes_axis_names<squeeze_t> {
  static constexpr detail::text call{"squeeze(x, axis)"};
  using takes_axis_names::operator();
#if defined(__clang__)
  template <detail::referred A, detail::integer_like Axis>
  constexpr auto operator()(A& a BROADLOOM_LIFETIMEBOUND, Axis axis) const {
    return (*this)(detail::as_node(a), axis);
  }
#endif
  template <array A, class Error = errors_md::which_axis_write_it_after_the_array>
  Error operator()(A&&) const BROADLOOM_REFUSED;
  template <array A, detail::integer_like Axis>
  constexpr auto operator()(A&& a, Axis axis) const {
    return detail::edit_axes<detail::squeeze_edit>(detail::as_node(static_cast<A&&>(a)), axis);
  }
  template <array A, detail::axis_list L>
  constexpr auto operator()(A&& a, const L& list) const {
    constexpr int rank = detail::rank_of<detail::node_of<A>>, count = static_cast<int>(detail::container_extent<L>());
    static_assert(count != dyn,
                  "the result's rank is how many axes are left: std::array instead of std::vector "
                  "[errors.md#rank-must-be-static]");
    static_assert(count <= rank, "more axes than the array has [errors.md#permutation]");
    if constexpr (count >= 0 && count <= rank)
      return each<count>(detail::as_node(static_cast<A&&>(a)), detail::add_axes(0, list, rank, "squeeze"));
  }

 private:
  // The last axis first, so that the others keep their numbers.
  template <int Count, class E>
  static constexpr auto each(const E& e, unsigned bits) {
    if constexpr (Count == 0)
      return e;
    else {
      int last = 31;
      while ((bits >> last & 1) == 0) --last;
      return each<Count - 1>(detail::edit_axes<detail::squeeze_edit>(e, last), bits & ~(1u << last));
    }
  }
} squeeze{};

// flip(x, axis, ...), flip(x, list): these axes in reverse order; a list is a container of integers. flip(x): all axes.
inline constexpr struct flip_t : detail::takes_axis_names<flip_t> {
  static constexpr detail::text call{"flip(x, axis)"};
  using takes_axis_names::operator();
#if defined(__clang__)
  template <detail::referred A>
  constexpr auto operator()(A& a BROADLOOM_LIFETIMEBOUND) const {
    return (*this)(detail::as_node(a));
  }
  template <detail::referred A, detail::integer_like Axis, detail::integer_like... More>
  constexpr auto operator()(A& a BROADLOOM_LIFETIMEBOUND, Axis axis, More... more) const {
    return (*this)(detail::as_node(a), axis, more...);
  }
#endif
  template <array A>
  constexpr auto operator()(A&& a) const {
    return detail::transform(detail::flip_op{~0u}, detail::as_node(static_cast<A&&>(a)));
  }
  template <array A, detail::integer_like Axis, detail::integer_like... More>
  constexpr auto operator()(A&& a, Axis axis, More... more) const {
    auto e = detail::edit_axes<detail::flip_edit>(detail::as_node(static_cast<A&&>(a)), axis);
    if constexpr (sizeof...(More) == 0)
      return e;
    else
      return (*this)(e, more...);
  }
  template <array A, detail::axis_list L>
  constexpr auto operator()(A&& a, const L& list) const {
    constexpr int rank = detail::rank_of<detail::node_of<A>>;
    return detail::transform(detail::flip_op{detail::add_axes(0, list, rank, "flip")},
                             detail::as_node(static_cast<A&&>(a)));
  }
} flip{};

// select(x, axis, i): x at index i of the axis, which disappears. Throws index_error when i is out of bounds.
inline constexpr struct select_t : detail::takes_axis_names<select_t> {
  static constexpr detail::text call{"select(x, axis, i)"};
  using takes_axis_names::operator();
#if defined(__clang__)
  template <detail::referred A, detail::integer_like Axis, detail::integer_like At>
  constexpr auto operator()(A& a BROADLOOM_LIFETIMEBOUND, Axis axis, At at) const {
    return (*this)(detail::as_node(a), axis, at);
  }
#endif
  template <array A, detail::integer_like Axis, detail::integer_like At>
  constexpr auto operator()(A&& a, Axis axis, At at) const {
    constexpr bool inside = is_inside<Axis, At>(detail::node_of<A>::shape_type::static_extents);
    static_assert(inside, "a constant index is outside of its axis [errors.md#constant-index]");
    if constexpr (inside)
      return detail::edit_axes<detail::select_edit>(detail::as_node(static_cast<A&&>(a)), axis, at);
    else
      return detail::as_node(static_cast<A&&>(a));
  }

 private:
  // As far as constants tell; of an axis that there is not, the axis is what is wrong.
  template <class Axis, class At, int R>
  static constexpr bool is_inside(const detail::indices<R>& x) {
    if constexpr (detail::constant<Axis>) {
      constexpr index axis = Axis::value < 0 ? Axis::value + R : Axis::value;
      if constexpr (axis >= 0 && axis < R) return detail::is_inside<At>(x[axis]);
    }
    return true;
  }
} select{};

// narrow(x, axis, start, length): that part of the axis. Throws index_error when it is not inside.
inline constexpr struct narrow_t : detail::takes_axis_names<narrow_t> {
  static constexpr detail::text call{"narrow(x, axis, start, length)"};
  using takes_axis_names::operator();
  template <array A, detail::integer_like Axis, detail::integer_like Start, detail::integer_like Length>
  constexpr auto operator()(A&& a, Axis axis, Start start, Length length) const {
    return detail::edit_axes<detail::narrow_edit>(detail::as_node(static_cast<A&&>(a)), axis, start, length);
  }
} narrow{};

// movedim(x, from, to): that axis moved, the others in order.
inline constexpr struct movedim_t : detail::takes_axis_names<movedim_t> {
  static constexpr detail::text call{"movedim(x, from, to)"};
  using takes_axis_names::operator();
  template <array A, detail::integer_like From, detail::integer_like To>
  constexpr auto operator()(A&& a, From from, To to) const {
    return detail::edit_axes<detail::move_edit>(detail::as_node(static_cast<A&&>(a)), from, to);
  }
} movedim{};

// diagonal(x, shift = 0, first = 0, second = 1): elements whose second index is the first one plus shift, as the last
// axis.
inline constexpr struct diagonal_t : detail::takes_axis_names<diagonal_t> {
  static constexpr detail::text call{"diagonal(x, shift, axis, axis)"};
  using takes_axis_names::operator();
  template <array A, detail::integer_like N = boost::hana::integral_constant<index, 0>,
            detail::integer_like First = boost::hana::integral_constant<index, 0>,
            detail::integer_like Second = boost::hana::integral_constant<index, 1>>
  constexpr auto operator()(A&& a, N shift = {}, First first = {}, Second second = {}) const {
    return detail::edit_axes<detail::diagonal_edit>(detail::as_node(static_cast<A&&>(a)), shift, first, second);
  }
} diagonal{};

}  // namespace broadloom
