// Loops over rows that subtract a number of the row from each element, or multiply by it, apply a function, and sum the
// results, all in registers. As separate loops, the first and the last would only wait for loads and stores.
#pragma once

#include <type_traits>

#include <broadloom/fn/lanes.hpp>

#include "find.hpp"
#include "lane_checks.hpp"

namespace broadloom::runtime {

// Functions that are often summed, and are inlined here.
template <maths1 F, class Pack>
inline constexpr bool is_summed =
    Pack::has_fma && (F == maths1::exp || F == maths1::exp2 || F == maths1::log || F == maths1::log1p);

template <maths1 F, class Pack, auto Function, auto Rest, before How>
inline typename Pack::value with_number(typename Pack::value x, [[maybe_unused]] typename Pack::value by) {
  using element = typename Pack::element;
  if constexpr (How == before::minus)
    x = x - by;
  else if constexpr (How == before::times)
    x = lanes::rounded(x * by);  // not fused with what the function begins with
  typename Pack::value r = Function(x);
  if constexpr (is_limited<F, Pack, Function>())
    if (const unsigned lanes = beyond_limits<F, Pack>(x); lanes != 0) [[unlikely]] {
      element from[Pack::width], buffer[Pack::width];
      Pack::store(from, x);
      Pack::store(buffer, r);
      beyond<Pack, Rest>(from, buffer, lanes);
      r = Pack::load(buffer);
    }
  return r;
}

// The last elements of a strip, fewer than the lanes.
template <maths1 F, class Pack, auto Function, auto Rest, before How>
[[gnu::noinline]] void run_summed_rest(const typename Pack::element* x, const typename Pack::element* by,
                                       typename Pack::element* out, typename Pack::element* lanes, index n) {
  const auto number = How == before::nothing ? Pack::splat(0) : Pack::splat(*by);
  for (index k = 0; k < n; k += Pack::width) {
    const index count = n - k;
    if (count >= Pack::width) {
      const auto y = with_number<F, Pack, Function, Rest, How>(Pack::load(x + k), number);
      Pack::store(out + k, y);
      Pack::store(lanes + k, Pack::load(lanes + k) + y);
    } else {
      using first = first_lanes<Pack>;
      const auto y = with_number<F, Pack, Function, Rest, How>(first::load(x + k, count), number);
      first::store(out + k, y, count);
      Pack::store(lanes + k, Pack::load(lanes + k) + first::only(y, count));
    }
  }
}

template <maths1 F, class Pack, auto Function, auto Rest, before How>
void run_summed(const summed_rows<typename Pack::element>& a, index rows, index n) {
  using element = typename Pack::element;
  constexpr index all = 64 / static_cast<index>(sizeof(element)), width = Pack::width;
  constexpr int packs = static_cast<int>(all / width);
  element* lanes = a.lanes;
  const char* prefetch = static_cast<const char*>(a.prefetch);
  const index prefetch_step = a.prefetch_step;
  for (index r = 0; r < rows; ++r) {
    const element* const x = a.x + r * a.x_pitch;
    const element* const by = a.by + (How == before::nothing ? 0 : r * a.by_pitch);
    element* const out = a.out + r * a.out_pitch;
    const auto number = How == before::nothing ? Pack::splat(0) : Pack::splat(*by);
    for (index first = 0; first < n; first += summed_strip, lanes += all) {
      const index count = n - first < summed_strip ? n - first : summed_strip, end = first + count / all * all;
      typename Pack::value sums[packs];
      for (int k = 0; k < packs; ++k) sums[k] = Pack::splat(static_cast<element>(-0.0));
      for (index i = first; i < end; i += all) {
        __builtin_prefetch(prefetch, 0, 2);
        prefetch += prefetch_step;
#pragma GCC unroll 4
        for (int k = 0; k < packs; ++k) {
          const auto y = with_number<F, Pack, Function, Rest, How>(Pack::load(x + i + k * width), number);
          Pack::store(out + i + k * width, y);
          sums[k] = sums[k] + y;
        }
      }
      for (int k = 0; k < packs; ++k) Pack::store(lanes + k * width, sums[k]);
      if (end < first + count)
        run_summed_rest<F, Pack, Function, Rest, How>(x + end, by, out + end, lanes, first + count - end);
    }
  }
}

}  // namespace broadloom::runtime
