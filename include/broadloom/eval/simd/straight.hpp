// Static shapes: the evaluation written out where it stands, with every stride a constant. No plan, no call, no
// allocation.
#pragma once

#include <broadloom/eval/simd/kernel.hpp>
#include <broadloom/expr/deferred.hpp>
#include <broadloom/expr/map.hpp>
#include <broadloom/expr/scalar.hpp>

#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wpsabi"
#endif

namespace broadloom::detail {

// The tree's geometry is known to the compiler, and nothing in it needs compiled code.
template <class E>
inline constexpr bool all_static = E::layout_type::template is_static<typename E::shape_type>;
template <deferred_leaf E>
inline constexpr bool all_static<E> = false;
template <class T>
inline constexpr bool all_static<scalar<T>> = true;
template <class F, class Shape, class... Args>
inline constexpr bool all_static<map<F, Shape, Args...>> = !F::is_strip && (all_static<Args> && ...);

template <class E>
inline constexpr int widest_in_tree = sizeof(typename E::value_type);
template <class F, class Shape, class... Args>
inline constexpr int widest_in_tree<map<F, Shape, Args...>> = [] {
  int w = sizeof(typename map<F, Shape, Args...>::value_type);
  ((w = widest_in_tree<Args> > w ? widest_in_tree<Args> : w), ...);
  return w;
}();

// The element of index `flat` of a row-major result, in a leaf's memory.
template <class Leaf, class Result>
constexpr index static_offset(index flat) {
  constexpr auto extents = Leaf::shape_type::static_extents;
  constexpr auto strides = typename Leaf::layout_type{}.strides(typename Leaf::shape_type{});
  constexpr int own = extents.count, rank = Result::axes_count;
  index o = 0;
  for (int i = rank - 1; i >= 0; --i) {
    const index n = Result::static_extents[i], at = n == 0 ? 0 : flat % n;
    if (n != 0) flat /= n;
    const int j = i - (rank - own);
    if (j >= 0 && extents[j] != 1) o += at * strides[j];
  }
  return o;
}

// How N neighbours of the result lie in the leaf: step 1, step 0, or anything else (no_step).
inline constexpr index no_step = -1;
template <class Leaf, class Result, int N>
constexpr index static_step(index flat) {
  const index first = static_offset<Leaf, Result>(flat);
  bool same = true, next = true;
  for (int k = 1; k < N; ++k) {
    const index o = static_offset<Leaf, Result>(flat + k);
    same = same && o == first;
    next = next && o == first + k;
  }
  return next ? 1 : same ? 0 : no_step;
}

// N lanes of a node, beginning at element Flat of the result.
template <int N, class Result, index Flat, class T>
BROADLOOM_INLINE pack<T, N> lanes_at(const scalar<T>& e) {
  return splat<N>(e.value());
}
template <int N, class Result, index Flat, leaf E>
BROADLOOM_INLINE auto lanes_at(const E& e) {
  using T = typename E::value_type;
  constexpr index at = static_offset<E, Result>(Flat), step = static_step<E, Result, N>(Flat);
  const T* const p = e.data();
  if constexpr (step == 1)
    return load<T, N>(p + at);
  else if constexpr (step == 0)
    return splat<N>(p[at]);
  else if constexpr (std::is_arithmetic_v<T> && !__is_same(T, bool) && N * sizeof(T) > 16)
    // Halves often lie better, as the rows of two narrow ones; lanes put together in memory are waited for.
    return [&]<int... I>(sequence<I...>) __attribute__((always_inline)) {
      return __builtin_shufflevector(lanes_at<N / 2, Result, Flat>(e), lanes_at<N / 2, Result, Flat + N / 2>(e), I...);
    }(make_sequence<N>{});
  else {
    T lanes[N];
    for (int k = 0; k < N; ++k) lanes[k] = p[static_offset<E, Result>(Flat + k)];
    return load<T, N>(lanes);
  }
}
template <int N, class Result, index Flat, class F, class Shape, class... Args>
BROADLOOM_INLINE auto lanes_at(const map<F, Shape, Args...>& e) {
  return [&]<int... I>(sequence<I...>) __attribute__((always_inline)) {
    return F::on(lanes_at<N, Result, Flat>(e.template arg<I>())...);
  }(make_sequence<sizeof...(Args)>{});
}

// All leaves are numbers or lie as the result does: element i of one is element i of the other.
template <class Result, class E>
inline constexpr bool lies_alike =
    __is_same(typename E::shape_type, Result) && __is_same(typename E::layout_type, row_major);
template <class Result, class T>
inline constexpr bool lies_alike<Result, scalar<T>> = true;
template <class Result, class F, class Shape, class... Args>
inline constexpr bool lies_alike<Result, map<F, Shape, Args...>> = (lies_alike<Result, Args> && ...);

// The same lanes of such trees. The place is no template argument, so that compilers see each node once.
template <int N, class T>
BROADLOOM_INLINE pack<T, N> lanes_alike(const scalar<T>& e, index) {
  return splat<N>(e.value());
}
template <int N, leaf E>
BROADLOOM_INLINE auto lanes_alike(const E& e, index at) {
  return load<typename E::value_type, N>(e.data() + at);
}
template <int N, class F, class Shape, class... Args>
BROADLOOM_INLINE auto lanes_alike(const map<F, Shape, Args...>& e, index at) {
  return unpack(e.args(),
                [&](const Args&... a) __attribute__((always_inline)) { return F::on(lanes_alike<N>(a, at)...); });
}

// The result's lanes as the output keeps them: a mask in one byte a lane, however wide what was compared.
template <class T, int N, class V>
BROADLOOM_INLINE pack<T, N> settled(const V& x) {
  if constexpr (__is_same(T, bool) && N > 1)
    return {widen<1>(x)};
  else
    return x;
}

template <class T, int N, class E>
BROADLOOM_INLINE pack<T, N> result_alike(const E& e, index at) {
  return settled<T, N>(cast_f<T>::on(lanes_alike<N>(e, at)));
}

// What is written out: results of at most this many vectors, all computed before the first is stored, so that any
// aliasing is right.
inline constexpr int most_straight_vectors = 16;

template <class Out, class E, int Native>
struct straight_form {
  using to = typename Out::value_type;
  static constexpr int widest = widest_in_tree<E> > int(sizeof(to)) ? widest_in_tree<E> : int(sizeof(to));
  static constexpr index lanes = Native / widest;
  static constexpr index size = [] {
    if constexpr (Out::shape_type::is_static)
      return checked_size(Out::shape_type::static_extents.v, Out::shape_type::axes_count);
    else
      return index{-1};
  }();
  static constexpr index whole = size / lanes, rest = size % lanes;
  static constexpr bool ok = [] {
    if constexpr (Out::shape_type::is_static && __is_same(typename Out::layout_type, row_major))
      return all_static<E> && size >= 0 && whole + rest <= most_straight_vectors;
    else
      return false;
  }();
};

template <int Native, class Out, class E>
BROADLOOM_INLINE void assign_straight(const Out& out, const E& e) {
  using form = straight_form<Out, E, Native>;
  using result = typename Out::shape_type;
  using to = typename form::to;
  constexpr int n = static_cast<int>(form::lanes);
  to* const o = out.data();
  [&]<int... I, int... J>(sequence<I...>, sequence<J...>) __attribute__((always_inline)) {
    constexpr int done = static_cast<int>(form::whole) * n;
    const auto write = [&](const fixed_array<pack<to, n>, sizeof...(I)>& vectors,
                           const fixed_array<to, sizeof...(J)>& singles) __attribute__((always_inline)) {
      (store<to>(o + I * n, vectors.v[I]), ...);
      (store<to>(o + done + J, singles.v[J]), ...);
    };
    if constexpr (lies_alike<result, E>)
      write({{result_alike<to, n>(e, I * n)...}}, {{result_alike<to, 1>(e, done + J)...}});
    else
      write({{settled<to, n>(cast_f<to>::on(lanes_at<n, result, I * n>(e)))...}},
            {{cast_f<to>::on(lanes_at<1, result, done + J>(e))...}});
  }(make_sequence<static_cast<int>(form::whole)>{}, make_sequence<static_cast<int>(form::rest)>{});
}

}  // namespace broadloom::detail

#if defined(__clang__)
#pragma clang diagnostic pop
#endif
