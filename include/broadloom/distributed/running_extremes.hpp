// Running maxima and minima over the distributed axis: distributed::cummax(x), cummin(x).
#pragma once

#include <broadloom/distributed/eval.hpp>
#include <broadloom/index/count.hpp>

namespace broadloom::distributed {

namespace detail {

template <bool Largest>
struct running_extreme {
  template <class T>
  struct state {
    T value;
    std::int64_t at;  // below 0: no row yet
  };
  // Of equal ones the last, and NaN stays once it is met.
  template <class T>
  static state<T> on(const state<T>& a, const state<T>& b) {
    if (a.at < 0 || b.at < 0) return b.at < 0 ? a : b;
    if (b.value != b.value) return b;
    if (a.value != a.value) return a;
    return (Largest ? b.value < a.value : a.value < b.value) ? a : b;
  }

  template <class T, class Shape>
  auto operator()(const tensor<T, Shape>& x) const {
    const block_map& m = x.map();
    const communicator& c = m.comm();
    c.check_thread();
    values_and_indices<tensor<T, Shape>, tensor<index, Shape>> r{tensor<T, Shape>(m, x.shape()),
                                                                 tensor<index, Shape>(m, x.shape())};
    const index row = x.rows().row, size = m.count() * row;
    T* const values = r.values.rows().data;
    index* const at = r.indices.rows().data;
    std::unique_ptr<prefixes<state<T>>> over_ranks;
    c.together([&] {
      over_ranks = std::make_unique<prefixes<state<T>>>(row, state<T>{T{}, -1});
      if (size == 0) return;
      const auto here = [&] {
        if constexpr (Largest)
          return broadloom::cummax(x.local(), 0);
        else
          return broadloom::cummin(x.local(), 0);
      }();
      for (index i = 0; i < size; ++i) {
        values[i] = here.values.data()[i];
        at[i] = here.indices.data()[i] + m.first();
      }
      for (index k = 0; k < row; ++k)
        over_ranks->all[static_cast<std::size_t>(k)] = {values[size - row + k], at[size - row + k]};
    });
    over_ranks->run(c, [](const state<T>& a, const state<T>& b) { return on(a, b); });
    for (index i = 0; i < size; ++i) {
      const state<T> best = on(over_ranks->before[static_cast<std::size_t>(i % row)], state<T>{values[i], at[i]});
      values[i] = best.value;
      at[i] = best.at;
    }
    return r;
  }
};

}  // namespace detail

// cummax(x), cummin(x): the largest or smallest so far along the distributed axis, {values, indices} distributed as x;
// of equal ones the last, and NaN stays once it is met (PyTorch's). All ranks call it; each sends a row log2(ranks)
// times. Along other axes they are bl::cummax(x.local(), axis).
inline constexpr detail::running_extreme<true> cummax{};
inline constexpr detail::running_extreme<false> cummin{};

}  // namespace broadloom::distributed
