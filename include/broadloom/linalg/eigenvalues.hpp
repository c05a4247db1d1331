// Eigenvalues and eigenvectors of matrices, stacked over leading axes: eigh, eigvalsh, eig, eigvals, geev.
#pragma once

#include <broadloom/core/flag.hpp>
#include <broadloom/linalg/factor.hpp>
#include <broadloom/linalg/small_spectral.hpp>

namespace broadloom {

template <class Values, class Vectors>
struct eigh_result {
  Values values;
  Vectors vectors;
};
template <class Values, class Vectors>
struct eig_result {
  Values values;
  Vectors vectors;
};
template <class Real, class Imaginary, class Vectors>
struct geev_result {
  Real real;
  Imaginary imaginary;
  Vectors vectors;
};

namespace detail {

struct eigh_f : parametric_function<bool> {
  using parametric_function::parametric_function;
  using signature = core<"(n,n)->(n),(n,n)">;
  template <class T, int At>
  using result = std::conditional_t<At == 0, real_of<T>, T>;
  template <class... T>
  using results = eigh_result<T...>;
  static constexpr const char* name() { return "linalg.eigh"; }
  static void run(const runtime::stack_call& c) { runtime::run_stacked(runtime::stack_function::symmetric_vectors, c); }
};
struct eigvalsh_f : parametric_function<bool> {
  using parametric_function::parametric_function;
  template <class T, int>
  using result = real_of<T>;
  using signature = core<"(n,n)->(n)">;
  static constexpr const char* name() { return "linalg.eigvalsh"; }
  static void run(const runtime::stack_call& c) { runtime::run_stacked(runtime::stack_function::symmetric_values, c); }
};
struct eigvals_f : lapack_function {
  using signature = core<"(n,n)->(n)">;
  template <class T, int>
  using result = std::complex<real_of<T>>;
  static constexpr const char* name() { return "linalg.eigvals"; }
  static void run(const runtime::stack_call& c) { runtime::run_stacked(runtime::stack_function::complex_values, c); }
};
struct eig_f : lapack_function {
  using signature = core<"(n,n)->(n),(n,n)">;
  template <class T, int>
  using result = std::complex<real_of<T>>;
  template <class... T>
  using results = eig_result<T...>;
  static constexpr const char* name() { return "linalg.eig"; }
  static void run(const runtime::stack_call& c) { runtime::run_stacked(runtime::stack_function::complex_vectors, c); }
};
// Whether <complex> is included, without which the results of F are no types yet.
template <class F, class A>
inline constexpr bool complex_is_known = requires { sizeof(std::complex<real_of<compute_type<F, A>>>); };
}  // namespace detail
namespace errors_md {
template <auto Function, class Element>
struct include_complex_whose_numbers_eigenvalues_are;
}  // namespace errors_md
namespace detail {

// The function object of an F whose results are complex numbers whatever the elements of its operand.
template <class F>
struct complex_function : takes_one {
  using takes_one::operator();
  template <array A, int Native = BROADLOOM_NATIVE>
    requires(stackable<F, A> && complex_is_known<F, A>)
  auto operator()(A&& a) const {
    if constexpr (F::signature::parsed.outputs == 1)
      return defer(F{}, static_cast<A&&>(a));
    else
      return run_now<Native>(F{}, static_cast<A&&>(a));
  }
  template <array A,
            class Error = errors_md::include_complex_whose_numbers_eigenvalues_are<label_of<F>, value_of<node_of<A>>>>
    requires(stackable<F, A> && !complex_is_known<F, A>)
  Error operator()(A&&) const = delete;
  template <array A, class Error = stacked_error<F, A>>
    requires(!stackable<F, A>)
  Error operator()(A&&) const = delete;
};

struct geev_f : core_function {
  using rule = rule_floats;
  using signature = core<"(n,n)->(n),(n),(n,n)">;
  template <class... T>
  using results = geev_result<T...>;
  static constexpr const char* name() { return "geev"; }
  static void run(const runtime::stack_call& c) { runtime::run_stacked(runtime::stack_function::general_vectors, c); }
};
template <bool Upper>
struct eigh_object {
  template <array A, int Native = BROADLOOM_NATIVE>
    requires stackable<eigh_f, A>
  constexpr auto operator()(A&& a, detail::upper_flag upper = Upper) const {
    using T = compute_type<eigh_f, A>;
    if constexpr (is_small_spectral<std::remove_cvref_t<decltype(argument<T>(static_cast<A&&>(a)))>>) {
      constexpr index n = shape_of<node_of<A>>::static_extents[0];
      eigh_result<tensor<T, shape<n>>, tensor<T, shape<n, n>>> r;
      const auto x = argument<T>(static_cast<A&&>(a));
      if (!eigen_small(small_matrix_of<Native>(x), upper, r.values.data(), r.vectors.data()))
        r = run_nodes<Native>(make_sequence<2>{}, eigh_f(upper), x);
      return r;
    } else
      return run_now<Native>(eigh_f(upper), static_cast<A&&>(a));
  }
  template <array A, class Error = stacked_error<eigh_f, A>>
    requires(!stackable<eigh_f, A>)
  Error operator()(A&&, bool = Upper) const = delete;
};

}  // namespace detail

// eigh(a, upper = false): {values, vectors} of the symmetric matrices that this triangle of a gives: values (..., n) in
// ascending order, vectors (..., n, n), one a column. Throws linalg_error where elements are not finite
// (torch.linalg.eigh). Computed at once. `symeig` is the old name, which reads the upper triangle unless told
// otherwise.
inline constexpr detail::eigh_object<false> eigh{};
inline constexpr detail::eigh_object<true> symeig{};

// eigvalsh(a, upper = false): the values alone (torch.linalg.eigvalsh). Throws linalg_error where elements are not
// finite.
inline constexpr detail::parametric_object<detail::eigvalsh_f, bool, false> eigvalsh{};

// eigvals(a): the eigenvalues of any square matrix, (..., n), complex whatever the elements of a, in no order
// (torch.linalg.eigvals). eig(a): {values, vectors}, vectors (..., n, n) one a column, of length 1
// (torch.linalg.eig), computed at once. Both throw linalg_error where elements are not finite. Include <complex>.
inline constexpr detail::complex_function<detail::eigvals_f> eigvals{};
inline constexpr detail::complex_function<detail::eig_f> eig{};

// geev(a): {real, imaginary, vectors} of any square matrix, LAPACK's format: the parts of the eigenvalues, and vectors
// in columns: one for a real value; for a conjugate pair its real part, then its imaginary part. Throws linalg_error
// where elements are not finite. Computed at once.
inline constexpr detail::eager_function<detail::geev_f> geev{};

}  // namespace broadloom
