// Trees with users' callables: where these are called, and what replaces them in the tree afterwards.
#pragma once

#include <broadloom/expr/map.hpp>
#include <broadloom/expr/owned_arrays.hpp>
#include <broadloom/plan/problem.hpp>

namespace broadloom::detail {

// A user's callable runs in the loop of the result if its shape is the result's. Otherwise it is evaluated first, over
// its own shape, so that it is called once for each element of that shape.
template <class E>
inline constexpr bool has_calls = false;
template <class F, class Shape, class... Args>
inline constexpr bool has_calls<map<F, Shape, Args...>> = requires { F::is_call; } || (has_calls<Args> || ...);

template <class E, class Shape>
constexpr bool calls_have_shape(const E& e, const Shape& s) {
  if constexpr (!has_calls<E>)
    return true;
  else {
    if constexpr (requires { E::function_type::is_call; }) {
      if constexpr (rank_of<E> != Shape::axes_count)
        return false;
      else
        for (int i = 0; i < Shape::axes_count; ++i)
          if (e.shape()[i] != s[i]) return false;
    }
    return unpack(e.args(), [&](const auto&... a) { return (calls_have_shape(a, s) && ...); });
  }
}

// The tree with the callables' results in their place.
template <class E>
struct calls_evaluated {
  using type = E;
};
template <class F, class Shape, class... Args>
  requires(has_calls<map<F, Shape, Args...>> && !requires { F::is_call; })
struct calls_evaluated<map<F, Shape, Args...>> {
  using type = map<F, Shape, typename calls_evaluated<Args>::type...>;
};
template <class F, class Shape, class... Args>
  requires requires { F::is_call; }
struct calls_evaluated<map<F, Shape, Args...>> {
  using type = shared_array<typename map<F, Shape, Args...>::value_type, Shape, row_major>;
};
// Evaluates them: eval/assign.hpp.
template <int Native, class E>
typename calls_evaluated<E>::type with_calls_evaluated(const E& e, const runtime::options& how);

}  // namespace broadloom::detail
