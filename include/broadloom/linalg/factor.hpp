// What is computed from one matrix, stacked over leading axes: inverses, determinants, factorisations. Those with one
// result are lazy; those with several compute at once and return a struct for `auto [q, r] = qr(a)`.
#pragma once

#include <broadloom/core/flag.hpp>
#include <broadloom/linalg/eager.hpp>
#include <broadloom/linalg/straight_square.hpp>
#include <broadloom/linalg/throw_error.hpp>

namespace broadloom {

namespace runtime {

// Parameters of pivoted Cholesky. A tolerance below 0 stands for n * epsilon * the largest diagonal element.
struct pivoting {
  bool upper = true;
  double tolerance = -1;
  constexpr bool operator==(const pivoting&) const = default;
};

[[noreturn, gnu::cold, gnu::noinline]] inline void throw_negative_power(std::int64_t n) {
  detail::throw_linalg(detail::linalg_error_kind::negative_power, {n});
}

}  // namespace runtime

template <class Sign, class Log>
struct slogdet_result {
  Sign sign;
  Log logabsdet;
};
template <class Lu, class Pivots>
struct lu_factor_result {
  Lu lu;
  Pivots pivots;
};
template <class P, class L, class U>
struct lu_result {
  P p;
  L l;
  U u;
};
template <class Factor, class Pivots, class Rank>
struct pstrf_result {
  Factor factor;
  Pivots pivots;
  Rank rank;
};
namespace detail {

constexpr index smaller_size(index a, index b) {
  return a == 0 || b == 0 ? 0 : is_dyn(a) || is_dyn(b) ? dyn : a < b ? a : b;
}

struct lapack_function : core_function {
  using rule = rule_core_floats;
};
template <class P>
struct parametric_function : lapack_function {
  P parameters{};
  constexpr parametric_function() = default;
  constexpr explicit parametric_function(P p) : parameters(p) {}
  constexpr bool operator==(const parametric_function&) const = default;
};
// The function object of an F of one array with a parameter after it.
template <class F, class P, P Default>
struct parametric_object {
  template <array A>
    requires stackable<F, A>
  constexpr auto operator()(A&& a, std::conditional_t<__is_same(P, bool), upper_flag, P> p = Default) const {
    return defer(F(static_cast<P>(p)), static_cast<A&&>(a));
  }
  template <array A, class Error = stacked_error<F, A>>
    requires(!stackable<F, A>)
  Error operator()(A&&, P = Default) const = delete;
};

struct inv_f : lapack_function {
  using signature = core<"(n,n)->(n,n)">;
  static constexpr const char* name() { return "linalg.inv"; }
  static void run(const runtime::stack_call& c) { runtime::run_stacked(runtime::stack_function::inverse, c); }
  template <class A, int R>
    requires has_small_matrices<A>
  static constexpr auto constant(const indices<R>& at, const A& a) {
    return constant_inverse(matrix_at(at, R - 2, a), at[R - 2], at[R - 1]);
  }
  static constexpr bool writes_at_last = true;
  template <class A>
  static constexpr bool is_straight = is_small_square<A, 4>;
  template <int Native, class T, class A>
  BROADLOOM_INLINE static bool straight(T* to, const runtime::options& how, const A& a) {
    return straight_square<Native, A>(a, how).inverse(to);
  }
};
struct det_f : lapack_function {
  using signature = core<"(n,n)->()">;
  static constexpr const char* name() { return "linalg.det"; }
  static void run(const runtime::stack_call& c) { runtime::run_stacked(runtime::stack_function::determinant, c); }
  template <class A, int R>
    requires has_small_matrices<A>
  static constexpr auto constant(const indices<R>& at, const A& a) {
    return constant_determinant(matrix_at(at, R, a));
  }
  template <class A>
  static constexpr bool is_straight = is_small_square<A, 4>;
  template <int Native, class T, class A>
  BROADLOOM_INLINE static bool straight(T* to, const runtime::options& how, const A& a) {
    return straight_square<Native, A>(a, how).determinant(*to);
  }
};
struct slogdet_f : lapack_function {
  using signature = core<"(n,n)->(),()">;
  template <class T, int At>
  using result = std::conditional_t<At == 1, real_of<T>, T>;
  template <class... T>
  using results = slogdet_result<T...>;
  static constexpr const char* name() { return "linalg.slogdet"; }
  static void run(const runtime::stack_call& c) { runtime::run_stacked(runtime::stack_function::log_determinant, c); }
};
struct lu_factor_f : lapack_function {
  using signature = core<"(m,n)->(m,n),(m)">;
  template <class T, int At>
  using result = std::conditional_t<At == 1, std::int32_t, T>;
  template <class... T>
  using results = lu_factor_result<T...>;
  static constexpr core_extents extents(int output, const index* s) {
    return output == 0 ? core_extents{2, {s[0], s[1]}} : core_extents{1, {smaller_size(s[0], s[1])}};
  }
  static constexpr const char* name() { return "linalg.lu_factor"; }
  static void run(const runtime::stack_call& c) { runtime::run_stacked(runtime::stack_function::lu_factor, c); }
};
struct lu_f : lapack_function {
  using signature = core<"(m,n)->(m,m),(m,n),(m,n)">;
  template <class... T>
  using results = lu_result<T...>;
  static constexpr core_extents extents(int output, const index* s) {
    const index k = smaller_size(s[0], s[1]);
    return output == 0   ? core_extents{2, {s[0], s[0]}}
           : output == 1 ? core_extents{2, {s[0], k}}
                         : core_extents{2, {k, s[1]}};
  }
  static constexpr const char* name() { return "linalg.lu"; }
  static void run(const runtime::stack_call& c) { runtime::run_stacked(runtime::stack_function::lu, c); }
};
struct matrix_power_f : parametric_function<std::int64_t> {
  using parametric_function::parametric_function;
  using signature = core<"(n,n)->(n,n)">;
  static constexpr const char* name() { return "linalg.matrix_power"; }
  static void run(const runtime::stack_call& c) {
    runtime::stack_call as = c;
    as.function = "linalg.inv";  // all that can go wrong
    runtime::run_stacked(runtime::stack_function::matrix_power, as);
  }
};
struct rule_core_whole : rule_whole {};
struct matrix_power_of_integers_f : core_function {
  using rule = rule_core_whole;
  using signature = core<"(n,n)->(n,n)">;
  std::int64_t parameters = 0;
  constexpr matrix_power_of_integers_f() = default;
  constexpr explicit matrix_power_of_integers_f(std::int64_t n) : parameters(n) {}
  constexpr bool operator==(const matrix_power_of_integers_f&) const = default;
  static constexpr const char* name() { return "linalg.matrix_power"; }
  static void run(const runtime::stack_call& c) {
    runtime::run_stacked(runtime::stack_function::matrix_power_of_integers, c);
  }
};
struct matrix_exp_f : lapack_function {
  using signature = core<"(n,n)->(n,n)">;
  static constexpr const char* name() { return "linalg.matrix_exp"; }
  static void run(const runtime::stack_call& c) {
    runtime::run_stacked(runtime::stack_function::matrix_exponential, c);
  }
};
struct cholesky_f : parametric_function<bool> {
  using parametric_function::parametric_function;
  using signature = core<"(n,n)->(n,n)">;
  static constexpr const char* name() { return "linalg.cholesky"; }
  static void run(const runtime::stack_call& c) { runtime::run_stacked(runtime::stack_function::cholesky, c); }
  template <class A>
  static constexpr bool is_straight = is_small_square<A, max_constant_size>;
  template <int Native, class T, class A>
  BROADLOOM_INLINE bool straight(T* to, const runtime::options& how, const A& a) const {
    const auto m = straight_matrix<Native>(a, how);
    return factor_small(m, parameters, to);
  }
  template <class A, int R>
    requires has_small_matrices<A>
  constexpr auto constant(const indices<R>& at, const A& a) const {
    constexpr int n = static_cast<int>(shape_of<A>::static_extents[rank_of<A> - 1]);
    value_of<A> r[n * n] = {};
    if (!factor_small(matrix_at(at, R - 2, a), parameters, r))
      throw_linalg_error("linalg.cholesky: the input is not positive-definite.");
    return r[at[R - 2] * n + at[R - 1]];
  }
};
struct cholesky_inverse_f : parametric_function<bool> {
  using parametric_function::parametric_function;
  using signature = core<"(n,n)->(n,n)">;
  static constexpr const char* name() { return "cholesky_inverse"; }
  static void run(const runtime::stack_call& c) { runtime::run_stacked(runtime::stack_function::cholesky_inverse, c); }
};
struct pstrf_f : parametric_function<runtime::pivoting> {
  using parametric_function::parametric_function;
  using signature = core<"(n,n)->(n,n),(n),()">;
  template <class T, int At>
  using result = std::conditional_t<At == 0, T, std::int32_t>;
  template <class... T>
  using results = pstrf_result<T...>;
  static constexpr const char* name() { return "pstrf"; }
  static void run(const runtime::stack_call& c) { runtime::run_stacked(runtime::stack_function::pstrf, c); }
};

}  // namespace detail

// All of a factor, or the part that is needed: qr(a, complete), svd(a, reduced).
inline constexpr struct complete_t {
} complete{};
inline constexpr struct reduced_t {
} reduced{};

// inv(a): (..., n, n) gives the inverses. Throws linalg_error naming the first singular matrix (torch.linalg.inv; NaN
// gives NaN). `inverse` is the old name.
inline constexpr detail::stacked_function<detail::inv_f> inv{};
inline constexpr detail::stacked_function<detail::inv_f> inverse{};

// det(a): (..., n, n) gives (...); 1 of an empty matrix (torch.linalg.det).
inline constexpr detail::stacked_function<detail::det_f> det{};

// slogdet(a): {sign, logabsdet}, each (...); {0, -inf} of a singular matrix (torch.linalg.slogdet). Computed at once.
inline constexpr detail::eager_function<detail::slogdet_f> slogdet{};

// lu_factor(a): {lu, pivots} of (..., m, n): l below the diagonal of lu, its ones left out, and u; row i was swapped
// with row pivots[i] - 1, as LAPACK counts. Throws linalg_error where u has a zero on its diagonal
// (torch.linalg.lu_factor). Computed at once. `btrifact` is the old name.
inline constexpr detail::eager_function<detail::lu_factor_f> lu_factor{};
inline constexpr detail::eager_function<detail::lu_factor_f> btrifact{};

// lu(a): {p, l, u} with p l u = a, of any matrix (torch.linalg.lu). Computed at once.
inline constexpr detail::eager_function<detail::lu_f> lu{};

// matrix_power(a, n): a multiplied n times; the inverse is, where n < 0. Throws linalg_error where that does not exist.
// Integers wrap; a negative power of them throws linalg_error (torch.linalg.matrix_power).
inline constexpr struct matrix_power_t {
  template <array A>
    requires detail::stackable<detail::matrix_power_f, A>
  constexpr auto operator()(A&& a, std::int64_t n) const {
    return detail::defer(detail::matrix_power_f(n), static_cast<A&&>(a));
  }
  template <array A>
    requires detail::stackable<detail::matrix_power_of_integers_f, A>
  constexpr auto operator()(A&& a, std::int64_t n) const {
    if (n < 0) runtime::throw_negative_power(n);
    return detail::defer(detail::matrix_power_of_integers_f(n), static_cast<A&&>(a));
  }
  template <array A, class Error = detail::stacked_error<detail::matrix_power_f, A>>
    requires(!detail::stackable<detail::matrix_power_f, A> && !detail::stackable<detail::matrix_power_of_integers_f, A>)
  Error operator()(A&&, std::int64_t) const = delete;
} matrix_power{};

// matrix_exp(a): the exponential (torch.linalg.matrix_exp); NaN where an element is not finite.
inline constexpr detail::stacked_function<detail::matrix_exp_f> matrix_exp{};

// cholesky(a, upper = false): l with l l' = a, or u with u' u = a; only that triangle of a is read. Throws linalg_error
// where a is not positive definite (torch.linalg.cholesky). `potrf` is the old name, whose `upper` is true unless said
// otherwise.
inline constexpr detail::parametric_object<detail::cholesky_f, bool, false> cholesky{};
inline constexpr detail::parametric_object<detail::cholesky_f, bool, true> potrf{};

// cholesky_inverse(l, upper = false): the inverse of the matrix that has this Cholesky factor. Throws linalg_error
// where the factor has a zero on its diagonal. `potri` is the old name, whose `upper` is true unless said otherwise.
inline constexpr detail::parametric_object<detail::cholesky_inverse_f, bool, false> cholesky_inverse{};
inline constexpr detail::parametric_object<detail::cholesky_inverse_f, bool, true> potri{};

// pstrf(a, upper = true, tolerance = -1): {factor, pivots, rank} of a positive semidefinite a: with p the order of rows
// in pivots (from 0), u' u = a[p, p] for u the factor, l l' = a[p, p] for the lower one. The factor is 0 beyond the
// rank, where the diagonal fell to the tolerance (LAPACK's pstrf; below 0: n * epsilon * the largest diagonal element).
// Computed at once.
inline constexpr struct pstrf_t {
  template <array A, int Native = BROADLOOM_NATIVE>
    requires detail::stackable<detail::pstrf_f, A>
  auto operator()(A&& a, detail::upper_flag upper = true, double tolerance = -1) const {
    return detail::run_now<Native>(detail::pstrf_f(runtime::pivoting{upper, tolerance}), static_cast<A&&>(a));
  }
  template <array A, class Error = detail::stacked_error<detail::pstrf_f, A>>
    requires(!detail::stackable<detail::pstrf_f, A>)
  Error operator()(A&&, bool = true, double = -1) const = delete;
} pstrf{};

}  // namespace broadloom
