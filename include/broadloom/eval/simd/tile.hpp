// Register tiles: a program over operands of which some lack one axis of the result and others another one, reduced along a third,
// as in sums of squared differences of all pairs. A tile of results stays in registers while the third axis goes by.
#pragma once

#include <broadloom/eval/simd/kernel.hpp>
#include <broadloom/expr/deferred.hpp>

#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wpsabi"
#endif

namespace broadloom::detail {

// Axes of a tree of this rank, as bits from the right, along which some array has extent 1 and the tree is not known to: an
// array without strides of its own has that only where its type says so.
template <int Rank, class E>
constexpr unsigned missing_axes(const indices<Rank>& extents, const E*) {
  unsigned bits = 0;
  if constexpr (rank_of<E> > 0)
    for (int k = 1; k <= Rank; ++k) {
      const index own = k > rank_of<E> ? 1 : E::shape_type::static_extents[rank_of<E> - k];
      if (extents[Rank - k] != 1 && (own == 1 || (own == dyn && !__is_same(typename E::layout_type, row_major)))) bits |= 1u << k;
    }
  return bits;
}
template <int Rank, class F, class Shape, class... Args>
constexpr unsigned missing_axes(const indices<Rank>& extents, const map<F, Shape, Args...>*) {
  return (0u | ... | missing_axes(extents, static_cast<const Args*>(nullptr)));
}
// Worth a tile: two axes are each lacked by somebody, and all is arithmetic.
template <class E>
inline constexpr bool pairs_up = false;
template <class F, class Shape, class... Args>
inline constexpr bool pairs_up<map<F, Shape, Args...>> = [] {
  if constexpr (Shape::axes_count < 3)
    return false;
  else {
    const unsigned bits = missing_axes(Shape::static_extents, static_cast<const map<F, Shape, Args...>*>(nullptr));
    return (bits & (bits - 1)) != 0;
  }
}();

// A program's place in its inputs: gives the lanes of one row and one vector of the tile.
template <int N, class P, int I = 0>
struct tile_cursor;
template <int N, int Slot, class T, int I>
struct tile_cursor<N, input<Slot, T>, I> {
  const T *first, *second;  // of the two vectors
  index row, step;
  BROADLOOM_INLINE explicit tile_cursor(const runtime::tile_slot* in)
      : first(static_cast<const T*>(in[Slot].data)),
        second(first + (N & in[Slot].j)),
        row(in[Slot].i),
        step(in[Slot].k * (64 / static_cast<index>(sizeof(T)))) {}
  // From the beginning to a lane, of which there are 64 bytes in a step.
  BROADLOOM_INLINE void to_lane(index lane) {
    const index by = step / (64 / static_cast<index>(sizeof(T))) * lane;
    first += by;
    second += by;
  }
  BROADLOOM_INLINE pack<T, N> at(int i, int v) const { return load<T, N>((v == 0 ? first : second) + i * row); }
  BROADLOOM_INLINE void next() {
    first += step;
    second += step;
  }
};
template <int N, int Slot, class T, int I>
struct tile_cursor<N, number_input<Slot, T>, I> {
  pack<T, N> value;
  BROADLOOM_INLINE explicit tile_cursor(const runtime::tile_slot* in)
      : value(load<T, N>(static_cast<const T*>(in[Slot].data))) {}
  BROADLOOM_INLINE void to_lane(index) {}
  BROADLOOM_INLINE pack<T, N> at(int, int) const { return value; }
  BROADLOOM_INLINE void next() {}
};
template <int N, class List, class... P>
struct tile_arguments;
template <int N, int... K, class... P>
struct tile_arguments<N, sequence<K...>, P...> : tile_cursor<N, P, K>... {
  BROADLOOM_INLINE explicit tile_arguments(const runtime::tile_slot* in) : tile_cursor<N, P, K>(in)... {}
  BROADLOOM_INLINE void all_to_lane(index lane) { (tile_cursor<N, P, K>::to_lane(lane), ...); }
  template <class F>
  BROADLOOM_INLINE auto call_at(int i, int v) const {
    return F::on(tile_cursor<N, P, K>::at(i, v)...);
  }
  BROADLOOM_INLINE void next_all() { (tile_cursor<N, P, K>::next(), ...); }
};
template <int N, class F, class... P, int I>
struct tile_cursor<N, call<F, P...>, I> {
  tile_arguments<N, make_sequence<sizeof...(P)>, P...> arguments;
  BROADLOOM_INLINE explicit tile_cursor(const runtime::tile_slot* in) : arguments(in) {}
  BROADLOOM_INLINE void to_lane(index lane) { arguments.all_to_lane(lane); }
  BROADLOOM_INLINE auto at(int i, int v) const { return arguments.template call_at<F>(i, v); }
  BROADLOOM_INLINE void next() { arguments.next_all(); }
};

template <int Lanes>
inline constexpr auto lane_order = [] {
  fixed_array<unsigned char, Lanes> r{};
  for (int t = 0; t < Lanes; ++t)
    for (int bit = 1, from = Lanes / 2; bit < Lanes; bit *= 2, from /= 2)
      if ((t & bit) != 0) r[t] = static_cast<unsigned char>(r[t] + from);
  return r;
}();

// Lanes are taken in the order in which they are combined (0 and 8, 4 and 12, these two pairs, 2 and 10 ...), so that a
// lane meets what was left of those before it, level by level, and few partial results wait in memory.
template <int N, class Op, class P>
BROADLOOM_INLINE void run_tile(const runtime::tile_slot* in, index n, void* to) {
  using T = typename P::type;
  constexpr int rows = runtime::tile_height, vectors = runtime::tile_vectors, tile = rows * vectors;
  static_assert(vectors == 2);
  constexpr int lanes = 64 / static_cast<int>(sizeof(T));
  T* top = static_cast<T*>(to);
  const tile_cursor<N, P> begin(in);
  for (int t = 0; t < lanes; ++t) {
    const index lane = lane_order<lanes>[t];
    tile_cursor<N, P> c = begin;
    c.to_lane(lane);
    pack<T, N> acc[tile];
#pragma GCC unroll 16
    for (int k = 0; k < tile; ++k) acc[k] = c.at(k / vectors, k % vectors);
    for (index k = lane + lanes; k < n; k += lanes) {
      c.next();
#pragma GCC unroll 16
      for (int j = 0; j < tile; ++j) acc[j] = Op::on(acc[j], c.at(j / vectors, j % vectors));
    }
    for (int m = t; (m & 1) != 0; m >>= 1) {
      top -= tile * N;
#pragma GCC unroll 16
      for (int k = 0; k < tile; ++k) acc[k] = Op::on(load<T, N>(top + k * N), acc[k]);
    }
#pragma GCC unroll 16
    for (int k = 0; k < tile; ++k) store<T>(top + k * N, acc[k]);
    top += tile * N;
  }
}

#if defined(__x86_64__)
#define BROADLOOM_TARGET_V3 __attribute__((target("avx2,fma,bmi2,f16c")))
#if defined(__clang__)
#define BROADLOOM_TARGET_V4 __attribute__((target("avx512f,avx512vl,avx512bw,avx512dq,avx2,fma,bmi2,f16c")))
#else
#define BROADLOOM_TARGET_V4 \
  __attribute__((target("avx512f,avx512vl,avx512bw,avx512dq,avx2,fma,bmi2,f16c,prefer-vector-width=512")))
#endif
#endif

template <class Op, class P, int Native>
struct tiles {
  static void base(const runtime::tile_slot* in, index n, void* to) { run_tile<16 / widest<P>, Op, P>(in, n, to); }
#if defined(__x86_64__)
  BROADLOOM_TARGET_V3 static void v3(const runtime::tile_slot* in, index n, void* to) {
    run_tile<32 / widest<P>, Op, P>(in, n, to);
  }
  BROADLOOM_TARGET_V4 static void v4(const runtime::tile_slot* in, index n, void* to) {
    run_tile<64 / widest<P>, Op, P>(in, n, to);
  }
  static constexpr runtime::tile_kernel table{{base, v3, v4}, {16 / widest<P>, 32 / widest<P>, 64 / widest<P>}};
#else
  static constexpr runtime::tile_kernel table{{base, base, base}, {16 / widest<P>, 16 / widest<P>, 16 / widest<P>}};
#endif
};

#undef BROADLOOM_TARGET_V3
#undef BROADLOOM_TARGET_V4

// The tile of a program of one stage that is arithmetic; null for others.
template <class Op, class Program, int Native>
inline constexpr const runtime::tile_kernel* tile_of = nullptr;
template <class Op, class F, class... P, int Native>
inline constexpr const runtime::tile_kernel* tile_of<Op, program<compute_stage<call<F, P...>>>, Native> =
    &tiles<Op, typename localise<0, call<F, P...>>::type, Native>::table;

}  // namespace broadloom::detail

#if defined(__clang__)
#pragma clang diagnostic pop
#endif
