// Functions of square matrices beside matrix_exp and matrix_power: the principal square root and logarithm.
#pragma once

#include <broadloom/linalg/factor.hpp>

namespace broadloom {

namespace detail {

struct sqrtm_f : lapack_function {
  using signature = core<"(n,n)->(n,n)">;
  static constexpr const char* name() { return "sqrtm"; }
  static void run(const runtime::stack_call& c) {
    runtime::run_stacked(runtime::stack_function::matrix_square_root, c);
  }
};
struct logm_f : lapack_function {
  using signature = core<"(n,n)->(n,n)">;
  static constexpr const char* name() { return "logm"; }
  static void run(const runtime::stack_call& c) { runtime::run_stacked(runtime::stack_function::matrix_logarithm, c); }
};

}  // namespace detail

// sqrtm(a): the principal square root x, x x = a, whose eigenvalues have no negative real part: (..., n, n) gives (...,
// n, n) of a's element type. Throws linalg_error for real matrices with a negative eigenvalue, whose root is complex
// (give them complex elements), for singular ones that have none, and where elements are not finite (SciPy's sqrtm).
// Computed in f64 by the Schur decomposition.
inline constexpr detail::stacked_function<detail::sqrtm_f> sqrtm{};

// logm(a): the principal logarithm, whose exponential is a: (..., n, n) gives (..., n, n) of a's element type. Throws
// linalg_error for real matrices with a negative eigenvalue, whose logarithm is complex (give them complex elements),
// for singular ones, and where elements are not finite (SciPy's logm). Computed in f64 by the Schur decomposition,
// square roots and a Pade approximant.
inline constexpr detail::stacked_function<detail::logm_f> logm{};

}  // namespace broadloom
