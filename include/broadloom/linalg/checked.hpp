// Functions that report singular and indefinite matrices instead of throwing: inv_ex, solve_ex, cholesky_ex,
// lu_factor_ex. Each gives LAPACK's info beside its result: 0, or where the factorisation of that matrix failed,
// counted from 1. They compute at once.
#pragma once

#include <broadloom/core/flag.hpp>
#include <broadloom/linalg/solve.hpp>

namespace broadloom {

template <class Inverse, class Info>
struct inv_ex_result {
  Inverse inverse;
  Info info;
};
template <class Result, class Info>
struct solve_ex_result {
  Result result;
  Info info;
};
template <class L, class Info>
struct cholesky_ex_result {
  L l;
  Info info;
};
template <class Lu, class Pivots, class Info>
struct lu_factor_ex_result {
  Lu lu;
  Pivots pivots;
  Info info;
};

namespace detail {

struct inv_ex_f : lapack_function {
  using signature = core<"(n,n)->(n,n),()">;
  template <class T, int At>
  using result = std::conditional_t<At == 1, std::int32_t, T>;
  template <class... T>
  using results = inv_ex_result<T...>;
  static constexpr const char* name() { return "linalg.inv_ex"; }
  static void run(const runtime::stack_call& c) { runtime::run_stacked(runtime::stack_function::inverse_checked, c); }
};
struct solve_ex_f : lapack_function {
  using signature = core<"(n,n),(n,k?)->(n,k?),()">;
  template <class T, int At>
  using result = std::conditional_t<At == 1, std::int32_t, T>;
  template <class... T>
  using results = solve_ex_result<T...>;
  static constexpr const char* name() { return "linalg.solve_ex"; }
  static void run(const runtime::stack_call& c) { runtime::run_stacked(runtime::stack_function::solve_checked, c); }
};
struct cholesky_ex_f : parametric_function<bool> {
  using parametric_function::parametric_function;
  using signature = core<"(n,n)->(n,n),()">;
  template <class T, int At>
  using result = std::conditional_t<At == 1, std::int32_t, T>;
  template <class... T>
  using results = cholesky_ex_result<T...>;
  static constexpr const char* name() { return "linalg.cholesky_ex"; }
  static void run(const runtime::stack_call& c) { runtime::run_stacked(runtime::stack_function::cholesky_checked, c); }
};
struct lu_factor_ex_f : lapack_function {
  using signature = core<"(m,n)->(m,n),(m),()">;
  template <class T, int At>
  using result = std::conditional_t<At == 0, T, std::int32_t>;
  template <class... T>
  using results = lu_factor_ex_result<T...>;
  static constexpr core_extents extents(int output, const index* s) {
    return output == 2 ? core_extents{0, {}} : lu_factor_f::extents(output, s);
  }
  static constexpr const char* name() { return "linalg.lu_factor_ex"; }
  static void run(const runtime::stack_call& c) { runtime::run_stacked(runtime::stack_function::lu_factor_checked, c); }
};

}  // namespace detail

// inv_ex(a): {inverse, info}: (..., n, n) and (...) of i32: the order of the first pivot that is zero, or 0. The
// inverse of a singular matrix is NaN (torch.linalg.inv_ex, which leaves it open).
inline constexpr detail::eager_function<detail::inv_ex_f> inv_ex{};

// solve_ex(a, b): {result, info}: solve's x, NaN where a is singular, and info as inv_ex's (torch.linalg.solve_ex).
inline constexpr detail::eager_function<detail::solve_ex_f> solve_ex{};

// cholesky_ex(a, upper = false): {l, info}: cholesky's factor, NaN where a is not positive definite, and the order of
// the first leading minor that is not positive, or 0 (torch.linalg.cholesky_ex).
inline constexpr struct cholesky_ex_t {
  template <array A, int Native = BROADLOOM_NATIVE>
    requires detail::stackable<detail::cholesky_ex_f, A>
  auto operator()(A&& a, detail::upper_flag upper = false) const {
    return detail::run_now<Native>(detail::cholesky_ex_f(upper), static_cast<A&&>(a));
  }
  template <array A, class Error = detail::stacked_error<detail::cholesky_ex_f, A>>
    requires(!detail::stackable<detail::cholesky_ex_f, A>)
  Error operator()(A&&, bool = false) const = delete;
} cholesky_ex{};

// lu_factor_ex(a): {lu, pivots, info}: lu_factor's, valid for singular matrices too, and info as inv_ex's
// (torch.linalg.lu_factor_ex).
inline constexpr detail::eager_function<detail::lu_factor_ex_f> lu_factor_ex{};

}  // namespace broadloom
