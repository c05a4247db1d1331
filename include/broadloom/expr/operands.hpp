// The operands of a node: what Hana calls a Foldable.
#pragma once

#include <boost/hana/basic_tuple.hpp>

#include <broadloom/core/array.hpp>

namespace broadloom::detail {

struct operands_tag;

// Usually an aggregate: it costs six instantiated functions less for each node than Hana's tuple.
template <class... T>
struct operands {
  using hana_tag = operands_tag;
};
template <class A>
struct operands<A> {
  using hana_tag = operands_tag;
  A first;
};
template <class A, class B>
struct operands<A, B> {
  using hana_tag = operands_tag;
  A first;
  B second;
};
template <class A, class B, class C>
struct operands<A, B, C> {
  using hana_tag = operands_tag;
  A first;
  B second;
  C third;
};
template <class A, class B, class C, class D, class... More>
struct operands<A, B, C, D, More...> {
  using hana_tag = operands_tag;
  A first;
  B second;
  C third;
  operands<D, More...> rest;

  template <class X, class Y, class Z, class... R>
  constexpr operands(X&& x, Y&& y, Z&& z, R&&... r)
      : first(static_cast<X&&>(x)),
        second(static_cast<Y&&>(y)),
        third(static_cast<Z&&>(z)),
        rest{static_cast<R&&>(r)...} {}
};

template <int At, class... T>
constexpr const auto& operand_at(const operands<T...>& x) {
  if constexpr (At == 0)
    return x.first;
  else if constexpr (At == 1)
    return x.second;
  else if constexpr (At == 2)
    return x.third;
  else
    return operand_at<At - 3>(x.rest);
}

// f(operands...)
template <class F>
constexpr decltype(auto) unpack(const operands<>&, const F& f) {
  return f();
}
template <class A, class F>
constexpr decltype(auto) unpack(const operands<A>& x, const F& f) {
  return f(x.first);
}
template <class A, class B, class F>
constexpr decltype(auto) unpack(const operands<A, B>& x, const F& f) {
  return f(x.first, x.second);
}
template <class A, class B, class C, class F>
constexpr decltype(auto) unpack(const operands<A, B, C>& x, const F& f) {
  return f(x.first, x.second, x.third);
}
template <class A, class B, class C, class D, class... More, class F>
constexpr decltype(auto) unpack(const operands<A, B, C, D, More...>& x, const F& f) {
  return unpack(x.rest, [&](const D& d, const More&... more) -> decltype(auto) {
    return f(x.first, x.second, x.third, d, more...);
  });
}

// The same for Hana's tuple. Hana's own header for this would cost a twentieth of what including this library does.
template <class... T, class F>
constexpr decltype(auto) unpack(const boost::hana::basic_tuple<T...>& x, const F& f) {
  return [&]<int... At>(sequence<At...>) -> decltype(auto) {
    return f(boost::hana::at_c<At>(x)...);
  }(make_sequence<sizeof...(T)>{});
}

}  // namespace broadloom::detail

namespace boost::hana {

template <>
struct unpack_impl<broadloom::detail::operands_tag> {
  template <class... T, class F>
  static constexpr decltype(auto) apply(const broadloom::detail::operands<T...>& x, F&& f) {
    return broadloom::detail::unpack(x, f);
  }
};

}  // namespace boost::hana
