// Decompositions beside lu, qr and eigh: pivoted_qr, full_pivot_lu, ldl_factor and ldl_solve, eigh_subset; lstsq
// with all that it finds; and systems of banded matrices: solve_banded. Stacked over leading axes.
#pragma once

#include <broadloom/core/flag.hpp>
#include <broadloom/linalg/solve.hpp>
#include <broadloom/linalg/spectral.hpp>
#include <broadloom/linalg/throw_error.hpp>

namespace broadloom {

namespace runtime {

struct subset {
  index first = 0, count = 0;
  bool upper = false;
  constexpr bool operator==(const subset&) const = default;
};
struct bands {
  index lower = 0, upper = 0;
  constexpr bool operator==(const bands&) const = default;
};

[[noreturn, gnu::cold, gnu::noinline]] inline void throw_subset(index first, index count, index n) {
  detail::throw_linalg(detail::linalg_error_kind::subset, {first, count, n});
}
[[noreturn, gnu::cold, gnu::noinline]] inline void throw_bands(index rows, index lower, index upper) {
  detail::throw_linalg(detail::linalg_error_kind::bands, {rows, lower, upper});
}

}  // namespace runtime

template <class Q, class R, class Order>
struct pivoted_qr_result {
  Q q;
  R r;
  Order order;
};
template <class Lu, class Rows, class Columns, class Rank>
struct full_pivot_lu_result {
  Lu lu;
  Rows rows;
  Columns columns;
  Rank rank;
};
template <class Ld, class Pivots>
struct ldl_factor_result {
  Ld ld;
  Pivots pivots;
};
template <class Solution, class Residuals, class Rank, class Values>
struct lstsq_full_result {
  Solution solution;
  Residuals residuals;
  Rank rank;
  Values singular_values;
};

namespace detail {

template <bool Complete>
struct pivoted_qr_f : lapack_function {
  using signature = core<"(m,n)->(m,m),(m,n),(n)">;
  static constexpr bool parameters = Complete;
  template <class T, int At>
  using result = std::conditional_t<At == 2, index, T>;
  template <class... T>
  using results = pivoted_qr_result<T...>;
  static constexpr core_extents extents(int output, const index* s) {
    const index k = Complete ? s[0] : smaller_size(s[0], s[1]);
    return output == 0   ? core_extents{2, {s[0], k}}
           : output == 1 ? core_extents{2, {k, s[1]}}
                         : core_extents{1, {s[1]}};
  }
  static constexpr const char* name() { return "pivoted_qr"; }
  static void run(const runtime::stack_call& c) { runtime::run_stacked(runtime::stack_function::pivoted_qr, c); }
};
struct full_pivot_lu_f : lapack_function {
  using signature = core<"(m,n)->(m,n),(m),(n),()">;
  template <class T, int At>
  using result = std::conditional_t<At == 0, T, index>;
  template <class... T>
  using results = full_pivot_lu_result<T...>;
  static constexpr const char* name() { return "full_pivot_lu"; }
  static void run(const runtime::stack_call& c) { runtime::run_stacked(runtime::stack_function::full_pivot_lu, c); }
};
struct ldl_factor_f : parametric_function<bool> {
  using parametric_function::parametric_function;
  using signature = core<"(n,n)->(n,n),(n)">;
  template <class T, int At>
  using result = std::conditional_t<At == 1, std::int32_t, T>;
  template <class... T>
  using results = ldl_factor_result<T...>;
  static constexpr const char* name() { return "linalg.ldl_factor"; }
  static void run(const runtime::stack_call& c) { runtime::run_stacked(runtime::stack_function::ldl_factor, c); }
};
struct ldl_solve_f : parametric_function<bool> {
  using parametric_function::parametric_function;
  using signature = core<"(n,n),(n),(n,k)->(n,k)">;
  static constexpr const char* name() { return "linalg.ldl_solve"; }
  static void run(const runtime::stack_call& c) { runtime::run_stacked(runtime::stack_function::ldl_solve, c); }
};
// The results have as many columns as are asked for, which the signature does not know.
struct eigh_subset_f : parametric_function<runtime::subset> {
  using parametric_function::parametric_function;
  using signature = core<"(n,n)->(n),(n,n)">;
  static constexpr const char* name() { return "eigh_subset"; }
  static void run(const runtime::stack_call& c) { runtime::run_stacked(runtime::stack_function::symmetric_subset, c); }
};
struct lstsq_full_f : parametric_function<double> {
  using parametric_function::parametric_function;
  using signature = core<"(m,n),(m,k)->(n,k),(k),(),(n)">;
  template <class T, int At>
  using result = std::conditional_t<At == 0, T, std::conditional_t<At == 2, index, real_of<T>>>;
  template <class... T>
  using results = lstsq_full_result<T...>;
  static constexpr core_extents extents(int output, const index* s) {
    return output == 0   ? core_extents{2, {s[1], s[2]}}
           : output == 1 ? core_extents{1, {s[2]}}
           : output == 2 ? core_extents{0, {}}
                         : core_extents{1, {smaller_size(s[0], s[1])}};
  }
  static constexpr const char* name() { return "linalg.lstsq"; }
  static void run(const runtime::stack_call& c) {
    runtime::run_stacked(runtime::stack_function::least_squares_full, c);
  }
};
struct solve_banded_f : parametric_function<runtime::bands> {
  using parametric_function::parametric_function;
  using signature = core<"(r,n),(n,k?)->(n,k?)">;
  static constexpr const char* name() { return "solve_banded"; }
  constexpr void check_shapes(const core_binding& b) const {
    if (parameters.lower < 0 || parameters.upper < 0 || b.sizes[0] != parameters.lower + parameters.upper + 1)
      runtime::throw_bands(b.sizes[0], parameters.lower, parameters.upper);
  }
  static void run(const runtime::stack_call& c) { runtime::run_stacked(runtime::stack_function::solve_banded, c); }
};

// The last extent replaced, the last axis but one kept or taken away.
template <bool Vectors, int R>
constexpr auto subset_extents(const indices<R>& x, index count) {
  indices<Vectors ? R : R - 1> r{};
  for (int a = 0; a < R - 2; ++a) r[a] = x[a];
  if constexpr (Vectors) r[R - 2] = x[R - 2];
  r[(Vectors ? R : R - 1) - 1] = count;
  return r;
}

}  // namespace detail

// pivoted_qr(a), pivoted_qr(a, reduced): {q, r, order} with q r = a[:, order], the diagonal of r descending in
// magnitude: q (..., m, k), r (..., k, n) with k the smaller size, order (..., n) of i64 from 0; pivoted_qr(a,
// complete): q (..., m, m) (SciPy's qr with pivoting, Eigen's ColPivHouseholderQR). Computed at once.
inline constexpr struct pivoted_qr_t {
  template <array A, int Native = BROADLOOM_NATIVE>
    requires detail::stackable<detail::pivoted_qr_f<false>, A>
  auto operator()(A&& a, reduced_t = {}) const {
    return detail::run_now<Native>(detail::pivoted_qr_f<false>{}, static_cast<A&&>(a));
  }
  template <array A, int Native = BROADLOOM_NATIVE>
    requires detail::stackable<detail::pivoted_qr_f<true>, A>
  auto operator()(A&& a, complete_t) const {
    return detail::run_now<Native>(detail::pivoted_qr_f<true>{}, static_cast<A&&>(a));
  }
  template <array A, class Error = detail::stacked_error<detail::pivoted_qr_f<false>, A>>
    requires(!detail::stackable<detail::pivoted_qr_f<false>, A>)
  Error operator()(A&&) const = delete;
} pivoted_qr{};

// full_pivot_lu(a): {lu, rows, columns, rank} with l u = a[rows, :][:, columns], l below the diagonal of lu, its ones
// left out, and u; each pivot is the element of largest magnitude that is left, and rank counts those above epsilon *
// the smaller size * the first one (Eigen's FullPivLU). Any matrix; rows and columns are of i64 from 0. Computed at
// once.
inline constexpr detail::eager_function<detail::full_pivot_lu_f> full_pivot_lu{};

// ldl_factor(a, hermitian = false): {ld, pivots} of symmetric matrices, of which the lower triangles are read, as
// LAPACK's sytrf gives them: l below the diagonal and d, of blocks 1 x 1 and 2 x 2, on it; hermitian: of Hermitian ones
// (hetrf). ldl_solve(ld, pivots, b, hermitian = false): x with a x = b, lazy; stacks broadcast (torch.linalg.ldl_factor
// and ldl_solve).
inline constexpr struct ldl_factor_t {
  template <array A, int Native = BROADLOOM_NATIVE>
    requires detail::stackable<detail::ldl_factor_f, A>
  auto operator()(A&& a, detail::plain_flag hermitian = false) const {
    return detail::run_now<Native>(detail::ldl_factor_f(hermitian), static_cast<A&&>(a));
  }
  template <array A, class Error = detail::stacked_error<detail::ldl_factor_f, A>>
    requires(!detail::stackable<detail::ldl_factor_f, A>)
  Error operator()(A&&, bool = false) const = delete;
} ldl_factor{};
inline constexpr struct ldl_solve_t {
  template <array L, array P, array B>
    requires detail::stackable<detail::ldl_solve_f, L, P, B>
  constexpr auto operator()(L&& ld, P&& pivots, B&& b, detail::plain_flag hermitian = false) const {
    return detail::defer(detail::ldl_solve_f(hermitian), static_cast<L&&>(ld), static_cast<P&&>(pivots),
                         static_cast<B&&>(b));
  }
  template <array L, array P, array B, class Error = detail::stacked_error<detail::ldl_solve_f, L, P, B>>
    requires(!detail::stackable<detail::ldl_solve_f, L, P, B>)
  Error operator()(L&&, P&&, B&&, bool = false) const = delete;
} ldl_solve{};

// eigh_subset(a, first, count, upper = false): {values, vectors} of the symmetric matrices that this triangle of a
// gives: `count` eigenvalues from number `first` on in ascending order, (..., count), and a vector for each, (..., n,
// count). A constant count (3_c) is a static extent. Throws shape_error for numbers that are none of theirs, and
// linalg_error where elements are not finite (SciPy's eigh with subset_by_index). Computed at once.
inline constexpr struct eigh_subset_t {
  template <array A, detail::integer_like N, int Native = BROADLOOM_NATIVE>
    requires detail::stackable<detail::eigh_subset_f, A>
  auto operator()(A&& a, index first, N count, detail::upper_flag upper = false) const {
    using T = detail::compute_type<detail::eigh_subset_f, A>;
    const auto e = detail::argument<T>(static_cast<A&&>(a));
    using own = detail::shape_of<std::remove_const_t<decltype(e)>>;
    const auto binding = detail::checked_binding<detail::eigh_subset_f>(e.shape());
    const index k = static_cast<index>(count), n = binding.sizes[0];
    if (first < 0 || k < 0 || first > n - k) runtime::throw_subset(first, k, n);
    constexpr index known = detail::extent_of<N>();
    using values_shape = detail::shape_from<detail::subset_extents<false>(own::static_extents, known)>;
    using vectors_shape = detail::shape_from<detail::subset_extents<true>(own::static_extents, known)>;
    using values = detail::deduced_tensor<detail::real_of<T>, values_shape>;
    using vectors = detail::deduced_tensor<T, vectors_shape>;
    eigh_result<values, vectors> r{
        values::uninitialised(values_shape::unchecked(detail::subset_extents<false>(e.shape().extents(), k))),
        vectors::uninitialised(vectors_shape::unchecked(detail::subset_extents<true>(e.shape().extents(), k)))};
    void* const places[] = {r.values.data(), r.vectors.data()};
    detail::run_stacked<Native>(detail::eigh_subset_f(runtime::subset{first, k, upper}), places, runtime::options{}, e);
    return r;
  }
  template <array A, detail::integer_like N, class Error = detail::stacked_error<detail::eigh_subset_f, A>>
    requires(!detail::stackable<detail::eigh_subset_f, A>)
  Error operator()(A&&, index, N, bool = false) const = delete;
} eigh_subset{};

// lstsq_full(a, b, relative = -1): {solution, residuals, rank, singular_values}: lstsq's x of (..., m, n) and (..., m,
// k), the squares |b - a x|^2 of each column (..., k), how many singular values are above relative * the largest one
// (...), and these (..., min(m, n)), descending; unless given, relative is epsilon * max(m, n) (numpy.linalg.lstsq,
// torch.linalg.lstsq). Throws linalg_error where elements are not finite. Computed at once.
inline constexpr struct lstsq_full_t {
  template <array A, array B, int Native = BROADLOOM_NATIVE>
    requires detail::stackable<detail::lstsq_full_f, A, B>
  auto operator()(A&& a, B&& b, double relative = -1) const {
    return detail::run_now<Native>(detail::lstsq_full_f(relative), static_cast<A&&>(a), static_cast<B&&>(b));
  }
  template <array A, array B, class Error = detail::stacked_error<detail::lstsq_full_f, A, B>>
    requires(!detail::stackable<detail::lstsq_full_f, A, B>)
  Error operator()(A&&, B&&, double = -1) const = delete;
} lstsq_full{};

// solve_banded(bands, b, lower, upper): x with a x = b, where bands (..., lower + upper + 1, n) has the diagonals of a
// as rows, the uppermost first: bands[upper + i - j, j] = a[i, j]. b is (..., n, k), or a vector if it has one axis;
// lazy, stacks broadcast. Throws shape_error for another number of rows, linalg_error naming the first singular matrix
// (SciPy's solve_banded).
inline constexpr struct solve_banded_t {
  template <array A, array B>
    requires detail::stackable<detail::solve_banded_f, A, B>
  constexpr auto operator()(A&& bands, B&& b, index lower, index upper) const {
    return detail::defer(detail::solve_banded_f(runtime::bands{lower, upper}), static_cast<A&&>(bands),
                         static_cast<B&&>(b));
  }
  template <array A, array B, class Error = detail::stacked_error<detail::solve_banded_f, A, B>>
    requires(!detail::stackable<detail::solve_banded_f, A, B>)
  Error operator()(A&&, B&&, index, index) const = delete;
} solve_banded{};

}  // namespace broadloom
