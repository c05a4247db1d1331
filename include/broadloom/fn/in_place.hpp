// In-place forms: f_(out, x...) writes f(out, x...) to out.
#pragma once

#include <broadloom/core/native.hpp>
#include <broadloom/fn/function.hpp>

namespace broadloom::detail {

// What prevents f(out, x...) from being written to out: nothing (void), the call, or the assignment.
template <class Function, class Out, class... X>
struct in_place_check {
  using error = shapes_error<Out, X...>;
  static constexpr bool ok = false;
};
template <class Function, class Out, class... X>
  requires(!requires(const Function& f, Out& out, X&&... x) { f(out, static_cast<X&&>(x)...); }) &&
          requires { typename Function::function_type; }
struct in_place_check<Function, Out, X...> {
  using error = call_error<typename Function::function_type, Out, X...>;
  static constexpr bool ok = false;
};
template <class Function, class Out, class... X>
  requires requires(const Function& f, Out& out, X&&... x) { f(out, static_cast<X&&>(x)...); }
struct in_place_check<Function, Out, X...> {
  using result = decltype(std::declval<const Function&>()(std::declval<Out&>(), std::declval<X>()...));
  using error = typename assignment_check<Out&, result>::error;
  static constexpr bool ok = std::is_void_v<error>;
};

template <class Function, class Out, class... X>
concept in_place_callable = in_place_check<Function, Out, X...>::ok;

// f_(out, x...): the in-place form of any function object; out is its first operand and its result.
template <class Function>
struct in_place {
  template <class Out, class... X, int Native = BROADLOOM_NATIVE>
    requires in_place_check<Function, Out, X...>::ok
  constexpr decltype(auto) operator()(Out&& out, X&&... x) const {
    assign_in_place<Native>(out, Function{}(out, static_cast<X&&>(x)...));
    return static_cast<Out&&>(out);
  }
  template <class Out, class... X, class Error = typename in_place_check<Function, Out, X...>::error>
    requires(!in_place_check<Function, Out, X...>::ok)
  Error operator()(Out&&, X&&...) const = delete;
};

}  // namespace broadloom::detail
