// The loops of a prepared assignment: few elements, computed where they are asked for, at the width that the file is
// compiled for.
#pragma once

#include <broadloom/eval/simd/kernel.hpp>
#include <broadloom/plan/prepared.hpp>

#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wpsabi"
#endif

namespace broadloom::detail {

template <int N, class P>
using cursors_of = typename input_cursors_for<N, input_cursors<N>, P>::type;

// n elements that follow one another, of inputs that do so or are numbers. apart: none of them is the output, and the
// last vector may overlap the one before.
template <int N, class P>
BROADLOOM_INLINE void run_line(const runtime::slot* in, typename P::type* o, index n, bool apart) {
  using T = typename P::type;
  index i = 0;
  if (n >= N) {
    cursors_of<N, P> inputs(in);
    do {
      store<T>(o + i, lanes_of_program<N, P>::of(inputs.template next<true>(i)));
      i += N;
    } while (i <= n - N);
    if (i == n) return;
    if (apart) return store<T>(o + (n - N), lanes_of_program<N, P>::of(inputs.template next<true>(n - N)));
  }
  if constexpr (N > 1) {
    cursors_of<1, P> inputs(in);
    for (; i < n; ++i) store<T>(o + i, lanes_of_program<1, P>::of(inputs.template next<true>(i)));
  }
}

// A program of which only the inputs whose bits are set move along a row: the others are numbers there.
template <unsigned Moving, class P>
struct in_rows {
  using type = P;
};
template <unsigned Moving, int Slot, class T>
struct in_rows<Moving, input<Slot, T>> {
  using type = std::conditional_t<(Moving >> Slot & 1) != 0, input<Slot, T>, scalar_input<Slot, T>>;
};
template <unsigned Moving, class F, class... P>
struct in_rows<Moving, call<F, P...>> {
  using type = call<F, typename in_rows<Moving, P>::type...>;
};
template <int Slot, class P>
inline constexpr bool is_array = false;
template <int Slot, class T>
inline constexpr bool is_array<Slot, input<Slot, T>> = true;
template <int Slot, class F, class... P>
inline constexpr bool is_array<Slot, call<F, P...>> = (is_array<Slot, P> || ...);

// Trees of more arrays have no loops over rows: there is one for each set of those that move.
inline constexpr int max_arrays_of_rows = 3;

// Rows of `count` inputs, each of which moves along a row or along the rows, or does both.
template <int N, class P, int Count, int Slot = 0, unsigned Moving = 0>
BROADLOOM_INLINE void run_rows(const runtime::slot* in, const index* across, typename P::type* o,
                               const runtime::prepared_plan& plan) {
  if constexpr (Slot == Count) {
    runtime::slot here[Count];
    for (int k = 0; k < Count; ++k) here[k] = in[k];
    for (index r = 0; r < plan.rows; ++r, o += plan.across) {
      run_line<N, typename in_rows<Moving, P>::type>(here, o, plan.columns, plan.apart);
      for (int k = 0; k < Count; ++k) here[k].data = static_cast<const char*>(here[k].data) + across[k];
    }
  } else if (is_array<Slot, P> && in[Slot].advance != 0)
    run_rows<N, P, Count, Slot + 1, Moving | 1u << Slot>(in, across, o, plan);
  else
    run_rows<N, P, Count, Slot + 1, Moving>(in, across, o, plan);
}

}  // namespace broadloom::detail

#if defined(__clang__)
#pragma clang diagnostic pop
#endif
