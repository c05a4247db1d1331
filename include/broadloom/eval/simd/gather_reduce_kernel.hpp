// Reduces gathered rows: a program over operands whose rows lie anywhere, reduced across the rows in registers, as in
// sums of rows of a table (embedding bags).
#pragma once

#include <broadloom/eval/simd/pair_reduce_kernel.hpp>

#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wpsabi"
#endif

namespace broadloom::detail {

// Whether a tree has a selection that can be read in place.
template <class E>
inline constexpr bool reads_at_positions = false;
template <deferred_leaf E>
inline constexpr bool reads_at_positions<E> = requires { requires E::source_type::reads_in_place; };
template <class F, class Shape, class... Args>
inline constexpr bool reads_at_positions<map<F, Shape, Args...>> = (reads_at_positions<Args> || ...);

// V vectors of a program at column c of element r.
template <int N, int V, class P, int At = 0>
struct gather_lanes;
template <int N, int V, int Slot, class T, int At>
struct gather_lanes<N, V, input<Slot, T>, At> {
  simd_vec<T, N> x[V];
  BROADLOOM_INLINE gather_lanes(const runtime::gather_slot* in, index r, index c) {
    const runtime::gather_slot& s = in[Slot];
    const T* const at = static_cast<const T*>(s.at[r]);
    if (s.along != 0) {
      if (s.next != nullptr) {
        const char* const next = static_cast<const char*>(s.next[r]) + c * static_cast<index>(sizeof(T));
        for (int b = 0; b < V * N * static_cast<int>(sizeof(T)); b += 64) __builtin_prefetch(next + b);
      }
      for (int v = 0; v < V; ++v) x[v] = load<T, N>(at + c + v * N);
    } else {
      x[0] = splat<N>(*at);
      for (int v = 1; v < V; ++v) x[v] = x[0];
    }
  }
  BROADLOOM_INLINE const simd_vec<T, N>& get(int v) const { return x[v]; }
};
template <int N, int V, int Slot, class T, int At>
struct gather_lanes<N, V, ramp_input<Slot, T>, At> : gather_lanes<N, V, input<Slot, T>, At> {
  BROADLOOM_INLINE gather_lanes(const runtime::gather_slot* in, index r, index c)
      : gather_lanes<N, V, input<Slot, T>, At>(in, r, c) {}
};
template <int N, int V, int Slot, class T, int At>
struct gather_lanes<N, V, scalar_input<Slot, T>, At> {
  simd_vec<T, N> x;
  BROADLOOM_INLINE gather_lanes(const runtime::gather_slot* in, index, index)
      : x(splat<N>(*static_cast<const T*>(in[Slot].at[0]))) {}
  BROADLOOM_INLINE const simd_vec<T, N>& get(int) const { return x; }
};
template <int N, int V, class List, class... P>
struct gather_arguments;
template <int N, int V, int... K, class... P>
struct gather_arguments<N, V, sequence<K...>, P...> : gather_lanes<N, V, P, K>... {
  BROADLOOM_INLINE gather_arguments([[maybe_unused]] const runtime::gather_slot* in, [[maybe_unused]] index r,
                                    [[maybe_unused]] index c)
      : gather_lanes<N, V, P, K>(in, r, c)... {}
  template <class F>
  BROADLOOM_INLINE auto call_at([[maybe_unused]] int v) const {
    return F::on(gather_lanes<N, V, P, K>::get(v)...);
  }
};
template <int N, int V, class F, class... P, int At>
struct gather_lanes<N, V, call<F, P...>, At> {
  gather_arguments<N, V, make_sequence<sizeof...(P)>, P...> arguments;
  BROADLOOM_INLINE gather_lanes(const runtime::gather_slot* in, index r, index c) : arguments(in, r, c) {}
  BROADLOOM_INLINE auto get(int v) const { return arguments.template call_at<F>(v); }
};

// V vectors of columns from c on. Lanes are visited in the order in which they are combined, as in a tile.
template <int N, int V, class Op, class P>
BROADLOOM_INLINE void run_gather_block(const runtime::gather_slot* in, index n, index c, const void* identity,
                                       void* room, void* to) {
  using T = typename P::type;
  constexpr int lanes = 64 / static_cast<int>(sizeof(T));
  T* top = static_cast<T*>(room);
  simd_vec<T, N> acc[V];
  for (int t = 0; t < lanes; ++t) {
    const index lane = lane_order<lanes>[t];
    if (lane < n) {
      {
        const gather_lanes<N, V, P> x(in, lane, c);
#pragma GCC unroll 4
        for (int v = 0; v < V; ++v) acc[v] = x.get(v);
      }
      for (index r = lane + lanes; r < n; r += lanes) {
        const gather_lanes<N, V, P> x(in, r, c);
#pragma GCC unroll 4
        for (int v = 0; v < V; ++v) acc[v] = Op::on(acc[v], x.get(v));
      }
    } else
#pragma GCC unroll 4
      for (int v = 0; v < V; ++v) acc[v] = load<T, N>(static_cast<const T*>(identity));
    for (int m = t; (m & 1) != 0; m >>= 1) {
      top -= V * N;
#pragma GCC unroll 4
      for (int v = 0; v < V; ++v) acc[v] = Op::on(load<T, N>(top + v * N), acc[v]);
    }
#pragma GCC unroll 4
    for (int v = 0; v < V; ++v) store<T>(top + v * N, acc[v]);
    top += V * N;
  }
#pragma GCC unroll 4
  for (int v = 0; v < V; ++v) store<T>(static_cast<T*>(to) + c + v * N, acc[v]);
}

template <int N, class Op, class P>
BROADLOOM_INLINE void run_gather(const runtime::gather_slot* in, index n, index columns, const void* identity,
                                 void* room, void* to) {
  index c = 0;
  for (; c + 4 * N <= columns; c += 4 * N) run_gather_block<N, 4, Op, P>(in, n, c, identity, room, to);
  for (; c < columns; c += N)  // the last vector overlaps the one before it
    run_gather_block<N, 1, Op, P>(in, n, c + N <= columns ? c : columns - N, identity, room, to);
}

template <class Op, class P, int Native>
struct gather_reduce_loops {
  using slots = const runtime::gather_slot*;
  static void base(slots in, index n, index columns, const void* identity, void* room, void* to) {
    run_gather<16 / widest<P>, Op, P>(in, n, columns, identity, room, to);
  }
#if defined(__x86_64__)
  BROADLOOM_LEVEL_FUNCTIONS((slots in, index n, index columns, const void* identity, void* room, void* to),
                            (run_gather<bytes / widest<P>, Op, P>(in, n, columns, identity, room, to)))
#endif
  static constexpr runtime::gather_reduce_kernel table{{base BROADLOOM_LEVEL_NAMES},
                                                       {16 / widest<P> BROADLOOM_LANES_OF_LEVELS}};
};

// The kernel of a program of one stage that is arithmetic; null for others.
template <class Op, class Program, int Native>
inline constexpr const runtime::gather_reduce_kernel* gather_reduce_loop_of = nullptr;
template <class Op, class P, int Native>
  requires(is_optimised(Native) && has_own_width<P>)
inline constexpr const runtime::gather_reduce_kernel* gather_reduce_loop_of<Op, program<compute_stage<P>>, Native> =
    &gather_reduce_loops<Op, typename localise<0, P>::type, Native>::table;

}  // namespace broadloom::detail

#if defined(__clang__)
#pragma clang diagnostic pop
#endif
