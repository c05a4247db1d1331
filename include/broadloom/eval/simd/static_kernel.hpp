// Static shapes: the evaluation is unrolled in the caller, with every stride a constant. No plan, no call, no
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

// All extents and strides are known to the compiler, and nothing in the tree needs compiled code.
template <class E>
inline constexpr bool all_static = E::layout_type::template is_static<typename E::shape_type>;
template <deferred_leaf E>
inline constexpr bool all_static<E> = false;
template <class T>
inline constexpr bool all_static<scalar<T>> = true;
template <class F, class Shape, class... Args>
inline constexpr bool all_static<map<F, Shape, Args...>> = !F::is_strip && (all_static<Args> && ...);

template <class E>
inline constexpr int widest_in_tree = register_bytes<typename E::value_type>;
template <class F, class Shape, class... Args>
inline constexpr int widest_in_tree<map<F, Shape, Args...>> = [] {
  int w = register_bytes<typename map<F, Shape, Args...>::value_type>;
  ((w = widest_in_tree<Args> > w ? widest_in_tree<Args> : w), ...);
  return w;
}();

// The offset, in a leaf, of element `flat` of a row-major result.
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

// The step, in the leaf, between N adjacent elements of the result: 1, 0, or no_step.
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
BROADLOOM_INLINE simd_vec<T, N> lanes_at(const scalar<T>& e) {
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
    // Halves often have a step, such as the rows of two narrow leaves. A vector put together in memory is slow to load.
    return [&]<int... At>(sequence<At...>) __attribute__((always_inline)) {
      return shuffled<At...>(lanes_at<N / 2, Result, Flat>(e), lanes_at<N / 2, Result, Flat + N / 2>(e));
    }(make_sequence<N>{});
  else {
    T lanes[N];
    for (int k = 0; k < N; ++k) lanes[k] = p[static_offset<E, Result>(Flat + k)];
    return load<T, N>(lanes);
  }
}
template <int N, class Result, index Flat, class F, class Shape, class... Args>
BROADLOOM_INLINE auto lanes_at(const map<F, Shape, Args...>& e) {
  return [&]<int... At>(sequence<At...>) __attribute__((always_inline)) {
    return F::on(lanes_at<N, Result, Flat>(e.template arg<At>())...);
  }(make_sequence<sizeof...(Args)>{});
}

// All leaves are scalars, or row-major with the result's shape: element i of one is element i of the other.
template <class Result, class E>
inline constexpr bool is_elementwise =
    __is_same(typename E::shape_type, Result) && __is_same(typename E::layout_type, row_major);
template <class Result, class T>
inline constexpr bool is_elementwise<Result, scalar<T>> = true;
template <class Result, class F, class Shape, class... Args>
inline constexpr bool is_elementwise<Result, map<F, Shape, Args...>> = (is_elementwise<Result, Args> && ...);

// The same lanes of such trees. The offset is no template argument, so that each node is compiled once.
template <int N, class T>
BROADLOOM_INLINE simd_vec<T, N> elementwise_lanes(const scalar<T>& e, index) {
  return splat<N>(e.value());
}
template <int N, leaf E>
BROADLOOM_INLINE auto elementwise_lanes(const E& e, index at) {
  return load<typename E::value_type, N>(e.data() + at);
}
template <int N, class F, class Shape, class... Args>
BROADLOOM_INLINE auto elementwise_lanes(const map<F, Shape, Args...>& e, index at) {
  // Without a function more, such as unpack(), for most: compilers work on a tree once for each that it is inlined
  // into.
  if constexpr (sizeof...(Args) == 1)
    return F::on(elementwise_lanes<N>(e.args().first, at));
  else if constexpr (sizeof...(Args) == 2)
    return F::on(elementwise_lanes<N>(e.args().first, at), elementwise_lanes<N>(e.args().second, at));
  else
    return unpack(e.args(), [&](const Args&... a)
                                __attribute__((always_inline)) { return F::on(elementwise_lanes<N>(a, at)...); });
}

// The result's lanes as the output stores them: a mask has one byte for each lane, however wide its operands.
template <class T, int N, class V>
BROADLOOM_INLINE simd_vec<T, N> settled(const V& x) {
  if constexpr (__is_same(T, bool) && N > 1)
    return {widen<1>(x)};
  else
    return x;
}

template <class T, int N, class E>
BROADLOOM_INLINE simd_vec<T, N> elementwise_result(const E& e, index at) {
  return settled<T, N>(cast_f<T>::on(elementwise_lanes<N>(e, at)));
}

// Unrolled results have at most this many vectors, all computed before the first is stored, so that any aliasing is
// right. A remainder takes shorter vectors, of 16 bytes at least, then single elements.
inline constexpr int max_static_vectors = 16;

template <class Out, class E, int Native, int Most = max_static_vectors>
struct static_form {
  using result = typename Out::shape_type;
  using to = typename Out::value_type;
  static constexpr int widest = widest_in_tree<E> > register_bytes<to> ? widest_in_tree<E> : register_bytes<to>;
  static constexpr int fewest = widest < 16 ? 16 / widest : 1;
  static constexpr index size = [] {
    if constexpr (result::is_static)
      return checked_size(result::static_extents.v, result::axes_count);
    else
      return index{-1};
  }();
  // The number of whole and shorter vectors, if whole ones have `width` lanes.
  static constexpr index vectors_of(index width) {
    index n = size / width;
    for (index k = fewest; k < width; k *= 2) n += (size & k) != 0;
    return n;
  }
  // If operands broadcast, vectors that do not cross the ends of rows need no permutations.
  static constexpr index lanes = [] {
    const index most = Native < widest ? 1 : native_bytes(Native) / widest;  // the state of a callable counts, too
    if constexpr (result::is_static && result::axes_count > 0 && !is_elementwise<result, E>)
      for (index k = most; k >= fewest; k /= 2)
        if (result::static_extents[result::axes_count - 1] % k == 0 && vectors_of(k) + size % fewest <= Most) return k;
    return most;
  }();
  static constexpr index vectors = vectors_of(lanes), singles = size % fewest;
  static constexpr bool ok = [] {
    if constexpr (!is_by_element(Native) && result::is_static && __is_same(typename Out::layout_type, row_major))
      return all_static<E> && size >= 0 && vectors + singles <= Most;
    else
      return false;
  }();
  using whole_vectors = make_sequence<ok ? static_cast<int>(size / lanes) : 0>;
};

// The remainder of whole vectors: first the part that vectors of N lanes take.
template <class Form, int N, class T, class E>
BROADLOOM_INLINE void assign_rest(T* o, const E& e) {
  using result = typename Form::result;
  constexpr index at = Form::size - Form::size % (N > 0 ? 2 * N : 1);
  if constexpr (N == 0)
    static_assert(Form::singles == 0);  // of 16 bytes each, which are vectors
  else if constexpr (N < Form::fewest)
    [&]<int... At>(sequence<At...>) __attribute__((always_inline)) {
      const auto write = [&](const fixed_array<T, sizeof...(At)>& x)
                             __attribute__((always_inline)) { (store<T>(o + at + At, x.v[At]), ...); };
      if constexpr (is_elementwise<result, E>)
        write({{elementwise_result<T, 1>(e, at + At)...}});
      else
        write({{cast_f<T>::on(lanes_at<1, result, at + At>(e))...}});
    }(make_sequence<static_cast<int>(Form::singles)>{});
  else if constexpr ((Form::size & N) != 0) {
    const simd_vec<T, N> x = [&]() __attribute__((always_inline)) {
      if constexpr (is_elementwise<result, E>)
        return elementwise_result<T, N>(e, at);
      else
        return settled<T, N>(cast_f<T>::on(lanes_at<N, result, at>(e)));
    }();
    assign_rest<Form, N / 2>(o, e);
    store<T>(o + at, x);
  } else
    assign_rest<Form, N / 2>(o, e);
}

// Form: static_form<Out, E, Native>; At: form::whole_vectors. Assigns to the elements at `o`.
template <class Form, class E, int... At>
BROADLOOM_INLINE void assign_static(typename Form::to* o, const E& e, sequence<At...>) {
  using result = typename Form::result;
  using to = typename Form::to;
  constexpr int n = static_cast<int>(Form::lanes);
  using vectors = fixed_array<simd_vec<to, n>, sizeof...(At)>;
  if constexpr (is_elementwise<result, E>) {
    const vectors x{{elementwise_result<to, n>(e, At * n)...}};
    if constexpr (Form::size % n != 0) assign_rest<Form, n / 2>(o, e);
    (store<to>(o + At * n, x.v[At]), ...);
  } else {
    const vectors x{{settled<to, n>(cast_f<to>::on(lanes_at<n, result, At * n>(e)))...}};
    if constexpr (Form::size % n != 0) assign_rest<Form, n / 2>(o, e);
    (store<to>(o + At * n, x.v[At]), ...);
  }
}

// The same row by row, each by the widest vectors and what is left of it by narrower ones: as leaves that were computed
// so were written. `Form` may have more vectors: those of a matrix of 8 x 8.
inline constexpr int max_row_vectors = 64;
template <class Form>
inline constexpr index row_of_result = Form::result::static_extents[Form::result::axes_count - 1];
template <class Form>
inline constexpr bool goes_by_rows = [] {
  if constexpr (Form::ok && Form::result::axes_count > 0)
    return Form::size > 0 &&
           (row_of_result<Form> % Form::lanes != 0 || Form::vectors + Form::singles > max_static_vectors);
  else
    return false;
}();
template <class Form, index At, class E>
BROADLOOM_INLINE void assign_by_rows(typename Form::to* o, const E& e) {
  if constexpr (At < Form::size) {
    constexpr int n = [] {
      index k = Form::lanes;
      while (k > row_of_result<Form> - At % row_of_result<Form>) k /= 2;
      return static_cast<int>(k);
    }();
    using to = typename Form::to;
    const simd_vec<to, n> x = settled<to, n>(cast_f<to>::on(lanes_at<n, typename Form::result, At>(e)));
    assign_by_rows<Form, At + n>(o, e);
    store<to>(o + At, x);
  }
}

}  // namespace broadloom::detail

#if defined(__clang__)
#pragma clang diagnostic pop
#endif
