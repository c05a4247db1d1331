// Singular values, and what is measured by them: rank, norm, condition, pseudo-inverse. Stacked over leading axes.
#pragma once

#include <broadloom/linalg/factor.hpp>
#include <broadloom/linalg/small_spectral.hpp>
#include <broadloom/linalg/throw_error.hpp>

namespace broadloom {

namespace runtime {

// A matrix norm: the sum of absolute values of columns (1) or rows (inf), the largest or (negative) smallest of them; a
// singular value (2, -2); frobenius and nuclear.
struct norm_kind {
  enum class kind : unsigned char { number, frobenius, nuclear } what = kind::frobenius;
  double order = 2;
  constexpr bool operator==(const norm_kind&) const = default;
  // The largest or smallest of nothing: no norm.
  constexpr bool is_of_nothing(index rows, index cols) const {
    const bool by_columns = order == 1 || order == -1, by_rows = order > 2 || order < -2;
    return what == kind::number && ((!by_rows && cols == 0) || (!by_columns && rows == 0));
  }
};
// What counts as zero among singular values: below the larger of `absolute` and `relative` times the largest one. A
// negative `relative` stands for epsilon times the larger size (0 where `absolute` is given).
struct tolerance {
  double relative = -1;
  double absolute = 0;
  constexpr bool operator==(const tolerance&) const = default;
};

[[noreturn, gnu::cold, gnu::noinline]] inline void throw_norm_of_other_shape(const norm_kind& k, index rows,
                                                                             index cols) {
  detail::throw_linalg(detail::linalg_error_kind::norm_of_other_shape, {&k, rows, cols});
}
[[noreturn, gnu::cold, gnu::noinline]] inline void throw_norm_of_nothing(const norm_kind& k, index rows, index cols,
                                                                         index axes) {
  detail::throw_linalg(detail::linalg_error_kind::norm_of_nothing, {&k, rows, cols, axes});
}
[[noreturn, gnu::cold, gnu::noinline]] inline void throw_norm_order(const char* function, double order) {
  detail::throw_linalg(detail::linalg_error_kind::norm_order, {function, order});
}

}  // namespace runtime

template <class U, class S, class Vh>
struct svd_result {
  U u;
  S s;
  Vh vh;
};

namespace detail {

struct svdvals_f : lapack_function {
  using signature = core<"(m,n)->(m)">;
  template <class T, int>
  using result = real_of<T>;
  static constexpr core_extents extents(int, const index* s) { return {1, {smaller_size(s[0], s[1])}}; }
  static constexpr const char* name() { return "linalg.svdvals"; }
  static void run(const runtime::stack_call& c) { runtime::run_stacked(runtime::stack_function::singular_values, c); }
};
template <bool Full>
struct svd_f : lapack_function {
  using signature = core<"(m,n)->(m,m),(m),(n,n)">;
  template <class T, int At>
  using result = std::conditional_t<At == 1, real_of<T>, T>;
  static constexpr bool parameters = Full;
  template <class... T>
  using results = svd_result<T...>;
  static constexpr core_extents extents(int output, const index* s) {
    const index k = smaller_size(s[0], s[1]);
    return output == 0   ? core_extents{2, {s[0], Full ? s[0] : k}}
           : output == 1 ? core_extents{1, {k}}
                         : core_extents{2, {Full ? s[1] : k, s[1]}};
  }
  static constexpr const char* name() { return "linalg.svd"; }
  static void run(const runtime::stack_call& c) { runtime::run_stacked(runtime::stack_function::singular_vectors, c); }
};
struct matrix_rank_f : parametric_function<runtime::tolerance> {
  using parametric_function::parametric_function;
  using signature = core<"(m,n)->()">;
  template <class, int>
  using result = std::int64_t;
  static constexpr const char* name() { return "linalg.matrix_rank"; }
  static void run(const runtime::stack_call& c) { runtime::run_stacked(runtime::stack_function::matrix_rank, c); }
};
struct pinv_f : parametric_function<runtime::tolerance> {
  using parametric_function::parametric_function;
  using signature = core<"(m,n)->(n,m)">;
  static constexpr const char* name() { return "linalg.pinv"; }
  static void run(const runtime::stack_call& c) { runtime::run_stacked(runtime::stack_function::pseudo_inverse, c); }
};
struct matrix_norm_f : parametric_function<runtime::norm_kind> {
  using parametric_function::parametric_function;
  template <class T, int>
  using result = real_of<T>;
  using signature = core<"(m,n)->()">;
  static constexpr const char* name() { return "linalg.matrix_norm"; }
  constexpr void check_shapes(const core_binding& b) const {
    if (parameters.is_of_nothing(b.sizes[0], b.sizes[1]))
      runtime::throw_norm_of_nothing(parameters, b.sizes[0], b.sizes[1], b.loop_rank);
  }
  static void run(const runtime::stack_call& c) { runtime::run_stacked(runtime::stack_function::matrix_norm, c); }
};
struct cond_f : parametric_function<runtime::norm_kind> {
  using parametric_function::parametric_function;
  template <class T, int>
  using result = real_of<T>;
  using signature = core<"(m,n)->()">;
  static constexpr const char* name() { return "linalg.cond"; }
  constexpr void check_shapes(const core_binding& b) const {
    const bool two =
        parameters.what == runtime::norm_kind::kind::number && (parameters.order == 2 || parameters.order == -2);
    if (!two && b.sizes[0] != b.sizes[1]) runtime::throw_norm_of_other_shape(parameters, b.sizes[0], b.sizes[1]);
  }
  static void run(const runtime::stack_call& c) { runtime::run_stacked(runtime::stack_function::condition, c); }
};

// f(a, relative = -1, absolute = 0)
template <class F>
struct tolerance_object {
  template <array A>
    requires stackable<F, A>
  constexpr auto operator()(A&& a, double relative = -1, double absolute = 0) const {
    return defer(F(runtime::tolerance{relative, absolute}), static_cast<A&&>(a));
  }
  template <array A, class Error = stacked_error<F, A>>
    requires(!stackable<F, A>)
  Error operator()(A&&, double = -1, double = 0) const = delete;
};
// f(a), f(a, order), f(a, frobenius), f(a, nuclear)
template <class F, runtime::norm_kind Default>
struct norm_object {
  template <array A>
    requires stackable<F, A>
  constexpr auto operator()(A&& a, runtime::norm_kind k = Default) const {
    return defer(F(k), static_cast<A&&>(a));
  }
  template <array A>
    requires stackable<F, A>
  constexpr auto operator()(A&& a, double order) const {
    const double x = order < 0 ? -order : order;
    if (!(x == 1 || x == 2 || x > 1e308)) runtime::throw_norm_order(F::name(), order);
    return defer(F(runtime::norm_kind{runtime::norm_kind::kind::number, order}), static_cast<A&&>(a));
  }
  template <array A, class P = int, class Error = stacked_error<F, A>>
    requires(!stackable<F, A>)
  Error operator()(A&&, P = {}) const = delete;
};

}  // namespace detail

// The norms that are not numbers.
inline constexpr runtime::norm_kind frobenius{runtime::norm_kind::kind::frobenius, 2};
inline constexpr runtime::norm_kind nuclear{runtime::norm_kind::kind::nuclear, 2};

// svdvals(a): the singular values, (..., min(m, n)), in descending order (torch.linalg.svdvals).
inline constexpr detail::stacked_function<detail::svdvals_f> svdvals{};

// svd(a): {u, s, vh} with u (..., m, m), s (..., min(m, n)) in descending order and vh (..., n, n); svd(a, reduced): u
// and vh with min(m, n) columns and rows (torch.linalg.svd). Throws linalg_error where elements are not finite.
// Computed at once.
inline constexpr struct svd_t {
  template <array A, int Native = BROADLOOM_NATIVE>
    requires detail::stackable<detail::svd_f<true>, A>
  constexpr auto operator()(A&& a, complete_t = {}) const {
    return decomposed<true, Native>(static_cast<A&&>(a));
  }
  template <array A, int Native = BROADLOOM_NATIVE>
    requires detail::stackable<detail::svd_f<false>, A>
  constexpr auto operator()(A&& a, reduced_t) const {
    return decomposed<false, Native>(static_cast<A&&>(a));
  }
  template <array A, class Error = detail::stacked_error<detail::svd_f<true>, A>>
    requires(!detail::stackable<detail::svd_f<true>, A>)
  Error operator()(A&&) const = delete;

 private:
  template <bool Full, int Native, class A>
  static constexpr auto decomposed(A&& a) {
    using namespace detail;
    using T = compute_type<svd_f<Full>, A>;
    if constexpr (is_small_spectral<std::remove_cvref_t<decltype(argument<T>(static_cast<A&&>(a)))>>) {
      constexpr index n = shape_of<node_of<A>>::static_extents[0];
      svd_result<tensor<T, shape<n, n>>, tensor<T, shape<n>>, tensor<T, shape<n, n>>> r;
      const auto x = argument<T>(static_cast<A&&>(a));
      if (!singular_small(small_matrix_of<Native>(x), r.u.data(), r.s.data(), r.vh.data()))
        r = run_nodes<Native>(make_sequence<3>{}, svd_f<Full>{}, x);
      return r;
    } else
      return run_now<Native>(svd_f<Full>{}, static_cast<A&&>(a));
  }
} svd{};

// matrix_rank(a, relative = -1, absolute = 0): how many singular values are above max(absolute, relative * the largest
// one), as i64; unless given, relative is epsilon * max(m, n) (torch.linalg.matrix_rank).
inline constexpr detail::tolerance_object<detail::matrix_rank_f> matrix_rank{};

// pinv(a, relative = -1, absolute = 0): the pseudo-inverse, (..., n, m), where singular values up to that tolerance are
// taken for 0 (torch.linalg.pinv).
inline constexpr detail::tolerance_object<detail::pinv_f> pinv{};

// matrix_norm(a), matrix_norm(a, p): the norm of each matrix; p is frobenius (unless given), nuclear, or the number 1,
// -1, 2, -2, inf or -inf. Throws shape_error for another number, and for a number where a matrix has no columns (1,
// -1), rows (inf, -inf) or elements (2, -2) (torch.linalg.matrix_norm).
inline constexpr detail::norm_object<detail::matrix_norm_f, frobenius> matrix_norm{};

// cond(a), cond(a, p): the condition number in that norm: of the largest to the smallest singular value unless p is
// given; inf of a singular matrix. A p other than 2 and -2 wants square matrices and throws shape_error for others
// (torch.linalg.cond).
inline constexpr detail::norm_object<detail::cond_f, runtime::norm_kind{runtime::norm_kind::kind::number, 2}> cond{};

}  // namespace broadloom
