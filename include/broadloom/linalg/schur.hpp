// The Schur decomposition, also with chosen eigenvalues first.
#pragma once

#include <type_traits>

#include <broadloom/linalg/eager.hpp>
#include <broadloom/linalg/factor.hpp>

namespace broadloom {

namespace runtime {

// Whether an eigenvalue comes first; called from several threads at once.
struct eigenvalue_choice {
  bool (*chooses)(const void* by, double re, double im) = nullptr;
  const void* by = nullptr;
  constexpr bool operator==(const eigenvalue_choice&) const = default;
};

}  // namespace runtime

template <class T, class Z>
struct schur_result {
  T t;
  Z z;
};
template <class T, class Z, class Count>
struct sorted_schur_result {
  T t;
  Z z;
  Count count;
};

namespace detail {

struct schur_f : lapack_function {
  using signature = core<"(n,n)->(n,n),(n,n)">;
  template <class... T>
  using results = schur_result<T...>;
  static constexpr const char* name() { return "schur"; }
  static void run(const runtime::stack_call& c) { runtime::run_stacked(runtime::stack_function::schur, c); }
};
struct sorted_schur_f : parametric_function<runtime::eigenvalue_choice> {
  using parametric_function::parametric_function;
  using signature = core<"(n,n)->(n,n),(n,n),()">;
  template <class T, int At>
  using result = std::conditional_t<At == 2, index, T>;
  template <class... T>
  using results = sorted_schur_result<T...>;
  static constexpr const char* name() { return "schur"; }
  static void run(const runtime::stack_call& c) { runtime::run_stacked(runtime::stack_function::sorted_schur, c); }
};

}  // namespace detail

// schur(a): {t, z} with z t z' = a and z unitary: t is upper triangular for complex elements, for real ones with a 2 x
// 2 block on the diagonal for each pair of complex eigenvalues (SciPy's schur; of a real matrix in complex form:
// schur(cast<std::complex<double>>(a))). schur(a, first_eigenvalues::lhp): {t, z, count} with `count` eigenvalues (...)
// that this chooses at the top of t's diagonal; a callable chooses by f(re, im), two f64, and a pair of complex
// eigenvalues is chosen if one of both is. Throws linalg_error where elements are not finite, or eigenvalues are too
// near to be exchanged. Computed at once.
inline constexpr struct schur_t : detail::eager_function<detail::schur_f> {
  using eager_function::operator();
  template <array A, class F, int Native = BROADLOOM_NATIVE>
    requires detail::stackable<detail::sorted_schur_f, A> && requires(const F& f) { bool(f(0.0, 0.0)); }
  auto operator()(A&& a, const F& first) const {
    const runtime::eigenvalue_choice choice{
        [](const void* f, double re, double im) { return bool((*static_cast<const F*>(f))(re, im)); }, &first};
    return detail::run_now<Native>(detail::sorted_schur_f(choice), static_cast<A&&>(a));
  }
} schur{};

namespace first_eigenvalues {
// Which eigenvalues schur puts first: those in the left half plane (SciPy's names).
inline constexpr auto lhp = [](double re, double) { return re < 0; };
// The right half plane, and the line between both.
inline constexpr auto rhp = [](double re, double) { return re >= 0; };
// Inside of the unit circle, and on it.
inline constexpr auto iuc = [](double re, double im) { return __builtin_hypot(re, im) <= 1; };
// Outside of the unit circle.
inline constexpr auto ouc = [](double re, double im) { return __builtin_hypot(re, im) > 1; };
}  // namespace first_eigenvalues

}  // namespace broadloom
