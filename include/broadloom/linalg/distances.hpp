// Lengths of vectors and distances between them: vector_norm, cdist.
#pragma once

#include <broadloom/expr/views.hpp>
#include <broadloom/fn/complex.hpp>
#include <broadloom/linalg/stacked.hpp>
#include <broadloom/linalg/throw_error.hpp>
#include <broadloom/reduce/norm.hpp>

namespace broadloom {

namespace runtime {

[[noreturn, gnu::cold, gnu::noinline]] inline void throw_row_lengths(index left, index right) {
  detail::throw_linalg(detail::linalg_error_kind::row_lengths, {left, right});
}

}  // namespace runtime

namespace detail {

struct euclidean_f : core_function {
  using rule = rule_floats;
  using signature = core<"(m,k),(n,k)->(m,n)">;
  static constexpr const char* name() { return "cdist"; }
  static void run(const runtime::stack_call& c) {
    runtime::run_stacked(runtime::stack_function::euclidean_distances, c);
  }
};

}  // namespace detail

// vector_norm(x, p, axes ...): norm(x, p, axes ...), of complex elements that of their absolute values: the p-norm of
// all elements, or along axes; p is 2 unless given (torch.linalg.vector_norm, numpy.linalg.vector_norm).
inline constexpr struct vector_norm_t {
  template <array X, class... O>
  constexpr auto operator()(X&& x, const O&... o) const {
    const auto e = detail::capture(static_cast<X&&>(x));
    if constexpr (detail::is_complex_type<detail::value_of<decltype(e)>>)
      return norm(abs(e), o...);
    else
      return norm(e, o...);
  }
} vector_norm{};

// cdist(x, y, p = 2_c): the distance of each row of x to each row of y in the p-norm: (..., m, k) and (..., n, k) give
// (..., m, n); leading axes broadcast. p is a constant or a number of at least 0, inf among them, as in norm:
// differences are formed, so that no digits cancel (torch.cdist with donot_use_mm_for_euclid_dist, SciPy's cdist).
// Floating arrays. Throws shape_error where rows have other lengths. Lazy; the constant 2 has a kernel of its own,
// other p are norm's and fused with what they are used in.
inline constexpr struct cdist_t {
  template <array X, array Y, detail::norm_order P = std::integral_constant<int, 2>>
  constexpr auto operator()(X&& x, Y&& y, P p = {}) const {
    constexpr int left = detail::rank_of<detail::node_of<X>>, right = detail::rank_of<detail::node_of<Y>>;
    static_assert(left >= 2 && right >= 2, "cdist only supports at least 2D tensors [errors.md#too-few-axes-here]");
    if constexpr (detail::promotes_to_half<X, Y>) {
      using half = promoted<X, Y>;
      return detail::rounded_to<half>(
          (*this)(detail::argument<float>(static_cast<X&&>(x)), detail::argument<float>(static_cast<Y&&>(y)), p));
    } else
      return of(detail::capture(static_cast<X&&>(x)), detail::capture(static_cast<Y&&>(y)), p);
  }

 private:
  template <class X, class Y, class P>
  static constexpr auto of(const X& rows, const Y& others, P p) {
    constexpr int left = detail::rank_of<X>, right = detail::rank_of<Y>;
    if (rows.shape()[left - 1] != others.shape()[right - 1])
      runtime::throw_row_lengths(rows.shape()[left - 1], others.shape()[right - 1]);
    if constexpr (is_two<P>() && detail::stackable<detail::euclidean_f, X, Y>)
      return detail::defer(detail::euclidean_f{}, rows, others);
    else
      return norm(sub(unsqueeze(rows, boost::hana::integral_constant<index, -2>{}),
                      unsqueeze(others, boost::hana::integral_constant<index, -3>{})),
                  p, axes<-1>);
  }

  template <class P>
  static constexpr bool is_two() {
    if constexpr (detail::constant<P>)
      return P::value == 2;
    else
      return false;
  }
} cdist{};

}  // namespace broadloom
