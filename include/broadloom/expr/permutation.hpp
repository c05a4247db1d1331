// Axes in another order, as permute and the reversal of all axes make of extents and strides.
#pragma once

#include <broadloom/core/throw_error.hpp>
#include <broadloom/expr/axis_op.hpp>
#include <broadloom/expr/capture.hpp>

namespace broadloom::detail {

[[noreturn, gnu::cold, gnu::noinline]] inline void throw_bad_permutation(const index* axes, index count, index rank,
                                                                         const char* call) {
  throw_error(error_kind::bad_permutation, {axes, count, rank, call});
}

template <int Rank>
constexpr bool is_permutation(const indices<Rank>& p) {
  bool seen[Rank == 0 ? 1 : Rank] = {};
  for (index a : p) {
    if (a < -Rank || a >= Rank || seen[a < 0 ? a + Rank : a]) return false;
    seen[a < 0 ? a + Rank : a] = true;
  }
  return true;
}

// Whether the axes that are constants can be part of a permutation. Each P is a number<...>.
template <class... P>
constexpr bool may_permute() {
  constexpr int rank = sizeof...(P);
  bool seen[rank == 0 ? 1 : rank] = {}, ok = true;
  const auto one = [&]<class N>(const N*) {
    if constexpr (N::is_static) {
      const index a = index{N{}} < 0 ? index{N{}} + rank : index{N{}};
      ok = ok && a >= 0 && a < rank && !seen[a];
      if (ok) seen[a] = true;
    }
  };
  (one(static_cast<const P*>(nullptr)), ...);
  return ok;
}

// Axis i of the result is axis P[i] of the array; each P a number<...>.
template <class... P>
struct permute_op {
  boost::hana::basic_tuple<P...> axes;

  static constexpr int count = sizeof...(P);
  static constexpr bool is_static = (P::is_static && ...);
  static constexpr int rank(int in) { return in; }
  // A run-time axis may be any axis that no constant names.
  template <int R>
  static constexpr auto known(const indices<R>& x) {
    bool named[R == 0 ? 1 : R] = {};
    const auto constant_axis = []<class N>(const N*) {
      if constexpr (N::is_static)
        return normal_axis(index{N{}}, R);
      else
        return -1;
    };
    const indices<R> p{{index{constant_axis(static_cast<const P*>(nullptr))}...}};
    for (index a : p)
      if (a >= 0) named[a] = true;
    common_extents<1> others;
    for (int a = 0; a < R; ++a)
      if (!named[a]) others.add({{x[a]}});
    indices<R> r{};
    for (int i = 0; i < R; ++i) r[i] = p[i] >= 0 ? x[p[i]] : others.extents[0];
    return r;
  }
  template <int R>
  constexpr auto operator()(const geometry<R>& g) const {
    const indices<R> p = detail::unpack(axes, [](const P&... a) { return indices<R>{{index{a}...}}; });
    if (!is_permutation(p)) throw_bad_permutation(p.v, R, R, "permute");
    geometry<R> r{{}, {}, g.offset};
    for (int i = 0; i < R; ++i) {
      const index a = p[i] < 0 ? p[i] + R : p[i];
      r.extents[i] = g.extents[a];
      r.strides[i] = g.strides[a];
    }
    return r;
  }
};

struct reverse_axes_op {
  static constexpr bool is_static = true;
  static constexpr int rank(int in) { return in; }
  template <int R>
  static constexpr auto known(const indices<R>& x) {
    return reverse_axes_op{}(geometry<R>{x, {}, 0}).extents;
  }
  template <int R>
  constexpr auto operator()(const geometry<R>& g) const {
    geometry<R> r{{}, {}, g.offset};
    for (int i = 0; i < R; ++i) {
      r.extents[i] = g.extents[R - 1 - i];
      r.strides[i] = g.strides[R - 1 - i];
    }
    return r;
  }
};

template <class E>
constexpr auto reversed_axes(const E& e) {
  return transform(reverse_axes_op{}, e);
}

}  // namespace broadloom::detail
