// Joins along the last axes: dstack, column_stack; and NumPy's name row_stack of vstack.
#pragma once

#include <broadloom/expr/view_names.hpp>
#include <broadloom/index/stack.hpp>

namespace broadloom {

inline constexpr vstack_t row_stack{};

// dstack(a, b, ...): along the third axis; (n) counts as (1, n, 1), (m, n) as (m, n, 1) (NumPy's and PyTorch's dstack).
inline constexpr struct dstack_t {
  template <array... P>
    requires(sizeof...(P) > 0)
  constexpr auto operator()(P&&... parts) const {
    return cat(detail::integer_constant<2>{}, atleast_3d(detail::capture(static_cast<P&&>(parts)))...);
  }
} dstack{};

namespace detail {

template <class E>
constexpr auto as_column(const E& e) {
  if constexpr (rank_of<E> >= 2)
    return e;
  else if constexpr (rank_of<E> == 1)
    return unsqueeze(e, integer_constant<1>{});
  else
    return unsqueeze(unsqueeze(e, integer_constant<0>{}), integer_constant<0>{});
}

}  // namespace detail

// column_stack(a, b, ...): along the second axis; (n) counts as (n, 1), () as (1, 1) (PyTorch's and NumPy's).
inline constexpr struct column_stack_t {
  template <array... P>
    requires(sizeof...(P) > 0)
  constexpr auto operator()(P&&... parts) const {
    return cat(detail::integer_constant<1>{}, detail::as_column(detail::capture(static_cast<P&&>(parts)))...);
  }
} column_stack{};

}  // namespace broadloom
