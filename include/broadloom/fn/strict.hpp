// strict(f): f with less broadcasting. Used call by call; refused by the compiler if the types decide.
// decide.
#pragma once

#include <broadloom/core/throw_error.hpp>
#include <broadloom/fn/function.hpp>

namespace broadloom {

// What strict forbids. rank_promotion: operands of different rank (numbers and arrays of rank 0 may go with any).
// two_sided_expansion: shapes of which each is expanded, such as (n, 1) with (n). run_time_ones: an axis is expanded
// whose extent the type does not say to be 1, as of (3, 8) with a (1, 8) that should have had three rows.
enum class forbidden : unsigned char {
  rank_promotion = 1,
  two_sided_expansion = 2,
  both = 3,
  run_time_ones = 4,
  everything = 7
};

namespace errors_md {
// What a call that strict refuses "returns".
template <class... Shapes>
struct strict_forbids_operands_of_different_rank;
template <class... Shapes>
struct strict_forbids_that_two_operands_are_expanded;
}  // namespace errors_md

namespace detail {

[[noreturn, gnu::cold, gnu::noinline]] inline void throw_two_sided(const shape_view* shapes, int count) {
  throw_error(error_kind::two_sided, {shapes, count});
}
[[noreturn, gnu::cold, gnu::noinline]] inline void throw_run_time_one(const shape_view* shapes, int count, int operand,
                                                                      index axis) {
  throw_error(error_kind::run_time_one, {shapes, count, operand, axis});
}

template <class... A>
constexpr bool ranks_agree() {
  int rank = 0;
  bool agree = true;
  const auto look = [&](int r) {
    agree = agree && (r == 0 || rank == 0 || r == rank);
    rank = r == 0 ? rank : r;
  };
  (look(shape_of_argument<A>::type::axes_count), ...);
  return agree;
}

// Whether an operand of these extents is broadcast to another one; dyn extents count as `unknown`.
template <int N>
constexpr int expanded_operands(const fixed_array<shape_view, N>& shapes, bool unknown) {
  index rank = 0;
  for (const shape_view& s : shapes) rank = s.rank > rank ? s.rank : rank;
  int count = 0;
  for (const shape_view& s : shapes) {
    if (s.rank == 0) continue;
    bool expanded = false;
    for (index k = 1; k <= rank && !expanded; ++k) {
      const index own = k <= s.rank ? s.extents[s.rank - k] : 1;
      if (is_dyn(own) ? !unknown : own != 1) continue;
      for (const shape_view& o : shapes) {
        const index other = k <= o.rank ? o.extents[o.rank - k] : 1;
        if (is_dyn(other) ? unknown : other != 1) expanded = true;
      }
    }
    count += expanded ? 1 : 0;
  }
  return count;
}

template <class... A>
constexpr bool two_sided_statically() {
  constexpr fixed_array<shape_view, sizeof...(A)> shapes{
      {{shape_of_argument<A>::type::static_extents.v, shape_of_argument<A>::type::axes_count}...}};
  return expanded_operands(shapes, false) > 1;
}

// Throws where an axis is expanded that has extent 1 in the run only. `known`: static extents.
template <int N>
constexpr void check_run_time_ones(const fixed_array<shape_view, N>& shapes,
                                   const fixed_array<const index*, N>& known) {
  for (int i = 0; i < N; ++i)
    for (index k = 1; k <= shapes[i].rank; ++k) {
      const index axis = shapes[i].rank - k;
      if (!is_dyn(known[i][axis]) || shapes[i].extents[axis] != 1) continue;
      for (const shape_view& o : shapes)
        if (k <= o.rank && o.extents[o.rank - k] != 1) throw_run_time_one(shapes.v, N, i, axis);
    }
}

template <class A>
constexpr auto run_time_shape(const A& a) {
  if constexpr (array<const A&>)
    return shape_of_array(a);
  else
    return shape<>{};
}

template <class F, forbidden What>
struct strict_function {
  F f;
  static constexpr bool no_promotion = (static_cast<int>(What) & 1) != 0, one_side = (static_cast<int>(What) & 2) != 0,
                        no_run_time_ones = (static_cast<int>(What) & 4) != 0;

  template <operand... A>
    requires((!no_promotion || ranks_agree<A...>()) && (!one_side || !two_sided_statically<A...>()))
  constexpr decltype(auto) operator()(A&&... a) const {
    if constexpr (one_side || no_run_time_ones)
      []<class... S>(const S&... s) {
        const fixed_array<shape_view, sizeof...(A)> shapes{{{s.data(), s.axes_count}...}};
        if (one_side && expanded_operands(shapes, false) > 1) throw_two_sided(shapes.v, shapes.count);
        if constexpr (no_run_time_ones)
          check_run_time_ones(shapes, fixed_array<const index*, sizeof...(A)>{{S::static_extents.v...}});
      }(run_time_shape(a)...);
    return f(static_cast<A&&>(a)...);
  }
  template <operand... A,
            class Error = errors_md::strict_forbids_operands_of_different_rank<typename shape_of_argument<A>::type...>>
    requires(no_promotion && !ranks_agree<A...>())
  Error operator()(A&&...) const = delete;
  template <operand... A, class Error = errors_md::strict_forbids_that_two_operands_are_expanded<
                              typename shape_of_argument<A>::type...>>
    requires((!no_promotion || ranks_agree<A...>()) && one_side && two_sided_statically<A...>())
  Error operator()(A&&...) const = delete;
};

}  // namespace detail

// strict(add)(x, y); strict<forbidden::everything>(add_)(x, y). Throws shape_error where extents decide at run time; an
// in-place form writes nothing then.
template <forbidden What = forbidden::both, class F>
constexpr detail::strict_function<F, What> strict(const F& f) {
  return {f};
}

}  // namespace broadloom
