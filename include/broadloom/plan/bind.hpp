// Binding: the leaves of a tree, left to right, as pointers and strides over the axes of the result.
#pragma once

#include <broadloom/plan/problem.hpp>
#include <broadloom/plan/program.hpp>

namespace broadloom::detail {

template <int Count, int Rank>
struct bound_operands {
  runtime::operand list[Count];
  index strides[Count * Rank + 1];
};

template <class T, int Count, int Rank>
inline void bind_leaves(const scalar<T>& e, bound_operands<Count, Rank>& b, int& k) {
  b.list[k] = {&e.value(), b.strides + k * Rank, dtype_of<T>, true};
  ++k;
}
template <leaf E, int Count, int Rank>
inline void bind_leaves(const E& e, bound_operands<Count, Rank>& b, int& k) {
  constexpr int own = rank_of<E>;
  index* s = b.strides + k * Rank;
  const auto strides = e.strides();
  const auto& shape = e.shape();
  for (int i = 0; i < Rank - own; ++i) s[i] = 0;
  for (int i = 0; i < own; ++i) s[Rank - own + i] = shape[i] == 1 ? 0 : strides[i];
  b.list[k] = {e.data(), s, dtype_of<typename E::value_type>, false};
  ++k;
}
template <class F, class Shape, class... Args, int Count, int Rank>
inline void bind_leaves(const map<F, Shape, Args...>& e, bound_operands<Count, Rank>& b, int& k) {
  boost::hana::unpack(e.args(), [&](const Args&... a) { (bind_leaves(a, b, k), ...); });
}

}  // namespace broadloom::detail
