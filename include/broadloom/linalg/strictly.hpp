// matmul for a scope that says `using namespace broadloom::strictly;`: the axes of stacks broadcast strictly.
#pragma once

#include <broadloom/fn/strictly.hpp>
#include <broadloom/linalg/products.hpp>

namespace broadloom {

namespace detail {

// The shape of a stack of matrices without the matrices.
template <class S>
struct loop_shape {
  using type = shape<>;
};
template <class S>
  requires(S::axes_count > 2)
struct loop_shape<S> {
  static constexpr auto extents() {
    indices<S::axes_count - 2> r{};
    for (int i = 0; i < r.count; ++i) r[i] = S::static_extents[i];
    return r;
  }
  using type = shape_from<extents()>;
};
template <class A>
using loop_shape_of = typename loop_shape<typename node_of<A>::shape_type>::type;

template <class A, class B>
constexpr bool loop_ranks_agree() {
  constexpr int a = loop_shape_of<A>::axes_count, b = loop_shape_of<B>::axes_count;
  return a == 0 || b == 0 || a == b;
}
template <class A, class B>
constexpr bool loops_two_sided() {
  constexpr fixed_array<shape_view, 2> shapes{{{loop_shape_of<A>::static_extents.v, loop_shape_of<A>::axes_count},
                                               {loop_shape_of<B>::static_extents.v, loop_shape_of<B>::axes_count}}};
  return expanded_operands(shapes, false) > 1;
}

}  // namespace detail

namespace strictly {

// matmul(a, b) of matrices, vectors and stacks: stacks have equal ranks, one of them is expanded at most, and only
// along axes whose extent is 1 in its type; a single matrix goes with any stack. Errors as of matmul, and shape_error
// where extents decide at run time.
inline constexpr struct matmul_t {
  template <array A, array B>
    requires(detail::loop_ranks_agree<A, B>() && !detail::loops_two_sided<A, B>())
  constexpr auto operator()(A&& a, B&& b) const {
    const auto x = a.shape();
    const auto y = b.shape();
    using S = detail::loop_shape_of<A>;
    using T = detail::loop_shape_of<B>;
    const detail::fixed_array<detail::shape_view, 2> shapes{{{x.data(), S::axes_count}, {y.data(), T::axes_count}}};
    if (detail::expanded_operands(shapes, false) > 1) detail::throw_two_sided(shapes.v, 2);
    detail::check_run_time_ones(shapes,
                                detail::fixed_array<const index*, 2>{{S::static_extents.v, T::static_extents.v}});
    return broadloom::matmul(static_cast<A&&>(a), static_cast<B&&>(b));
  }
  template <array A, array B,
            class Error = std::conditional_t<
                detail::loop_ranks_agree<A, B>(),
                errors_md::strict_forbids_that_two_operands_are_expanded<typename detail::node_of<A>::shape_type,
                                                                         typename detail::node_of<B>::shape_type>,
                errors_md::strict_forbids_operands_of_different_rank<typename detail::node_of<A>::shape_type,
                                                                     typename detail::node_of<B>::shape_type>>>
    requires(!detail::loop_ranks_agree<A, B>() || detail::loops_two_sided<A, B>())
  Error operator()(A&&, B&&) const = delete;
} matmul{};

}  // namespace strictly
}  // namespace broadloom
