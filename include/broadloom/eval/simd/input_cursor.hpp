// The inputs of a kernel's loop, a vector at a time: arrays, scalars and ramps; and the lanes of a program over them.
#pragma once

#include <broadloom/core/native.hpp>
#include <broadloom/core/simd_vec.hpp>
#include <broadloom/eval/simd/localise.hpp>
#include <broadloom/expr/ramp.hpp>
#include <broadloom/plan/program.hpp>
#include <broadloom/plan/stage.hpp>

#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wpsabi"
#endif

namespace broadloom::detail {

// One input as the loop reads it: a pointer that advances by a vector each time, or stays; a scalar is splat once. In a
// dense loop the pointers stay, and element i of each input is read.
template <int N, class Input>
struct input_cursor;
template <int N, int Slot, class T>
struct input_cursor<N, input<Slot, T>> {
  using lanes_type = simd_vec<T, N>;
  const char* at;
  index step;
  BROADLOOM_INLINE explicit input_cursor(const runtime::slot* in)
      : at(static_cast<const char*>(in[Slot].data)), step(0) {}
  BROADLOOM_INLINE void set_step(const runtime::slot* in) { step = in[Slot].advance & index{N * sizeof(T)}; }
  template <bool Dense>
  BROADLOOM_INLINE simd_vec<T, N> next([[maybe_unused]] index i) {
    const T* const here = reinterpret_cast<const T*>(at);
    if constexpr (Dense)
      return load<T, N>(here + i);
    else {
      at += step;
      return load<T, N>(here);
    }
  }
  BROADLOOM_INLINE simd_vec<T, N> some(std::uint64_t lanes) const {
    return load_some<T, N>(reinterpret_cast<const T*>(at), lanes);
  }
  // The elements `by` further on; and those of a loop that is not dense, fewer than a vector.
  BROADLOOM_INLINE void skip(const runtime::slot*, index count) { at += step / N * count; }
  BROADLOOM_INLINE simd_vec<T, N> some_of_both(std::uint64_t lanes) const { return some(lanes); }
};
template <int N, int Slot, class T>
struct input_cursor<N, scalar_input<Slot, T>> {
  using lanes_type = simd_vec<T, N>;
  simd_vec<T, N> value;
  BROADLOOM_INLINE explicit input_cursor(const runtime::slot* in)
      : value(splat<N>(*static_cast<const T*>(in[Slot].data))) {}
  BROADLOOM_INLINE void set_step(const runtime::slot*) {}
  template <bool Dense>
  BROADLOOM_INLINE simd_vec<T, N> next(index) {
    return value;
  }
  BROADLOOM_INLINE const simd_vec<T, N>& some(std::uint64_t) const { return value; }
  BROADLOOM_INLINE void skip(const runtime::slot*, index) {}
  BROADLOOM_INLINE const simd_vec<T, N>& some_of_both(std::uint64_t) const { return value; }
};
// A ramp that is counted, or in memory. Each vector is counted from the one before the last, as an addition takes three
// cycles. Loops that are not dense add what is in memory to it: zeros where it is counted, the ramp itself where 0 is
// counted; there is no -0 in a ramp.
template <class T, int N>
inline constexpr fixed_array<T, N> zero_vector{};
template <int N, int Slot, class T>
struct input_cursor<N, ramp_input<Slot, T>> : input_cursor<N, input<Slot, T>> {
  using memory = input_cursor<N, input<Slot, T>>;
  simd_vec<T, N> before{}, next_before{}, by{};
  BROADLOOM_INLINE explicit input_cursor(const runtime::slot* in) : memory(in) {}
  BROADLOOM_INLINE void set_step(const runtime::slot* in) {
    memory::set_step(in);
    if (in[Slot].advance == runtime::ramp_advance) count_from(first_of(in));
  }
  BROADLOOM_INLINE void count_from(index first) {
    count_on(vector_from(first));
    this->at = reinterpret_cast<const char*>(zero_vector<T, N>.v);
    this->step = 0;
  }
  BROADLOOM_INLINE bool is_counted() const { return this->at == reinterpret_cast<const char*>(zero_vector<T, N>.v); }
  // Whether its elements are consecutive numbers, as far as a dense loop knows.
  BROADLOOM_INLINE static bool counts(const runtime::slot* in) {
    return in[Slot].advance < -1;  // ramp_advance or consecutive_advance
  }
  BROADLOOM_INLINE void begin(const runtime::slot* in, index i) {
    if ((in[Slot].advance & ~runtime::ramp_advance) == 0)
      count_on(vector_from(first_of(in) + i));
    else
      count_on(load<T, N>(reinterpret_cast<const T*>(this->at) + i));
  }
  BROADLOOM_INLINE const simd_vec<T, N>& some(std::uint64_t) const { return before; }
  BROADLOOM_INLINE void skip(const runtime::slot* in, index count) {
    if (is_counted())
      count_on(vector_from(first_of(in) + count));
    else
      memory::skip(in, count);
  }
  BROADLOOM_INLINE simd_vec<T, N> some_of_both(std::uint64_t lanes) const {
    return is_counted() ? before : memory::some(lanes);
  }
  template <bool Dense>
  BROADLOOM_INLINE simd_vec<T, N> next(index) {
    const auto x = before;
    before = next_before;
    next_before = static_cast<simd_vec<T, N>>(x + by);
    if constexpr (Dense)
      return x;
    else
      return static_cast<simd_vec<T, N>>(memory::template next<false>(0) + x);
  }

 private:
  BROADLOOM_INLINE static index first_of(const runtime::slot* in) {
    return static_cast<index>(reinterpret_cast<std::uintptr_t>(in[Slot].data) / sizeof(T));
  }
  BROADLOOM_INLINE static simd_vec<T, N> vector_from(index first) {
    return static_cast<simd_vec<T, N>>(splat<N>(static_cast<T>(first)) + load<T, N>(ramp_constants<T, N>.v));
  }
  BROADLOOM_INLINE void count_on(const simd_vec<T, N>& first) {
    before = first;
    next_before = static_cast<simd_vec<T, N>>(first + splat<N>(static_cast<T>(N)));
    by = splat<N>(static_cast<T>(2 * N));
  }
};

// The next lanes of all inputs, loaded at once: each function that a load is inlined into, on the way to the loop,
// costs compilers a copy of it.
template <int N, class Input>
struct loaded_input {
  typename input_cursor<N, Input>::lanes_type lanes;
};
template <int N, class... Inputs>
struct loaded_inputs : loaded_input<N, Inputs>... {};

// What dense loops do with cursors of ramps.
template <class Cursor>
BROADLOOM_INLINE bool counts_in(const Cursor&, const runtime::slot*) {
  return true;
}
template <int N, int Slot, class T>
BROADLOOM_INLINE bool counts_in(const input_cursor<N, ramp_input<Slot, T>>& x, const runtime::slot* in) {
  return x.counts(in);
}
template <class Cursor>
BROADLOOM_INLINE void begin_in(Cursor&, const runtime::slot*, index) {}
template <int N, int Slot, class T>
BROADLOOM_INLINE void begin_in(input_cursor<N, ramp_input<Slot, T>>& x, const runtime::slot* in, index i) {
  x.begin(in, i);
}
template <class Input>
inline constexpr bool is_ramp_input = false;
template <int Slot, class T>
inline constexpr bool is_ramp_input<ramp_input<Slot, T>> = true;

// The cursors of all inputs of a program. Programs that read the same types share one type, which is compiled once.
template <int N, class... Inputs>
struct input_cursors : input_cursor<N, Inputs>... {
  static constexpr bool has_ramps = (false || ... || is_ramp_input<Inputs>);
  BROADLOOM_INLINE explicit input_cursors([[maybe_unused]] const runtime::slot* in) : input_cursor<N, Inputs>(in)... {}
  // A function of its own: dense loops need no steps, and compilers would load them all the same.
  BROADLOOM_INLINE void set_steps([[maybe_unused]] const runtime::slot* in) {
    (input_cursor<N, Inputs>::set_step(in), ...);
  }
  // Whether a dense loop counts all of its ramps, and that it begins at element i.
  BROADLOOM_INLINE bool counts([[maybe_unused]] const runtime::slot* in) const {
    return (counts_in(static_cast<const input_cursor<N, Inputs>&>(*this), in) && ...);
  }
  BROADLOOM_INLINE void begin([[maybe_unused]] const runtime::slot* in, [[maybe_unused]] index i) {
    (begin_in(static_cast<input_cursor<N, Inputs>&>(*this), in, i), ...);
  }
  template <bool Dense>
  BROADLOOM_INLINE loaded_inputs<N, Inputs...> next([[maybe_unused]] index i) {
    return {{input_cursor<N, Inputs>::template next<Dense>(i)}...};
  }
  BROADLOOM_INLINE loaded_inputs<N, Inputs...> some([[maybe_unused]] std::uint64_t lanes) const {
    return {{input_cursor<N, Inputs>::some(lanes)}...};
  }
  BROADLOOM_INLINE void skip([[maybe_unused]] const runtime::slot* in, [[maybe_unused]] index count) {
    (input_cursor<N, Inputs>::skip(in, count), ...);
  }
  BROADLOOM_INLINE loaded_inputs<N, Inputs...> some_of_both([[maybe_unused]] std::uint64_t lanes) const {
    return {{input_cursor<N, Inputs>::some_of_both(lanes)}...};
  }
};
template <int N, class Cursors, class... P>
struct input_cursors_for;
template <int N, class... Inputs>
struct input_cursors_for<N, input_cursors<N, Inputs...>> {
  using type = input_cursors<N, Inputs...>;
};
template <int N, class... Inputs, class Input, class... More>
struct input_cursors_for<N, input_cursors<N, Inputs...>, Input, More...>
    : input_cursors_for<N, input_cursors<N, Inputs..., Input>, More...> {};
template <int N, class... Inputs, class F, class... P, class... More>
struct input_cursors_for<N, input_cursors<N, Inputs...>, call<F, P...>, More...>
    : input_cursors_for<N, input_cursors<N, Inputs...>, P..., More...> {};

// The lanes of a program whose inputs are loaded.
template <int N, class P>
struct lanes_of_program {
  BROADLOOM_INLINE static const auto& of(const loaded_input<N, P>& in) { return in.lanes; }
};
template <int N, class F, class... P>
struct lanes_of_program<N, call<F, P...>> {
  template <class Loaded>
  BROADLOOM_INLINE static auto of(const Loaded& in) {
    return F::on(lanes_of_program<N, P>::of(in)...);
  }
};

}  // namespace broadloom::detail

#if defined(__clang__)
#pragma clang diagnostic pop
#endif
