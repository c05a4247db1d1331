// Products of several matrices in the order that costs least: multi_dot.
#pragma once

#include <broadloom/linalg/products.hpp>

namespace broadloom {

namespace detail {

// "(a?,b),(b,c),(c,d?)->(a?,d?)" for N operands.
template <int N>
struct chain_signature {
  struct characters {
    char c[6 * N + 16];
  };
  static constexpr characters written = [] {
    characters r{};
    int at = 0;
    const auto append = [&](const char* s) {
      while (*s != '\0') r.c[at++] = *s++;
    };
    const auto append_size = [&](int i) {
      r.c[at++] = static_cast<char>('a' + i);
      if (i == 0 || i == N) r.c[at++] = '?';
    };
    for (int i = 0; i < N; ++i) {
      append(i == 0 ? "(" : ",(");
      append_size(i);
      append(",");
      append_size(i + 1);
      append(")");
    }
    append("->(");
    append_size(0);
    append(",");
    append_size(N);
    append(")");
    return r;
  }();
  static constexpr core_signature parsed = read_signature(written.c);
  static constexpr const char* str() { return written.c; }
};

template <int N>
struct multi_dot_f : product_function {
  static constexpr bool exact = true;
  static constexpr int parameters = N;
  using signature = chain_signature<N>;
  static constexpr const char* name() { return "linalg.multi_dot"; }
  static void run(const runtime::stack_call& c) { runtime::run_stacked(runtime::stack_function::multi_dot, c); }
};

}  // namespace detail

// multi_dot(a, b, c, ...): the product of two to seven matrices, in the order of the fewest multiplications. The first
// may be a vector, which is a row, and the last, which is a column (torch.linalg.multi_dot, numpy.linalg.multi_dot).
// Any elements but bool, promoted; lazy.
inline constexpr struct multi_dot_t {
  template <array... A>
    requires(sizeof...(A) >= 2 && sizeof...(A) <= 7) && detail::stackable<detail::multi_dot_f<sizeof...(A)>, A...>
  constexpr auto operator()(A&&... a) const {
    return detail::defer(detail::multi_dot_f<sizeof...(A)>{}, static_cast<A&&>(a)...);
  }
  template <array... A, class Error = detail::stacked_error<detail::multi_dot_f<sizeof...(A)>, A...>>
    requires(sizeof...(A) >= 2 && sizeof...(A) <= 7) && (!detail::stackable<detail::multi_dot_f<sizeof...(A)>, A...>)
  Error operator()(A&&...) const = delete;
} multi_dot{};

}  // namespace broadloom
