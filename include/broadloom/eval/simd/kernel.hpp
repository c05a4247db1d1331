// Kernels: the loop of one program stage, for every instruction-set level. The level in force is looked up at run time,
// so a program compiled for the baseline runs at the machine's width.
#pragma once

#include <broadloom/core/native.hpp>
#include <broadloom/core/simd_vec.hpp>
#include <broadloom/eval/simd/input_cursor.hpp>
#include <broadloom/eval/simd/localise.hpp>
#include <broadloom/plan/problem.hpp>
#include <broadloom/plan/program.hpp>

#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wpsabi"
#endif

namespace broadloom::detail {

// The widest element in registers determines the number of lanes.
template <class P>
inline constexpr int widest = register_bytes<typename P::type>;
template <class F, class... P>
inline constexpr int widest<call<F, P...>> = [] {
  int w = register_bytes<typename call<F, P...>::type>;
  ((w = widest<P> > w ? widest<P> : w), ...);
  return w;
}();

// A few inputs that all advance have a loop of their own with AVX2 and AVX-512. It saves one instruction an input. With
// four or more loads for each vector the loads dominate, and compiling one loop less is worth more than these
// instructions.
template <class P>
inline constexpr int loads_of = 0;
template <int Slot, class T>
inline constexpr int loads_of<input<Slot, T>> = 1;
template <class F, class... P>
inline constexpr int loads_of<call<F, P...>> = (0 + ... + loads_of<P>);
template <class P>
inline constexpr bool has_dense_loop = loads_of<P> < 4;

// Whether a dense kernel for AVX-512 also takes fewer elements than a vector, by loads and stores of some lanes: where
// vectors in memory have 16 bytes or more and are not of complex numbers. With clang assembly cannot name registers
// that the function around an inlined one has and it has not.
template <class P>
inline constexpr index narrowest = 0;
template <int Slot, class T>
inline constexpr index narrowest<input<Slot, T>> = sizeof(T);
template <int Slot, class T>
inline constexpr index narrowest<ramp_input<Slot, T>> = 16;
template <int Slot, class T>
inline constexpr index narrowest<scalar_input<Slot, T>> = 16;
template <class F, class... P>
inline constexpr index narrowest<call<F, P...>> = [] {
  index n = 16;
  ((n = narrowest<P> < n ? narrowest<P> : n), ...);
  return n;
}();
template <class P>
inline constexpr bool reads_complex = is_complex_type<typename P::type>;
template <class F, class... P>
inline constexpr bool reads_complex<call<F, P...>> =
    (is_complex_type<typename call<F, P...>::type> || ... || reads_complex<P>);
#if defined(__x86_64__) && !defined(__clang__)
template <class P>
inline constexpr bool masked_tail = has_dense_loop<P> && !reads_complex<P> && (64 / widest<P>)*narrowest<P> >= 16 &&
                                    (64 / widest<P>)*sizeof(typename P::type) >= 16;
#else
template <class P>
inline constexpr bool masked_tail = false;
#endif

// Flags for functions for AVX2 and for AVX-512. These must leave the upper halves of registers empty: code for older
// processors, such as the C library's, is up to nine times slower otherwise. GCC does so from -O2 on only, and not for
// size. With GCC kernels are optimised whatever the program around them is.
#if defined(__clang__)
#define BROADLOOM_TARGET_BASE
#else
#define BROADLOOM_TARGET_BASE __attribute__((optimize("O2")))
#endif
#include <broadloom/core/levels.def>
#if defined(__x86_64__)
#if defined(__clang__)
#define BROADLOOM_TARGET(FEATURES) __attribute__((target(FEATURES)))
#else
#define BROADLOOM_TARGET(FEATURES) __attribute__((target(FEATURES ",prefer-vector-width=512"), optimize("O2")))
#endif
#if defined(__OPTIMIZE_SIZE__)
#define BROADLOOM_LEAVE_VECTORS() __builtin_ia32_vzeroupper()
#else
#define BROADLOOM_LEAVE_VECTORS() static_cast<void>(0)
#endif
#define BROADLOOM_LEVEL_NAME(NAME, BYTES, FEATURES, A, B) , NAME
#define BROADLOOM_LEVEL_LANES(NAME, BYTES, FEATURES, A, B) , BYTES / widest<P>
#else
#define BROADLOOM_LEVEL_NAME(NAME, BYTES, FEATURES, A, B) , base
#define BROADLOOM_LEVEL_LANES(NAME, BYTES, FEATURES, A, B) , 16 / widest<P>
#endif
// A function of each level, which makes CALL for vectors of `bytes`; behind `base`, the names of these functions, and
// how many lanes the program P has in their vectors.
#define BROADLOOM_LEVEL_FUNCTION(NAME, BYTES, FEATURES, PARAMETERS, CALL) \
  BROADLOOM_TARGET(FEATURES) static void NAME PARAMETERS {                \
    constexpr int bytes = BYTES;                                          \
    CALL;                                                                 \
    BROADLOOM_LEAVE_VECTORS();                                            \
  }
#define BROADLOOM_LEVEL_FUNCTIONS(PARAMETERS, CALL) BROADLOOM_EACH_LEVEL(BROADLOOM_LEVEL_FUNCTION, PARAMETERS, CALL)
#define BROADLOOM_LEVEL_NAMES BROADLOOM_EACH_LEVEL(BROADLOOM_LEVEL_NAME, , )
#define BROADLOOM_LANES_OF_LEVELS BROADLOOM_EACH_LEVEL(BROADLOOM_LEVEL_LANES, , )

// The loop of program P in vectors of N lanes: with GCC the body of each level's function. As a function that these
// call, it would be inlined, and GCC would work on the whole loop twice.
//
// `inputs` is not const: GCC 12 keeps the members of a const object in memory and reloads them for each vector. A short
// loop is fetched at once if its code lies in one cache line: else 1024 floats took a fifth longer.
#define BROADLOOM_KERNEL_LOOP(N, DENSE, SOME)                                                                          \
  using T = typename P::type;                                                                                          \
  using inputs_type = typename input_cursors_for<N, input_cursors<N>, P>::type;                                        \
  T* o = static_cast<T*>(out);                                                                                         \
  inputs_type inputs(in);                                                                                              \
  bool counted = true;                                                                                                 \
  if constexpr (DENSE && inputs_type::has_ramps) counted = inputs.counts(in);                                          \
  if (SOME && mode == runtime::kernel_mode::dense && n < N && counted) {                                               \
    if constexpr (SOME)                                                                                                \
      if (n > 0) {                                                                                                     \
        const std::uint64_t lanes = (std::uint64_t{1} << n) - 1;                                                       \
        if constexpr (inputs_type::has_ramps) inputs.begin(in, 0);                                                     \
        store_some<T>(o, lanes_of_program<N, P>::of(inputs.some(lanes)), lanes);                                       \
      }                                                                                                                \
  } else if (DENSE && mode == runtime::kernel_mode::dense && counted) {                                                \
    if constexpr (DENSE)                                                                                               \
      if (n > 0) {                                                                                                     \
        const index last = n - N;                                                                                      \
        index i = 0;                                                                                                   \
        do {                                                                                                           \
          if constexpr (inputs_type::has_ramps) inputs.begin(in, i);                                                   \
          __asm__ volatile(".p2align 6" : "+r"(i));                                                                    \
          do {                                                                                                         \
            if constexpr (inputs_type::has_ramps) { /* two, so that nothing is moved from register to register */      \
              store<T>(o + i, lanes_of_program<N, P>::of(inputs.template next<true>(i)));                              \
              i += N;                                                                                                  \
              __asm__ volatile("" : "+r"(i));                                                                          \
              if (i > last) break;                                                                                     \
            }                                                                                                          \
            store<T>(o + i, lanes_of_program<N, P>::of(inputs.template next<true>(i)));                                \
            i += N;                                                                                                    \
            __asm__ volatile("" : "+r"(i));                                                                            \
          } while (i <= last);                                                                                         \
        } while (i < n && ((i = last), true));                                                                         \
      }                                                                                                                \
  } else if (DENSE && inputs_type::has_ramps && mode == runtime::kernel_mode::dense && n % N != 0) {                   \
    /* Ramps that are in memory, not known to be consecutive: the last vector overlaps the one before it here, too. */ \
    if constexpr (DENSE && inputs_type::has_ramps) {                                                                   \
      inputs.set_steps(in);                                                                                            \
      if (n >= N) {                                                                                                    \
        for (T* const end = o + (n - N); o < end; o += N)                                                              \
          store<T>(o, lanes_of_program<N, P>::of(inputs.template next<false>(0)));                                     \
        inputs_type last(in);                                                                                          \
        last.set_steps(in);                                                                                            \
        last.skip(in, n - N);                                                                                          \
        store<T>(static_cast<T*>(out) + (n - N), lanes_of_program<N, P>::of(last.template next<false>(0)));            \
      } else if constexpr (SOME) {                                                                                     \
        const std::uint64_t lanes = (std::uint64_t{1} << n) - 1;                                                       \
        if (n > 0) store_some<T>(o, lanes_of_program<N, P>::of(inputs.some_of_both(lanes)), lanes);                    \
      }                                                                                                                \
    }                                                                                                                  \
  } else {                                                                                                             \
    inputs.set_steps(in);                                                                                              \
    T* const end = o + n;                                                                                              \
    if (n > 0) {                                                                                                       \
      if constexpr (N * widest<P> == 32) __asm__ volatile(".p2align 6" : "+r"(o));                                     \
      do {                                                                                                             \
        const auto x = lanes_of_program<N, P>::of(inputs.template next<false>(0));                                     \
        bool streamed = false;                                                                                         \
        if constexpr (can_stream<std::remove_cvref_t<decltype(x)>>) {                                                  \
          streamed = mode == runtime::kernel_mode::streamed;                                                           \
          if (streamed) stream(o, x);                                                                                  \
        }                                                                                                              \
        if (!streamed) store<T>(o, x);                                                                                 \
        o += N;                                                                                                        \
      } while (o < end);                                                                                               \
    }                                                                                                                  \
  }
#if defined(__clang__)
// In a function for AVX2, clang refuses to call one that is not and returns a vector of 32 bytes, though it is always
// inlined; so this function stands between them.
template <int N, bool Dense, bool Some, class P>
BROADLOOM_INLINE void run_kernel(const runtime::slot* in, void* out, index n, runtime::kernel_mode mode) {
  BROADLOOM_KERNEL_LOOP(N, Dense, Some)
}
#define BROADLOOM_RUN_KERNEL(N, DENSE, SOME) run_kernel<N, DENSE, SOME, P>(in, out, n, mode);
#else
#define BROADLOOM_RUN_KERNEL(N, DENSE, SOME) BROADLOOM_KERNEL_LOOP(N, DENSE, SOME)
#endif

// `Native` separates the code of files that are compiled with different flags.
template <class P, int Native>
struct kernels {
  static constexpr unsigned char takes_ramps = runtime::dense_ramps;
  BROADLOOM_TARGET_BASE static void base(const runtime::slot* in, void* out, index n, runtime::kernel_mode mode) {
    BROADLOOM_RUN_KERNEL((16 / widest<P>), false, false)
  }
#if defined(__x86_64__)
  static constexpr bool dense = has_dense_loop<P>;
#define BROADLOOM_KERNEL(NAME, BYTES, FEATURES, A, B)                                             \
  BROADLOOM_TARGET(FEATURES)                                                                      \
  static void NAME(const runtime::slot* in, void* out, index n, runtime::kernel_mode mode) {      \
    BROADLOOM_RUN_KERNEL((BYTES / widest<P>), has_dense_loop<P>, (BYTES == 64 && masked_tail<P>)) \
    BROADLOOM_LEAVE_VECTORS();                                                                    \
  }
  BROADLOOM_EACH_LEVEL(BROADLOOM_KERNEL, , )
#undef BROADLOOM_KERNEL
#else
  static constexpr bool dense = false;
#endif
  static constexpr runtime::kernel table{
      {base BROADLOOM_LEVEL_NAMES}, {16 / widest<P> BROADLOOM_LANES_OF_LEVELS}, dense, masked_tail<P>};
};
#undef BROADLOOM_RUN_KERNEL
#undef BROADLOOM_KERNEL_LOOP

}  // namespace broadloom::detail

#if defined(__clang__)
#pragma clang diagnostic pop
#endif
