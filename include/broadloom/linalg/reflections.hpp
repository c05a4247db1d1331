// Householder reflections: qr geqrf orgqr/householder_product.
#pragma once

#include <broadloom/linalg/factor.hpp>
#include <broadloom/linalg/throw_error.hpp>

namespace broadloom {

namespace runtime {

[[noreturn, gnu::cold, gnu::noinline]] inline void throw_reflections(const char* function, index rows, index cols,
                                                                     index count) {
  detail::throw_linalg(detail::linalg_error_kind::reflections, {function, rows, cols, count});
}

}  // namespace runtime

template <class A, class Tau>
struct geqrf_result {
  A a;
  Tau tau;
};
template <class Q, class R>
struct qr_result {
  Q q;
  R r;
};

namespace detail {

struct geqrf_f : lapack_function {
  using signature = core<"(m,n)->(m,n),(m)">;
  template <class... T>
  using results = geqrf_result<T...>;
  static constexpr core_extents extents(int output, const index* s) { return lu_factor_f::extents(output, s); }
  static constexpr const char* name() { return "geqrf"; }
  static void run(const runtime::stack_call& c) { runtime::run_stacked(runtime::stack_function::geqrf, c); }
};
template <bool Complete>
struct qr_f : lapack_function {
  using signature = core<"(m,n)->(m,m),(m,n)">;
  static constexpr bool parameters = Complete;
  template <class... T>
  using results = qr_result<T...>;
  static constexpr core_extents extents(int output, const index* s) {
    const index k = Complete ? s[0] : smaller_size(s[0], s[1]);
    return output == 0 ? core_extents{2, {s[0], k}} : core_extents{2, {k, s[1]}};
  }
  static constexpr const char* name() { return "linalg.qr"; }
  static void run(const runtime::stack_call& c) { runtime::run_stacked(runtime::stack_function::qr, c); }
};
struct orgqr_f : lapack_function {
  using signature = core<"(m,n),(k)->(m,n)">;
  static constexpr const char* name() { return "linalg.householder_product"; }
  static constexpr void check_shapes(const core_binding& b) {
    if (b.sizes[2] > b.sizes[1] || b.sizes[1] > b.sizes[0])
      runtime::throw_reflections(name(), b.sizes[0], b.sizes[1], b.sizes[2]);
  }
  static void run(const runtime::stack_call& c) { runtime::run_stacked(runtime::stack_function::orgqr, c); }
};

}  // namespace detail

// geqrf(a): {a, tau} of (..., m, n): r in the upper triangle, below it the vectors v of the Householder reflections
// 1 - tau v v', their first element 1 left out (LAPACK's geqrf). Computed at once.
inline constexpr detail::eager_function<detail::geqrf_f> geqrf{};

// qr(a), qr(a, reduced): {q, r} with q (..., m, k) and r (..., k, n), k the smaller size; qr(a, complete): q (..., m,
// m) and r (..., m, n) (torch.linalg.qr). Signs are LAPACK's. Computed at once.
inline constexpr struct qr_t {
  template <array A, int Native = BROADLOOM_NATIVE>
    requires detail::stackable<detail::qr_f<false>, A>
  auto operator()(A&& a, reduced_t = {}) const {
    return detail::run_now<Native>(detail::qr_f<false>{}, static_cast<A&&>(a));
  }
  template <array A, int Native = BROADLOOM_NATIVE>
    requires detail::stackable<detail::qr_f<true>, A>
  auto operator()(A&& a, complete_t) const {
    return detail::run_now<Native>(detail::qr_f<true>{}, static_cast<A&&>(a));
  }
  template <array A, class Error = detail::stacked_error<detail::qr_f<false>, A>>
    requires(!detail::stackable<detail::qr_f<false>, A>)
  Error operator()(A&&) const = delete;
} qr{};

// householder_product(a, tau): the first n columns of the product of the reflections that geqrf gives, (..., m, n) and
// (..., k) with k <= n <= m. Throws shape_error otherwise (torch.linalg.householder_product). `orgqr` is the old name.
inline constexpr detail::stacked_function<detail::orgqr_f> householder_product{};
inline constexpr detail::stacked_function<detail::orgqr_f> orgqr{};

}  // namespace broadloom
