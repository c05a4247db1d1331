// function(f): a function of one's own that returns an expression. What it is called with may be mentioned many times,
// and the expression may be kept.
#pragma once

#include <broadloom/eval/let.hpp>

namespace broadloom {

namespace detail {

// An operand as `let` gives it; anything else as it is.
template <class A>
constexpr decltype(auto) own_argument(A&& a) {
  if constexpr (array<A>)
    return let(static_cast<A&&>(a));
  else
    return static_cast<A&&>(a);
}

// Several callables as one, for overloads.
template <class... F>
struct overloads : F... {
  using F::operator()...;
};

template <class F, class... A>
concept takes = requires(const F& f, A&&... a) { f(own_argument(static_cast<A&&>(a))...); };

}  // namespace detail

// function(f), function(f, g, ...): a function object that calls f, or the one of them that C++ chooses. Arrays and
// expressions arrive as let(x) gives them: f may mention each of them many times and return an expression of them,
// which refers to arrays with names and owns the others. Numbers, constants, axes and all else arrive as they are. An
// array that is local to f, or held by it, is not to be referred to: std::move(array) or let(std::move(array)) gives it
// away.
template <class F>
class function {
 public:
  template <class... G>
  constexpr explicit function(G... g) : f_{static_cast<G&&>(g)...} {}

#if defined(__clang__)
  template <detail::referred A, class... More>
    requires detail::takes<F, A&, More...>
  constexpr auto operator()(A& a BROADLOOM_LIFETIMEBOUND, More&&... more) const {
    return f_(let(a), detail::own_argument(static_cast<More&&>(more))...);
  }
  template <detail::referred A, detail::referred B, class... More>
    requires detail::takes<F, A&, B&, More...>
  constexpr auto operator()(A& a BROADLOOM_LIFETIMEBOUND, B& b BROADLOOM_LIFETIMEBOUND, More&&... more) const {
    return f_(let(a), let(b), detail::own_argument(static_cast<More&&>(more))...);
  }
#endif
  template <class... A>
    requires detail::takes<F, A...>
  constexpr auto operator()(A&&... a) const {
    return f_(detail::own_argument(static_cast<A&&>(a))...);
  }

 private:
  [[no_unique_address]] F f_;
};
template <class F>
function(F) -> function<F>;
template <class F, class G, class... More>
function(F, G, More...) -> function<detail::overloads<F, G, More...>>;

}  // namespace broadloom
