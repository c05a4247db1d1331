// The library's loops of single functions. Programs compiled without optimisation: a formula is a list of steps, each a
// function over a strip of elements. Most steps are kernels that the library has compiled; a function that it does not
// have gets a kernel of its own, as slow as the program around it. Each step rounds as it does in a kernel of the whole
// formula, so the results are the same bits.
#pragma once

#include <broadloom/core/api.hpp>
#include <broadloom/core/native.hpp>
#include <broadloom/eval/simd/divisor.hpp>
#include <broadloom/fn/arguments.hpp>

namespace broadloom {

namespace lanes {
#define BROADLOOM_STEP(NAME) struct NAME##_f;
#include <broadloom/eval/simd/steps.def>
}  // namespace lanes
namespace detail {
struct where_f;
}

namespace runtime {

// A function over a strip. Inputs are numbered as the kernel's own; from `first_stage` on they are scratch strips.
struct step {
  const kernel* code;
  unsigned char to;     // the scratch strip that is written; the last step writes the output
  unsigned char bytes;  // of an element that is written
  unsigned char input_count;
  unsigned char inputs[5];
};
struct stepwise {
  const step* steps;
  const unsigned char* input_bytes;  // of an element of each input
  const bool* is_scalar;             // each input
  int step_count, input_count, scratch_count;
  unsigned char widest;     // bytes of the widest element of all
  unsigned char out_bytes;  // of an element of the output
};
inline constexpr int stepwise_scratch_bytes = 8192;  // of all scratch strips: stay in the first-level cache
// Computes n elements as a kernel of this level does.
BROADLOOM_API void run_steps(const stepwise& s, int level, const slot* in, void* out, index n, kernel_mode mode);

// A column for each type: f32, f64, i32, i64, bool. Empty where a function is not defined or not listed.
inline constexpr int step_types = 5;
enum class step_function : int {
#define BROADLOOM_STEP(NAME) NAME,
#include <broadloom/eval/simd/steps.def>
  count
};
struct step_tables {
  kernel functions[static_cast<int>(step_function::count)][step_types];
  kernel copies[step_types];
  kernel selections[step_types];         // where(mask, x, y)
  kernel casts[step_types][step_types];  // from, to
};
BROADLOOM_API extern const step_tables library_steps;

}  // namespace runtime

namespace detail {

constexpr int step_column(dtype t) {
  return t == dtype::f32   ? 0
         : t == dtype::f64 ? 1
         : t == dtype::i32 ? 2
         : t == dtype::i64 ? 3
         : t == dtype::b8  ? 4
                           : -1;
}
template <class T>
inline constexpr int step_column_of = step_column(dtype_of<T>);
template <class T>
  requires(!element<T>)  // the state of a callable
inline constexpr int step_column_of<T> = -1;

template <class F>
inline constexpr int step_number = -1;
template <class F>
inline constexpr bool is_step_of_floats = false;
#define BROADLOOM_STEP(NAME) \
  template <>                \
  inline constexpr int step_number<lanes::NAME##_f> = static_cast<int>(runtime::step_function::NAME);
#include <broadloom/eval/simd/steps.def>
#define BROADLOOM_STEP(NAME)
#define BROADLOOM_STEP_OF_FLOATS(NAME) \
  template <>                          \
  inline constexpr bool is_step_of_floats<lanes::NAME##_f> = true;
#include <broadloom/eval/simd/steps.def>

// Whether the library has the loop of F for arguments of type T: of bool only logic, which is computed in it.
template <class F, class T>
inline constexpr bool has_step = F::rule::accepts(dtype_of<T>) && __is_same(typename F::rule::template compute<T>, T) &&
                                 (dtype_of<T> != dtype::b8 || __is_same(typename F::rule, rule_logic)) &&
                                 (!is_step_of_floats<F> || is_floating(dtype_of<T>));

// What a program without a function does.
struct copy_f {
  template <class T>
  using result = T;
  template <class V>
  BROADLOOM_INLINE static V on(const V& x) {
    return x;
  }
};

// The library's loop of one function, if it has one.
struct no_library_step {
  static constexpr bool exists = false;
};
template <class F, class... T>
struct library_step : no_library_step {};
template <class F, class T, class... More>
  requires(step_number<F> >= 0 && step_column_of<T> >= 0 && (__is_same(T, More) && ...))
struct library_step<F, T, More...> {
  static constexpr bool exists = has_step<F, T>;
  static constexpr const runtime::kernel* code = &runtime::library_steps.functions[step_number<F>][step_column_of<T>];
};
template <class F, class T>
struct library_step<by_shared<F>, T, T> : library_step<F, T, T> {};
template <class T>
  requires(step_column_of<T> >= 0)
struct library_step<copy_f, T> {
  static constexpr bool exists = true;
  static constexpr const runtime::kernel* code = &runtime::library_steps.copies[step_column_of<T>];
};
template <class To, class From>
  requires(step_column_of<To> >= 0 && step_column_of<From> >= 0)
struct library_step<cast_f<To>, From> {
  static constexpr bool exists = true;
  static constexpr const runtime::kernel* code =
      &runtime::library_steps.casts[step_column_of<From>][step_column_of<To>];
};
template <class T>
  requires(step_column_of<T> >= 0)
struct library_step<where_f, bool, T, T> {
  static constexpr bool exists = true;
  static constexpr const runtime::kernel* code = &runtime::library_steps.selections[step_column_of<T>];
};

// A call of one function, with its inputs numbered.
template <class F, class Numbers, class... T>
struct one_call;
template <class F, int... At, class... T>
struct one_call<F, sequence<At...>, T...> {
  using type = call<F, input<At, T>...>;
};
template <int Native, class F, class... T>
constexpr const runtime::kernel* step_kernel() {
  if constexpr (library_step<F, T...>::exists)
    return library_step<F, T...>::code;
  else
    return &kernels<typename one_call<F, make_sequence<sizeof...(T)>, T...>::type, Native>::table;
}

template <class P>
inline constexpr int step_count = 0;
template <class F, class... P>
inline constexpr int step_count<call<F, P...>> = (1 + ... + step_count<P>);

template <class P>
inline constexpr int step_inputs = 1;
template <class F, class... P>
inline constexpr int step_inputs<call<F, P...>> = (0 + ... + step_inputs<P>);

template <int Steps, int Inputs>
struct step_list {
  fixed_array<runtime::step, Steps> steps{};
  fixed_array<unsigned char, Inputs> input_bytes{};
  fixed_array<bool, Inputs> is_scalar{};
  int count = 0, scratch = 0;
};
// Lists the steps of a program, operands first, and returns the number of its result. It and what it reads are in
// different strips, as their elements may have different sizes.
template <int Native, int Slot, class T, class List>
constexpr unsigned char list_steps(List& to, int, const input<Slot, T>*) {
  to.input_bytes[Slot] = sizeof(T);
  return Slot;
}
template <int Native, int Slot, class T, class List>
constexpr unsigned char list_steps(List& to, int, const scalar_input<Slot, T>*) {
  to.input_bytes[Slot] = sizeof(T);
  to.is_scalar[Slot] = true;
  return Slot;
}
template <int Native, class F, class... P, class List>
constexpr unsigned char list_steps(List& to, int depth, const call<F, P...>*) {
  static_assert(sizeof...(P) <= 5);
  runtime::step s{step_kernel<Native, F, typename P::type...>(),
                  static_cast<unsigned char>(depth),
                  sizeof(typename call<F, P...>::type),
                  sizeof...(P),
                  {}};
  int k = 0, next = depth + 1;
  ((s.inputs[k++] = list_steps<Native>(to, next, static_cast<const P*>(nullptr)), next += step_count<P> > 0), ...);
  to.steps[to.count++] = s;
  if (depth >= to.scratch) to.scratch = depth + 1;
  return static_cast<unsigned char>(runtime::first_stage + depth);
}

template <class P, int Native>
struct stepwise_kernels {
  static constexpr unsigned char takes_ramps = 0;
  static constexpr int inputs = step_inputs<P>;
  static constexpr auto list = [] {
    step_list<step_count<P>, inputs == 0 ? 1 : inputs> r;
    list_steps<Native>(r, 0, static_cast<const P*>(nullptr));
    return r;
  }();
  static constexpr runtime::stepwise steps{
      list.steps.v, list.input_bytes.v, list.is_scalar.v, list.count,
      inputs,       list.scratch,       widest<P>,        sizeof(typename P::type)};
  template <int Level>
  static void run(const runtime::slot* in, void* out, index n, runtime::kernel_mode mode) {
    runtime::run_steps(steps, Level, in, out, n, mode);
  }
  template <int... Level>
  static constexpr runtime::kernel at_levels(sequence<Level...>) {
    return {{run<Level>...}, {static_cast<unsigned char>(runtime::vector_bytes[Level] / widest<P>)...}};
  }
  static constexpr runtime::kernel table = at_levels(make_sequence<runtime::isa_levels>{});
};

// Strips that are alive together, at most: of a formula's own result and those of its operands.
template <class P>
inline constexpr int step_depth = 0;
template <class F, class... P>
inline constexpr int step_depth<call<F, P...>> = [] {
  int depth = 1, before = 1;
  ((depth = before + step_depth<P> > depth ? before + step_depth<P> : depth, before += step_depth<P> > 0), ...);
  return depth;
}();
// Whether a formula goes by steps: it is not one function that the library does not have, and 64 elements of each of
// its strips fit the scratch.
template <class P>
inline constexpr bool goes_by_steps = false;
template <class F, class... P>
inline constexpr bool goes_by_steps<call<F, P...>> =
    (step_count<call<F, P...>> > 1 || library_step<F, typename P::type...>::exists) && widest<call<F, P...>> <= 8 &&
    step_depth<call<F, P...>> * 64 * widest<call<F, P...>> <= runtime::stepwise_scratch_bytes;
template <class Input>
using copy_of = call<copy_f, Input>;

// The library's loop of a stage that is one function of arrays, or a copy of one, which saves compilers three loops.
template <class P>
struct library_loop : no_library_step {};
template <class F, int... Slot, class... T>
  requires(__is_same(typename with_divisors<call<F, input<Slot, T>...>>::type,
                     typename one_call<F, make_sequence<sizeof...(T)>, T...>::type))
struct library_loop<call<F, input<Slot, T>...>> : library_step<F, T...> {};
template <class T>
struct library_loop<input<0, T>> : library_step<copy_f, T> {};

// The kernel of a stage.
template <class P, int Native>
struct kernels_of : kernels<typename with_divisors<P>::type, Native> {};
template <class P, int Native>
  requires(!is_optimised(Native) && goes_by_steps<P>)
struct kernels_of<P, Native> : stepwise_kernels<P, Native> {};
template <int Slot, class T, int Native>
  requires(!is_optimised(Native) && goes_by_steps<copy_of<input<Slot, T>>>)
struct kernels_of<input<Slot, T>, Native> : stepwise_kernels<copy_of<input<Slot, T>>, Native> {};
template <int Slot, class T, int Native>
  requires(!is_optimised(Native) && goes_by_steps<copy_of<input<Slot, T>>>)
struct kernels_of<ramp_input<Slot, T>, Native> : kernels_of<input<Slot, T>, Native> {};
template <int Slot, class T, int Native>
  requires(!is_optimised(Native) && goes_by_steps<copy_of<scalar_input<Slot, T>>>)
struct kernels_of<scalar_input<Slot, T>, Native> : stepwise_kernels<copy_of<scalar_input<Slot, T>>, Native> {};
// The same, of the library where it has one: what a compiler is to know the table of is not.
template <class P, int Native>
struct found_kernels : kernels_of<P, Native> {};
template <class P, int Native>
  requires(is_optimised(Native) && library_loop<P>::exists)
struct found_kernels<P, Native> {
  static constexpr unsigned char takes_ramps = runtime::dense_ramps;
  static constexpr const runtime::kernel& table = *library_loop<P>::code;
};

}  // namespace detail
}  // namespace broadloom
