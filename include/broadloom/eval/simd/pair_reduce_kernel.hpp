// Register tiles: a program over operands some of which lack one axis of the result and some another, reduced along a
// third axis, as in sums of squared differences of all pairs. A tile of results stays in registers during the loop
// along the third axis.
#pragma once

#include <broadloom/eval/simd/kernel.hpp>
#include <broadloom/expr/deferred.hpp>

#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wpsabi"
#endif

namespace broadloom::detail {

// The axes that each array and scalar of a tree may lack, in order: bits, counted from the right, of axes on which the
// array may have extent 1 and the tree may not.
struct lacked_axes {
  unsigned bits[32] = {};
  int arrays = 0, leaves = 0;
};
template <int Rank, class E>
constexpr void find_lacked(const indices<Rank>& extents, lacked_axes& found, const E*) {
  unsigned bits = 0;
  if constexpr (rank_of<E> > 0)
    for (int k = 1; k <= Rank; ++k) {
      const index own = k > rank_of<E> ? 1 : E::shape_type::static_extents[rank_of<E> - k];
      if (extents[Rank - k] != 1 && (own == 1 || is_dyn(own))) bits |= 1u << k;
    }
  found.arrays += rank_of<E> > 0;
  if (found.leaves < 32) found.bits[found.leaves++] = bits;
}
template <int Rank, class F, class Shape, class... Args>
constexpr void find_lacked(const indices<Rank>& extents, lacked_axes& found, const map<F, Shape, Args...>*) {
  (find_lacked(extents, found, static_cast<const Args*>(nullptr)), ...);
}

// A tile pays off if there are two arrays, each of two axes is lacked by some array, and all is arithmetic. `rows` has
// a bit for each leaf along the rows of a tile: leaves that lack the last axis; if that is not known, the first leaf.
struct tile_form {
  bool works = false;
  unsigned rows = 0;
};
template <class E>
inline constexpr tile_form tile_form_of{};
template <class F, class Shape, class... Args>
  requires(Shape::axes_count >= 3)
inline constexpr tile_form tile_form_of<map<F, Shape, Args...>> = [] {
  lacked_axes found;
  find_lacked(Shape::static_extents, found, static_cast<const map<F, Shape, Args...>*>(nullptr));
  unsigned lacked = 0;
  int known = 0;
  for (int k = 0; k < found.leaves; ++k) {
    lacked |= found.bits[k];
    known += found.bits[k] != 0 && (found.bits[k] & (found.bits[k] - 1)) == 0;
  }
  tile_form form;
  form.works = found.arrays >= 2 && found.leaves < 32 && (lacked & (lacked - 1)) != 0;
  const unsigned last = lacked & (0u - lacked);
  bool first = true;
  for (int k = 0; k < found.leaves; ++k) {
    if (found.bits[k] == 0) continue;
    if (known == found.arrays ? (found.bits[k] & last) != 0 : first) form.rows |= 1u << k;
    first = false;
  }
  return form;
}();
template <class E>
inline constexpr bool pairs_up = tile_form_of<E>.works;

// The inputs of a program, N elements in a vector. Each step advances by Lanes elements of the reduced axis. An input
// along the rows (a bit in Rows) has one element for each row, one along the columns has two vectors.
template <int N, int Lanes, unsigned Rows, class P, int At = 0>
struct tile_cursor;
template <int N, int Lanes, unsigned Rows, int Slot, class T, int At>
  requires((Rows >> Slot & 1) != 0)
struct tile_cursor<N, Lanes, Rows, input<Slot, T>, At> {
  const T* at;
  index row;
  simd_vec<T, N> value;
  BROADLOOM_INLINE explicit tile_cursor(const runtime::pair_slot* in)
      : at(static_cast<const T*>(in[Slot].data)), row(in[Slot].row), value{} {}
  BROADLOOM_INLINE void to_lane(index lane) { at += lane; }
  BROADLOOM_INLINE void load_columns() {}
  BROADLOOM_INLINE void load_row(int i) { value = splat_at<N>(at + i * row); }
  BROADLOOM_INLINE simd_vec<T, N> get(int) const { return value; }
  BROADLOOM_INLINE void next() { at += Lanes; }
};
template <int N, int Lanes, unsigned Rows, int Slot, class T, int At>
struct tile_cursor<N, Lanes, Rows, input<Slot, T>, At> {
  const T* at;
  simd_vec<T, N> first, second;
  BROADLOOM_INLINE explicit tile_cursor(const runtime::pair_slot* in)
      : at(static_cast<const T*>(in[Slot].data)), first{}, second{} {}
  BROADLOOM_INLINE void to_lane(index lane) { at += lane * (2 * N); }
  BROADLOOM_INLINE void load_columns() {
    first = load<T, N>(at);
    second = load<T, N>(at + N);
  }
  BROADLOOM_INLINE void load_row(int) {}
  BROADLOOM_INLINE simd_vec<T, N> get(int v) const { return v == 0 ? first : second; }
  BROADLOOM_INLINE void next() { at += Lanes * (2 * N); }
};
template <int N, int Lanes, unsigned Rows, int Slot, class T, int At>
struct tile_cursor<N, Lanes, Rows, ramp_input<Slot, T>, At> : tile_cursor<N, Lanes, Rows, input<Slot, T>, At> {
  BROADLOOM_INLINE explicit tile_cursor(const runtime::pair_slot* in)
      : tile_cursor<N, Lanes, Rows, input<Slot, T>, At>(in) {}
};
template <int N, int Lanes, unsigned Rows, int Slot, class T, int At>
struct tile_cursor<N, Lanes, Rows, scalar_input<Slot, T>, At> {
  simd_vec<T, N> value;
  BROADLOOM_INLINE explicit tile_cursor(const runtime::pair_slot* in)
      : value(splat<N>(*static_cast<const T*>(in[Slot].data))) {}
  BROADLOOM_INLINE void to_lane(index) {}
  BROADLOOM_INLINE void load_columns() {}
  BROADLOOM_INLINE void load_row(int) {}
  BROADLOOM_INLINE simd_vec<T, N> get(int) const { return value; }
  BROADLOOM_INLINE void next() {}
};
template <int N, int Lanes, unsigned Rows, class List, class... P>
struct tile_arguments;
template <int N, int Lanes, unsigned Rows, int... K, class... P>
struct tile_arguments<N, Lanes, Rows, sequence<K...>, P...> : tile_cursor<N, Lanes, Rows, P, K>... {
  BROADLOOM_INLINE explicit tile_arguments(const runtime::pair_slot* in) : tile_cursor<N, Lanes, Rows, P, K>(in)... {}
  BROADLOOM_INLINE void all_to_lane(index lane) { (tile_cursor<N, Lanes, Rows, P, K>::to_lane(lane), ...); }
  BROADLOOM_INLINE void all_columns() { (tile_cursor<N, Lanes, Rows, P, K>::load_columns(), ...); }
  BROADLOOM_INLINE void all_rows(int i) { (tile_cursor<N, Lanes, Rows, P, K>::load_row(i), ...); }
  template <class F>
  BROADLOOM_INLINE auto call_of(int v) const {
    return F::on(tile_cursor<N, Lanes, Rows, P, K>::get(v)...);
  }
  BROADLOOM_INLINE void next_all() { (tile_cursor<N, Lanes, Rows, P, K>::next(), ...); }
};
template <int N, int Lanes, unsigned Rows, class F, class... P, int At>
struct tile_cursor<N, Lanes, Rows, call<F, P...>, At> {
  tile_arguments<N, Lanes, Rows, make_sequence<sizeof...(P)>, P...> arguments;
  BROADLOOM_INLINE explicit tile_cursor(const runtime::pair_slot* in) : arguments(in) {}
  BROADLOOM_INLINE void to_lane(index lane) { arguments.all_to_lane(lane); }
  BROADLOOM_INLINE void load_columns() { arguments.all_columns(); }
  BROADLOOM_INLINE void load_row(int i) { arguments.all_rows(i); }
  BROADLOOM_INLINE auto get(int v) const { return arguments.template call_of<F>(v); }
  BROADLOOM_INLINE void next() { arguments.next_all(); }
};

// Whether results are vectors of their own type: what compares numbers of several bytes gives masks of their width.
template <class P>
inline constexpr bool has_own_width = !__is_same(typename P::type, bool) || widest<P> == 1;

template <int Lanes>
inline constexpr auto lane_order = [] {
  fixed_array<unsigned char, Lanes> r{};
  for (int t = 0; t < Lanes; ++t)
    for (int bit = 1, apart = Lanes / 2; bit < Lanes; bit *= 2, apart /= 2)
      if ((t & bit) != 0) r[t] = static_cast<unsigned char>(r[t] + apart);
  return r;
}();

// Lanes are visited in the order in which they are combined (0 and 8, 4 and 12, these two pairs, 2 and 10 ...): each
// lane is combined at once with those before it, level by level, and few partial results wait in memory.
template <int N, unsigned Rows, class Op, class P>
BROADLOOM_INLINE void run_tile(const runtime::pair_slot* in, index n, void* to) {
  using T = typename P::type;
  constexpr int rows = runtime::tile_height, vectors = runtime::tile_vectors, tile = rows * vectors;
  static_assert(vectors == 2);
  constexpr int lanes = 64 / static_cast<int>(sizeof(T));
  T* top = static_cast<T*>(to);
  const tile_cursor<N, lanes, Rows, P> begin(in);
  for (int t = 0; t < lanes; ++t) {
    const index lane = lane_order<lanes>[t];
    tile_cursor<N, lanes, Rows, P> c = begin;
    c.to_lane(lane);
    c.load_columns();
    simd_vec<T, N> acc[tile];
#pragma GCC unroll 16
    for (int i = 0; i < rows; ++i) {
      c.load_row(i);
      acc[vectors * i] = c.get(0);
      acc[vectors * i + 1] = c.get(1);
    }
    for (index k = lane + lanes; k < n; k += lanes) {
      c.next();
      c.load_columns();
#pragma GCC unroll 16
      for (int i = 0; i < rows; ++i) {
        c.load_row(i);
        acc[vectors * i] = Op::on(acc[vectors * i], c.get(0));
        acc[vectors * i + 1] = Op::on(acc[vectors * i + 1], c.get(1));
      }
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

template <class Op, unsigned Rows, class P, int Native>
struct tiles {
#if defined(__x86_64__)  // none for 16 registers of 16 bytes: the gain is smaller than the cost of compiling it
  static constexpr std::nullptr_t base = nullptr;
  BROADLOOM_LEVEL_FUNCTIONS((const runtime::pair_slot* in, index n, void* to),
                            (run_tile<bytes / widest<P>, Rows, Op, P>(in, n, to)))
#else
  static void base(const runtime::pair_slot* in, index n, void* to) {
    run_tile<16 / widest<P>, Rows, Op, P>(in, n, to);
  }
#endif
  static constexpr runtime::pair_reduce_kernel table{
      {base BROADLOOM_LEVEL_NAMES}, {16 / widest<P> BROADLOOM_LANES_OF_LEVELS}, Rows};
};

// The tile kernel of a program of one stage that is arithmetic; null for others.
template <class Op, unsigned Rows, class Program, int Native>
inline constexpr const runtime::pair_reduce_kernel* tile_of = nullptr;
template <class Op, unsigned Rows, class F, class... P, int Native>
  requires(is_optimised(Native) && has_own_width<call<F, P...>>)
inline constexpr const runtime::pair_reduce_kernel* tile_of<Op, Rows, program<compute_stage<call<F, P...>>>, Native> =
    &tiles<Op, Rows, typename localise<0, call<F, P...>>::type, Native>::table;

}  // namespace broadloom::detail

#if defined(__clang__)
#pragma clang diagnostic pop
#endif
