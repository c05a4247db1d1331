// Systems of equations, stacks broadcasting against each other: solve solve_vec gesv gesv1 solve_triangular lstsq/gels,
// and solutions from factors: lu_solve/btrisolve cholesky_solve/potrs ormqr.
#pragma once

#include <broadloom/core/flag.hpp>
#include <broadloom/fn/complex.hpp>
#include <broadloom/linalg/reflections.hpp>

namespace broadloom {

namespace runtime {

struct triangle {
  bool upper = false, unit = false;
  constexpr bool operator==(const triangle&) const = default;
};

}  // namespace runtime

namespace detail {

struct solve_f : lapack_function {
  using signature = core<"(n,n),(n,k?)->(n,k?)">;
  static constexpr const char* name() { return "linalg.solve"; }
  static void run(const runtime::stack_call& c) { runtime::run_stacked(runtime::stack_function::solve_matrix, c); }
  template <class A, class B, int R>
    requires has_small_matrices<A>
  static constexpr auto constant(const indices<R>& at, const A& a, const B& b) {
    constexpr bool vector = rank_of<B> == 1;
    return solution_at("linalg.solve: the input matrix is singular.", at, vector ? R - 1 : R - 2, a, b, vector);
  }
  template <class A, class B>
  static constexpr bool is_straight = is_small_system<A, B>;
  template <int Native, class T, class A, class B>
  BROADLOOM_INLINE static bool straight(T* to, const runtime::options& how, const A& a, const B& b) {
    return solve_straight<Native>(to, how, a, b);
  }
};
struct gesv_f : solve_f {
  using signature = core<"(n,n),(n,k)->(n,k)">;
  static constexpr const char* name() { return "gesv"; }
};
struct gesv1_f : lapack_function {
  using signature = core<"(n,n),(n)->(n)">;
  static constexpr const char* name() { return "gesv1"; }
  static void run(const runtime::stack_call& c) { runtime::run_stacked(runtime::stack_function::solve_vector, c); }
  template <class A, class B, int R>
    requires has_small_matrices<A>
  static constexpr auto constant(const indices<R>& at, const A& a, const B& b) {
    return solution_at("gesv1: the input matrix is singular.", at, R - 1, a, b, true);
  }
  template <class A, class B>
  static constexpr bool is_straight = is_small_system<A, B>;
  template <int Native, class T, class A, class B>
  BROADLOOM_INLINE static bool straight(T* to, const runtime::options& how, const A& a, const B& b) {
    return solve_straight<Native>(to, how, a, b);
  }
};
struct solve_vec_f : gesv1_f {
  static constexpr const char* name() { return "solve_vec"; }
};
struct solve_triangular_f : parametric_function<runtime::triangle> {
  using parametric_function::parametric_function;
  using signature = core<"(n,n),(n,k)->(n,k)">;
  static constexpr const char* name() { return "linalg.solve_triangular"; }
  static void run(const runtime::stack_call& c) { runtime::run_stacked(runtime::stack_function::solve_triangular, c); }
};
struct lu_solve_f : lapack_function {
  using signature = core<"(n,n),(n),(n,k)->(n,k)">;
  static constexpr const char* name() { return "linalg.lu_solve"; }
  static void run(const runtime::stack_call& c) { runtime::run_stacked(runtime::stack_function::lu_solve, c); }
};
struct cholesky_solve_f : parametric_function<bool> {
  using parametric_function::parametric_function;
  using signature = core<"(n,k),(n,n)->(n,k)">;
  static constexpr const char* name() { return "cholesky_solve"; }
  static void run(const runtime::stack_call& c) {
    runtime::stack_call as = c;
    const index sizes[] = {c.sizes[0], c.sizes[1]};
    as.sizes = sizes;
    runtime::run_stacked(runtime::stack_function::cholesky_solve, as);
  }
};
struct lstsq_f : lapack_function {
  using signature = core<"(m,n),(m,k?)->(n,k?)">;
  static constexpr const char* name() { return "linalg.lstsq"; }
  static void run(const runtime::stack_call& c) { runtime::run_stacked(runtime::stack_function::least_squares, c); }
};
struct gels_f : lstsq_f {
  using signature = core<"(m,n),(m,k)->(n,k)">;
};
struct lstsq_vec_f : lapack_function {
  using signature = core<"(m,n),(m)->(n)">;
  static constexpr const char* name() { return "linalg.lstsq"; }
  static void run(const runtime::stack_call& c) {
    runtime::run_stacked(runtime::stack_function::least_squares_vector, c);
  }
};
struct ormqr_f : parametric_function<bool> {
  using parametric_function::parametric_function;
  using signature = core<"(m,n),(k),(m,p)->(m,p)">;
  static constexpr const char* name() { return "ormqr"; }
  static constexpr void check_shapes(const core_binding& b) {
    if (b.sizes[2] > b.sizes[1] || b.sizes[2] > b.sizes[0])
      runtime::throw_reflections(name(), b.sizes[0], b.sizes[1], b.sizes[2]);
  }
  static void run(const runtime::stack_call& c) { runtime::run_stacked(runtime::stack_function::ormqr, c); }
};

// The same from the right: signatures that are checked before the operands are turned.
struct solve_triangular_right_f : solve_triangular_f {
  using signature = core<"(n,n),(k,n)->(k,n)">;
  static constexpr const char* name() { return "linalg.solve_triangular_right"; }
};
struct ormqr_right_f : ormqr_f {
  using signature = core<"(m,n),(k),(p,m)->(p,m)">;
  static constexpr const char* name() { return "ormqr_right"; }
  static constexpr void check_shapes(const core_binding& b) {
    if (b.sizes[2] > b.sizes[1] || b.sizes[2] > b.sizes[0])
      runtime::throw_reflections(name(), b.sizes[0], b.sizes[1], b.sizes[2]);
  }
};

// b as a matrix: one with a single axis is a column.
template <array B>
constexpr auto as_columns(B&& b) {
  if constexpr (rank_of<node_of<B>> == 1)
    return unsqueeze(static_cast<B&&>(b), boost::hana::integral_constant<index, 1>{});
  else
    return capture(static_cast<B&&>(b));
}
template <class B>
struct columns_of {
  using type = B;
};
template <array B>
struct columns_of<B> {
  using type = decltype(as_columns(std::declval<B>()));
};

// F of a and of b as a matrix.
template <class F>
struct columns_object {
  template <array A, array B>
    requires stackable<F, A, typename columns_of<B>::type>
  constexpr auto operator()(A&& a, B&& b) const {
    return defer(F{}, static_cast<A&&>(a), as_columns(static_cast<B&&>(b)));
  }
  template <array A, array B, class Error = stacked_error<F, A, typename columns_of<B>::type>>
    requires(!stackable<F, A, typename columns_of<B>::type>)
  Error operator()(A&&, B&&) const = delete;
};

// The last two axes swapped, and complex elements conjugated.
template <class E>
constexpr auto matrix_transposed(const E& e) {
  return transpose(e, boost::hana::integral_constant<index, -1>{}, boost::hana::integral_constant<index, -2>{});
}
template <class E>
constexpr auto matrix_adjoint(const E& e) {
  if constexpr (is_complex_type<value_of<E>>)
    return broadloom::conj(matrix_transposed(e));
  else
    return matrix_transposed(e);
}

template <bool Upper>
struct cholesky_solve_object {
  template <array B, array L>
    requires stackable<cholesky_solve_f, B, L>
  constexpr auto operator()(B&& b, L&& factor, detail::upper_flag upper = Upper) const {
    return defer(cholesky_solve_f(upper), static_cast<B&&>(b), static_cast<L&&>(factor));
  }
  template <array B, array L, class Error = stacked_error<cholesky_solve_f, B, L>>
    requires(!stackable<cholesky_solve_f, B, L>)
  Error operator()(B&&, L&&, bool = Upper) const = delete;
};

}  // namespace detail

// solve(a, b): x with a x = b. (..., n, n) and (..., n, k) give (..., n, k); a b with one axis is a vector, and so is
// x, and in no other case (the array API's rule, NumPy 2's). Leading axes broadcast. Throws linalg_error naming the
// first singular matrix.
inline constexpr detail::stacked_function<detail::solve_f> solve{};

// gesv(a, b): the same, where a b with one axis is a column: (n, n) and (n) give (n, 1) (PyTorch's old gesv).
inline constexpr detail::columns_object<detail::gesv_f> gesv{};

// gesv1(a, b) and solve_vec(a, b): b is a stack of vectors: (..., n, n) and (..., n) give (..., n).
inline constexpr detail::stacked_function<detail::gesv1_f> gesv1{};
inline constexpr detail::stacked_function<detail::solve_vec_f> solve_vec{};

// solve_triangular(a, b, upper, unitriangular = false): x with a x = b, where only that triangle of a is
// read, and its diagonal is taken for ones where unitriangular. A zero on the diagonal gives inf or NaN
// (torch.linalg.solve_triangular).
inline constexpr struct solve_triangular_t {
  template <array A, array B>
    requires detail::stackable<detail::solve_triangular_f, A, B>
  constexpr auto operator()(A&& a, B&& b, detail::upper_flag upper, detail::plain_flag unitriangular = false) const {
    return detail::defer(detail::solve_triangular_f(runtime::triangle{upper, unitriangular}), static_cast<A&&>(a),
                         static_cast<B&&>(b));
  }
  template <array A, array B, class Error = detail::stacked_error<detail::solve_triangular_f, A, B>>
    requires(!detail::stackable<detail::solve_triangular_f, A, B>)
  Error operator()(A&&, B&&, bool, bool = false) const = delete;
} solve_triangular{};

// solve_triangular_right(a, b, upper, unitriangular = false): x with x a = b (torch.linalg.solve_triangular's
// left=False).
inline constexpr struct solve_triangular_right_t {
  template <array A, array B>
    requires detail::stackable<detail::solve_triangular_right_f, A, B>
  constexpr auto operator()(A&& a, B&& b, detail::upper_flag upper, detail::plain_flag unitriangular = false) const {
    const auto x = detail::capture(static_cast<A&&>(a));
    const auto y = detail::capture(static_cast<B&&>(b));
    detail::checked_binding<detail::solve_triangular_right_f>(x.shape(), y.shape());
    return detail::matrix_transposed(
        solve_triangular(detail::matrix_transposed(x), detail::matrix_transposed(y), !upper, unitriangular));
  }
  template <array A, array B, class Error = detail::stacked_error<detail::solve_triangular_right_f, A, B>>
    requires(!detail::stackable<detail::solve_triangular_right_f, A, B>)
  Error operator()(A&&, B&&, bool, bool = false) const = delete;
} solve_triangular_right{};

// lstsq(a, b): the x of smallest norm that minimises |a x - b|: (..., m, n) and (..., m, k) give (..., n, k); a b with
// one axis is a vector, and so is x. Any rank (torch.linalg.lstsq's solution).
inline constexpr detail::stacked_function<detail::lstsq_f> lstsq{};
// lstsq_vec(a, b): b is a stack of vectors.
inline constexpr detail::stacked_function<detail::lstsq_vec_f> lstsq_vec{};
// gels(a, b): lstsq where a b with one axis is a column (PyTorch's old gels).
inline constexpr detail::columns_object<detail::gels_f> gels{};

// lu_solve(lu, pivots, b): x with a x = b from lu_factor(a). Stacks broadcast. Throws index_error for pivots outside 1
// ... n (torch.linalg.lu_solve). btrisolve(b, lu, pivots) is the old name and order.
inline constexpr detail::stacked_function<detail::lu_solve_f> lu_solve{};
inline constexpr struct btrisolve_t {
  template <array B, array L, array P>
    requires detail::stackable<detail::lu_solve_f, L, P, B>
  constexpr auto operator()(B&& b, L&& factors, P&& pivots) const {
    return lu_solve(static_cast<L&&>(factors), static_cast<P&&>(pivots), static_cast<B&&>(b));
  }
  template <array B, array L, array P, class Error = detail::stacked_error<detail::lu_solve_f, L, P, B>>
    requires(!detail::stackable<detail::lu_solve_f, L, P, B>)
  Error operator()(B&&, L&&, P&&) const = delete;
} btrisolve{};

// cholesky_solve(b, l, upper = false): x with a x = b from a's Cholesky factor. Stacks broadcast
// (torch.cholesky_solve). `potrs` is the old name, whose `upper` is true unless said otherwise.
inline constexpr detail::cholesky_solve_object<false> cholesky_solve{};
inline constexpr detail::cholesky_solve_object<true> potrs{};

// ormqr(a, tau, c, transposed = false): q c or q' c, where q is the whole product of the reflections that geqrf gives:
// c is
// (..., m, p) for an a of (..., m, n). Throws shape_error for more reflections than columns. Stacks broadcast
// (torch.ormqr).
inline constexpr struct ormqr_t {
  template <array A, array T, array C>
    requires detail::stackable<detail::ormqr_f, A, T, C>
  constexpr auto operator()(A&& a, T&& tau, C&& c, detail::transposed_flag transposed = false) const {
    return detail::defer(detail::ormqr_f(transposed), static_cast<A&&>(a), static_cast<T&&>(tau), static_cast<C&&>(c));
  }
  template <array A, array T, array C, class Error = detail::stacked_error<detail::ormqr_f, A, T, C>>
    requires(!detail::stackable<detail::ormqr_f, A, T, C>)
  Error operator()(A&&, T&&, C&&, bool = false) const = delete;
} ormqr{};

// ormqr_right(a, tau, c, transposed = false): c q or c q', c is (..., p, m) (torch.ormqr's left=False).
inline constexpr struct ormqr_right_t {
  template <array A, array T, array C>
    requires detail::stackable<detail::ormqr_right_f, A, T, C>
  constexpr auto operator()(A&& a, T&& tau, C&& c, detail::transposed_flag transposed = false) const {
    const auto x = detail::capture(static_cast<A&&>(a));
    const auto y = detail::capture(static_cast<T&&>(tau));
    const auto z = detail::capture(static_cast<C&&>(c));
    detail::ormqr_right_f::check_shapes(
        detail::checked_binding<detail::ormqr_right_f>(x.shape(), y.shape(), z.shape()));
    return detail::matrix_adjoint(ormqr(x, y, detail::matrix_adjoint(z), !transposed));
  }
  template <array A, array T, array C, class Error = detail::stacked_error<detail::ormqr_right_f, A, T, C>>
    requires(!detail::stackable<detail::ormqr_right_f, A, T, C>)
  Error operator()(A&&, T&&, C&&, bool = false) const = delete;
} ormqr_right{};

}  // namespace broadloom
