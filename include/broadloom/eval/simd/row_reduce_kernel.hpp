// Reduces rows: a program whose operands are contiguous along the reduced axis, or constant along it, reduced in
// registers as it is computed, without an array in between.
#pragma once

#include <broadloom/eval/code.hpp>
#include <broadloom/eval/simd/kernel.hpp>

#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wpsabi"
#endif

namespace broadloom::detail {

inline constexpr index strip_elements = 512;  // of a sequence that are reduced before partial results are combined

// An input before the first row, which begins at the address that is returned. What advances by a step of its own, in
// bytes, is read a vector at each.
template <int N, int Slot, class T>
BROADLOOM_INLINE const char* begin_rows(input_cursor<N, input<Slot, T>>& x, const runtime::slot* in) {
  const index advance = in[Slot].advance;
  x.step = advance < 0 ? index{N * sizeof(T)} : runtime::bytes_of_step(advance);
  return x.at;
}
template <int N, int Slot, class T>
BROADLOOM_INLINE const char* begin_rows(input_cursor<N, scalar_input<Slot, T>>&, const runtime::slot*) {
  return nullptr;
}

// An input at the beginning of the row at `row`. A constant one is splat to a vector in `room`.
template <int N, int Slot, class T>
BROADLOOM_INLINE void begin_row(input_cursor<N, input<Slot, T>>& x, const char* row, const runtime::slot* in,
                                char* room) {
  x.at = row;
  if (in[Slot].advance != 0) return;
  T* const all = reinterpret_cast<T*>(room + Slot * runtime::row_room);
  store<T>(all, splat<N>(*reinterpret_cast<const T*>(row)));
  x.at = reinterpret_cast<const char*>(all);
}
// A ramp that is counted.
template <int N, int Slot, class T>
BROADLOOM_INLINE void begin_row(input_cursor<N, ramp_input<Slot, T>>& x, const char* row, const runtime::slot* in,
                                char* room) {
  if (in[Slot].advance == runtime::ramp_advance)
    x.count_from(static_cast<index>(reinterpret_cast<std::uintptr_t>(row)) / static_cast<index>(sizeof(T)));
  else
    begin_row(static_cast<input_cursor<N, input<Slot, T>>&>(x), row, in, room);
}
template <int N, int Slot, class T>
BROADLOOM_INLINE void begin_row(input_cursor<N, scalar_input<Slot, T>>&, const char*, const runtime::slot*, char*) {}

template <int N, int Slot, class T>
BROADLOOM_INLINE bool advances(const input_cursor<N, input<Slot, T>>& x) {
  return x.step == index{N * sizeof(T)};
}
template <int N, int Slot, class T>
BROADLOOM_INLINE bool advances(const input_cursor<N, scalar_input<Slot, T>>&) {
  return true;
}
template <int N, int Slot, class T>
BROADLOOM_INLINE bool advances(const input_cursor<N, ramp_input<Slot, T>>& x) {
  return x.is_counted();
}
template <int N, int Slot, class T>
BROADLOOM_INLINE void move_by(input_cursor<N, input<Slot, T>>& x, index n) {
  x.at += n * static_cast<index>(sizeof(T));
}
template <int N, int Slot, class T>
BROADLOOM_INLINE void move_by(input_cursor<N, scalar_input<Slot, T>>&, index) {}
template <int N, int Slot, class T>
BROADLOOM_INLINE void move_by(input_cursor<N, ramp_input<Slot, T>>&, index) {}

// A ramp's address is a number, which may be 0.
template <class Input>
BROADLOOM_INLINE void next_row(const char*& row, index pitch) {
  if constexpr (is_ramp_input<Input>)
    row = reinterpret_cast<const char*>(static_cast<index>(reinterpret_cast<std::uintptr_t>(row)) + pitch);
  else
    row += pitch;
}

template <class Cursors>
struct row_inputs;
template <int N, class... Inputs>
struct row_inputs<input_cursors<N, Inputs...>> : input_cursors<N, Inputs...> {
  // Not inherited: without optimisation an inherited constructor is a function of its own, without the level's flags.
  BROADLOOM_INLINE explicit row_inputs(const runtime::slot* in) : input_cursors<N, Inputs...>(in) {}
  const char* rows[sizeof...(Inputs) + 1];  // where the next row of each begins
  BROADLOOM_INLINE void begin_all([[maybe_unused]] const runtime::slot* in) {
    [[maybe_unused]] int j = 0;
    ((rows[j++] = begin_rows(static_cast<input_cursor<N, Inputs>&>(*this), in)), ...);
  }
  BROADLOOM_INLINE void begin(const runtime::slot* in, const index* pitch, char* room) {
    int j = 0;
    ((begin_row(static_cast<input_cursor<N, Inputs>&>(*this), rows[j], in, room), next_row<Inputs>(rows[j], pitch[j]),
      ++j),
     ...);
  }
  BROADLOOM_INLINE bool all_advance() const {
    return (advances(static_cast<const input_cursor<N, Inputs>&>(*this)) && ...);
  }
  BROADLOOM_INLINE void move(index n) { (move_by(static_cast<input_cursor<N, Inputs>&>(*this), n), ...); }
};

// A program of one load for each vector has a dense loop, too, which is a tenth faster where its array fills the
// first-level cache. With more loads it gains nothing, and is a quarter of what compilers do for these kernels.
template <class P>
inline constexpr bool has_dense_rows = loads_of<P> < 2;

// What a vector of lanes has come to in a strip, which began at `from`.
template <int N, class Op, class P>
struct row_sum {
  using T = typename P::type;
  using type = simd_vec<T, N>;
  BROADLOOM_INLINE static type begin(const T* from) { return load<T, N>(from); }
  template <class Loaded>
  BROADLOOM_INLINE static type next(const type& x, const Loaded& in) {
    return Op::on(x, lanes_of_program<N, P>::of(in));
  }
  BROADLOOM_INLINE static void end(T* to, const T*, const type& x, bool) { store<T>(to, x); }
};
// Sums of bool, and of integers that are computed in 32 bits. They are added up in as few bytes, as many vectors as
// cannot overflow, then widened: in any order, as integers' sums are the same in each.
template <class Op, class P>
inline constexpr bool widens = false;
template <class Op, class F, class... P>
inline constexpr bool widens<Op, call<cast_f<std::int64_t>, call<F, P...>>> =
    Op::how == runtime::reduction::sum && widest<call<F, P...>> <= 8 &&  // at least two lanes at each level
    (__is_same(typename call<F, P...>::type, bool) ||
     (is_integer(dtype_of<typename call<F, P...>::type>) && sizeof(typename call<F, P...>::type) == 4));

// What a row's loop computes in vectors of the level's width.
template <class Op, class P>
struct row_terms {
  using type = P;
};
template <class Op, class F, class... P>
  requires(widens<Op, call<cast_f<std::int64_t>, call<F, P...>>>)
struct row_terms<Op, call<cast_f<std::int64_t>, call<F, P...>>> {
  using type = call<F, P...>;
};

// N lanes of sums at `from` and x times `by`, written to `to`; folded, as one vector. `from` may be null.
template <int N, int Width, class V>
BROADLOOM_INLINE void add_widened(std::int64_t* to, const std::int64_t* from, bool folds, const V& x, std::int64_t by) {
  constexpr int some = N * Width / 8;
  using sums = simd_vec<std::int64_t, some>;
  lane<V> narrow[N];
  store<lane<V>>(narrow, x);
  sums all{};
  for (int i = 0; i < N; i += some) {
    if (from != nullptr && (i == 0 || !folds)) all += load<std::int64_t, some>(from + i);
    all += by * change_width<std::int64_t>(load<lane<V>, some>(narrow + i));
    if (folds) continue;
    store<std::int64_t>(to + i, all);
    all = sums{};
  }
  for (int i = 0; i < 8 && folds; i += some) {
    store<std::int64_t>(to + i, all);
    all = sums{};
  }
}

// Masks are -1 where they are true.
template <int N, class Op, class P>
  requires(widens<Op, P> && __is_same(typename row_terms<Op, P>::type::type, bool))
struct row_sum<N, Op, P> {
  using program = typename row_terms<Op, P>::type;
  static typename input_cursors_for<N, input_cursors<N>, program>::type any_inputs();  // for its type alone
  using type = std::remove_cvref_t<decltype(lanes_of_program<N, program>::of(any_inputs().template next<false>(0)).v)>;
  static constexpr index most = sizeof(lane<type>) == 1 ? 128 : index{1} << 15;  // vectors
  BROADLOOM_INLINE static type begin(const std::int64_t*) { return type{}; }
  template <class Loaded>
  BROADLOOM_INLINE static type next(const type& x, const Loaded& in) {
    return static_cast<type>(x + lanes_of_program<N, program>::of(in).v);
  }
  BROADLOOM_INLINE static void end(std::int64_t* to, const std::int64_t* from, const type& x, bool folds) {
    add_widened<N, widest<program>>(to, from, folds, x, -1);
  }
};

// Sums of 32 bits are taken modulo 2^32, and beside them those of the upper halves. Both give the sum itself, which is
// within 2^32 of the second. To widen each vector takes twice as many instructions.
template <int N, class Op, class P>
  requires(widens<Op, P> && !__is_same(typename row_terms<Op, P>::type::type, bool))
struct row_sum<N, Op, P> {
  using program = typename row_terms<Op, P>::type;
  using element = typename program::type;
  using bits = simd_vec<std::uint32_t, N>;
  static constexpr index most = index{1} << 15;
  struct type {
    bits all{};
    simd_vec<element, N> upper{};
  };
  BROADLOOM_INLINE static type begin(const std::int64_t*) { return {}; }
  template <class Loaded>
  BROADLOOM_INLINE static type next(const type& x, const Loaded& in) {
    const simd_vec<element, N> own = lanes_of_program<N, program>::of(in);
    return {x.all + (bits)own, x.upper + (own >> 16)};
  }
  BROADLOOM_INLINE static void end(std::int64_t* to, const std::int64_t* from, const type& x, bool folds) {
    add_widened<N, widest<program>>(to, from, folds, x.all - ((bits)x.upper << 16), 1);
    add_widened<N, widest<program>>(to, to, folds, x.upper, 65536);
  }
};

// x > y ? x : y, or with < for minima: of NaN and of equal ones y. GCC 12 does not find the instruction for 64 bytes.
template <bool Larger, class V>
BROADLOOM_INLINE V extreme_of(const V& x, const V& y) {
#if defined(__x86_64__) && !defined(__clang__)
  if constexpr (sizeof(V) == 64) {
    V r;
    if constexpr (Larger && sizeof(x[0]) == 4)
      __asm__("vmaxps %2, %1, %0" : "=v"(r) : "v"(x), "v"(y));
    else if constexpr (Larger)
      __asm__("vmaxpd %2, %1, %0" : "=v"(r) : "v"(x), "v"(y));
    else if constexpr (sizeof(x[0]) == 4)
      __asm__("vminps %2, %1, %0" : "=v"(r) : "v"(x), "v"(y));
    else
      __asm__("vminpd %2, %1, %0" : "=v"(r) : "v"(x), "v"(y));
    return r;
  }
#endif
  if constexpr (Larger)
    return x > y ? x : y;
  else
    return x < y ? x : y;
}

// Maxima and minima of floats keep a NaN beside them, so that each vector waits for one instruction of the one before.
template <int N, class Op, class P>
  requires(N > 1 && is_floating(dtype_of<typename P::type>) &&
           (Op::how == runtime::reduction::amax || Op::how == runtime::reduction::amin))
struct row_sum<N, Op, P> {
  using T = typename P::type;
  using vector = simd_vec<T, N>;
  struct type {
    vector all, nan;
  };
  BROADLOOM_INLINE static type begin(const T* from) {
    const vector x = load<T, N>(from);
    return {x, x};
  }
  template <class Loaded>
  BROADLOOM_INLINE static type next(const type& x, const Loaded& in) {
    const vector y = lanes_of_program<N, P>::of(in);
    constexpr bool is_larger = Op::how == runtime::reduction::amax;
    return {extreme_of<is_larger>(x.all, y), y == y ? x.nan : y};
  }
  BROADLOOM_INLINE static void end(T* to, const T*, const type& x, bool) {
    store<T>(to, x.nan == x.nan ? x.all : x.nan);
  }
};

// Whether any result of a comparison is true, or all are, in masks as wide as what is compared. Which lanes they come
// from does not matter, so that a few vectors of them do for all lanes of 64 bytes.
template <class Op>
inline constexpr bool combines_truth = requires { requires Op::is_truth; };
template <int N, class Op, class P>
  requires(combines_truth<Op> && __is_same(typename P::type, bool))
struct row_sum<N, Op, P> {
  static typename input_cursors_for<N, input_cursors<N>, P>::type any_inputs();  // for its type alone
  using type = std::remove_cvref_t<decltype(lanes_of_program<N, P>::of(any_inputs().template next<false>(0)).v)>;
  static constexpr bool is_any = Op::how == runtime::reduction::any;
  BROADLOOM_INLINE static type begin(const bool*) { return is_any ? type{} : type(~type{}); }
  BROADLOOM_INLINE static type both(const type& x, const type& y) { return type(is_any ? x | y : x & y); }
  template <class Loaded>
  BROADLOOM_INLINE static type next(const type& x, const Loaded& in) {
    return both(x, lanes_of_program<N, P>::of(in).v);
  }
  BROADLOOM_INLINE static void end(bool* to, const bool* from, const type& x, bool) {
    using bytes = simd_vec<std::uint8_t, N>;
    const bytes own = change_width<std::uint8_t>(x) & splat<N>(std::uint8_t{1}),
                before = load<std::uint8_t, N>(reinterpret_cast<const std::uint8_t*>(from));
    store<std::uint8_t>(reinterpret_cast<std::uint8_t*>(to), is_any ? own | before : own & before);
  }
};

// How many vectors there are for the lanes of a strip.
template <class Op>
constexpr int kept_vectors(int vectors) {
  return combines_truth<Op> && vectors > 4 ? 4 : vectors;
}

// Few instructions for each vector, so that a processor has the next strips in flight, too: in a strip each vector
// waits for the one before it.
template <int N, class Op, class P>
BROADLOOM_INLINE void run_rows(const runtime::slot* in, const runtime::reduced_rows& c) {
  using T = typename P::type;
  using sum = row_sum<N, Op, P>;
  constexpr int lanes = widens<Op, P> ? N : 64 / static_cast<int>(sizeof(T)), vectors = lanes / N,
                kept = kept_vectors<Op>(vectors);
  constexpr index strip = [] {
    if constexpr (widens<Op, P>)
      return N * sum::most;
    else
      return strip_elements;
  }();
  const char* from = static_cast<const char*>(c.first);
  const bool folds = widens<Op, P> && from == nullptr;
  char* to = static_cast<char*>(c.to);
  row_inputs<typename input_cursors_for<N, input_cursors<N>, P>::type> x(in);
  x.begin_all(in);
  for (index r = c.rows; r > 0; --r, from += c.first_pitch, to += c.to_pitch) {
    x.begin(in, c.pitch, static_cast<char*>(c.room));
    T* out = reinterpret_cast<T*>(to);
    const T* first = reinterpret_cast<const T*>(from);
    for (index left = c.n;;) {
      typename sum::type acc[kept];
#pragma GCC unroll 4
      for (int v = 0; v < kept; ++v) acc[v] = sum::begin(first + v * N);
      index count = left < strip ? left : strip;
      if constexpr (has_dense_rows<P>)
        if (x.all_advance()) {
          const index pairs = count & (-2 * lanes);
          for (index i = 0; i < pairs; i += 2 * lanes)
#pragma GCC unroll 8
            for (int b = 0; b < 2 * vectors; b += kept)
#pragma GCC unroll 4
              for (int v = 0; v < kept; ++v) acc[v] = sum::next(acc[v], x.template next<true>(i + (b + v) * N));
          x.move(pairs);
          count -= pairs;
        }
      for (; count > 0; count -= lanes)
        for (int b = 0; b < vectors; b += kept)
#pragma GCC unroll 4
          for (int v = 0; v < kept; ++v) acc[v] = sum::next(acc[v], x.template next<false>(0));
      if constexpr (kept < vectors) {
        const auto all = sum::both(sum::both(acc[0], acc[1]), sum::both(acc[2], acc[3]));
        for (int v = 0; v < vectors; ++v) sum::end(out + v * N, first + v * N, all, folds);
      } else
#pragma GCC unroll 4
        for (int v = 0; v < vectors; ++v) sum::end(out + v * N, first + v * N, acc[v], folds);
      left -= strip;
      if (left <= 0) break;
      if constexpr (widens<Op, P>)
        first = out;
      else
        out += lanes;
    }
  }
}

template <class Op, class Program, int Native>
struct row_loops {
  using slots = const runtime::slot*;
  using P = typename row_terms<Op, Program>::type;
#if defined(__x86_64__)  // none for vectors of 16 bytes: the gain is smaller than the cost of compiling it
  static constexpr std::nullptr_t base = nullptr;
  BROADLOOM_LEVEL_FUNCTIONS((slots in, const runtime::reduced_rows& c),
                            (run_rows<bytes / widest<P>, Op, Program>(in, c)))
#else
  static void base(slots in, const runtime::reduced_rows& c) { run_rows<16 / widest<P>, Op, Program>(in, c); }
#endif
  static constexpr runtime::row_reduce_kernel table{
      {base BROADLOOM_LEVEL_NAMES}, {16 / widest<P> BROADLOOM_LANES_OF_LEVELS}, widens<Op, Program>};
};

#undef BROADLOOM_TARGET_BASE
#undef BROADLOOM_TARGET
#undef BROADLOOM_LEAVE_VECTORS
#undef BROADLOOM_LEVEL_NAME
#undef BROADLOOM_LEVEL_LANES
#undef BROADLOOM_LEVEL_FUNCTION
#undef BROADLOOM_LEVEL_FUNCTIONS
#undef BROADLOOM_LEVEL_NAMES
#undef BROADLOOM_LANES_OF_LEVELS
#ifndef BROADLOOM_BUILDING_LIBRARY
#undef BROADLOOM_EACH_LEVEL
#endif

// The kernel of a program of one stage that is arithmetic of floats; null for most others.
template <class Op, class Program, int Native>
inline constexpr const runtime::row_reduce_kernel* row_reduce_loop_of = nullptr;
template <class Op, class F, class... P, int Native>
  requires(is_optimised(Native) && is_floating(dtype_of<typename call<F, P...>::type>))
inline constexpr const runtime::row_reduce_kernel*
    row_reduce_loop_of<Op, program<compute_stage<call<F, P...>>>, Native> =
        &row_loops<Op, typename localise<0, call<F, P...>>::type, Native>::table;

// So has a count of what a comparison finds: the numbers to add would be written as eight bytes each.
template <class Op, class F, class... P, int Native>
  requires(is_optimised(Native) && Op::how == runtime::reduction::sum && __is_same(typename call<F, P...>::type, bool))
inline constexpr const runtime::row_reduce_kernel*
    row_reduce_loop_of<Op, program<compute_stage<call<cast_f<std::int64_t>, call<F, P...>>>>, Native> =
        &row_loops<Op, typename localise<0, call<cast_f<std::int64_t>, call<F, P...>>>::type, Native>::table;

// And whether any is true, or all are: as many comparisons would be narrowed to bytes each.
template <class Op, class F, class... P, int Native>
  requires(is_optimised(Native) && combines_truth<Op> && __is_same(typename call<F, P...>::type, bool) &&
           widest<call<F, P...>> <= 8)
inline constexpr const runtime::row_reduce_kernel*
    row_reduce_loop_of<Op, program<compute_stage<call<F, P...>>>, Native> =
        &row_loops<Op, typename localise<0, call<F, P...>>::type, Native>::table;

// And a sum of what is computed in 32 bits, which is widened in registers. The library adds up products itself.
template <class Op, class F, class... P, int Native>
  requires(is_optimised(Native) && Op::how == runtime::reduction::sum && sizeof(typename call<F, P...>::type) == 4 &&
           is_integer(dtype_of<typename call<F, P...>::type>) &&
           arithmetic_of<call<cast_f<std::int64_t>, call<F, P...>>> != runtime::arithmetic::widened_times)
inline constexpr const runtime::row_reduce_kernel*
    row_reduce_loop_of<Op, program<compute_stage<call<cast_f<std::int64_t>, call<F, P...>>>>, Native> =
        &row_loops<Op, typename localise<0, call<cast_f<std::int64_t>, call<F, P...>>>::type, Native>::table;

// Maxima and minima of what is computed in 32 bits.
template <class Op, class F, class... P, int Native>
  requires(is_optimised(Native) && (Op::how == runtime::reduction::amax || Op::how == runtime::reduction::amin) &&
           is_integer(dtype_of<typename call<F, P...>::type>) && sizeof(typename call<F, P...>::type) == 4)
inline constexpr const runtime::row_reduce_kernel*
    row_reduce_loop_of<Op, program<compute_stage<call<F, P...>>>, Native> =
        &row_loops<Op, typename localise<0, call<F, P...>>::type, Native>::table;

// A ramp alone has one, too, so that it need not be in memory.
template <class Op, int Id, class T, int Native>
  requires(is_optimised(Native) && is_floating(dtype_of<T>))
inline constexpr const runtime::row_reduce_kernel*
    row_reduce_loop_of<Op, program<compute_stage<ramp_ref<Id, T>>>, Native> =
        &row_loops<Op, ramp_input<0, T>, Native>::table;

}  // namespace broadloom::detail

#if defined(__clang__)
#pragma clang diagnostic pop
#endif
