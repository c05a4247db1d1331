// The door to functions on stacks of core arrays.
#include "stack_functions.hpp"

namespace broadloom::runtime {

void run_stacked(stack_function f, const stack_call& call) {
  switch (f) {
    case stack_function::bmm: return bmm(call);
    case stack_function::cholesky: return cholesky(call);
    case stack_function::cholesky_checked: return cholesky_checked(call);
    case stack_function::cholesky_inverse: return cholesky_inverse(call);
    case stack_function::cholesky_solve: return cholesky_solve(call);
    case stack_function::complex_values: return complex_values(call);
    case stack_function::complex_vectors: return complex_vectors(call);
    case stack_function::condition: return condition(call);
    case stack_function::cross: return cross(call);
    case stack_function::determinant: return determinant(call);
    case stack_function::euclidean_distances: return euclidean_distances(call);
    case stack_function::full_pivot_lu: return full_pivot_lu(call);
    case stack_function::general_vectors: return general_vectors(call);
    case stack_function::geqrf: return geqrf(call);
    case stack_function::inverse: return inverse(call);
    case stack_function::inverse_checked: return inverse_checked(call);
    case stack_function::ldl_factor: return ldl_factor(call);
    case stack_function::ldl_solve: return ldl_solve(call);
    case stack_function::least_squares: return least_squares(call);
    case stack_function::least_squares_full: return least_squares_full(call);
    case stack_function::least_squares_vector: return least_squares_vector(call);
    case stack_function::log_determinant: return log_determinant(call);
    case stack_function::logarithm_of_determinant: return logarithm_of_determinant(call);
    case stack_function::lu: return lu(call);
    case stack_function::lu_factor: return lu_factor(call);
    case stack_function::lu_factor_checked: return lu_factor_checked(call);
    case stack_function::lu_solve: return lu_solve(call);
    case stack_function::matmul: return matmul(call);
    case stack_function::matrix_exponential: return matrix_exponential(call);
    case stack_function::matrix_logarithm: return matrix_logarithm(call);
    case stack_function::matrix_norm: return matrix_norm(call);
    case stack_function::matrix_power: return matrix_power(call);
    case stack_function::matrix_power_of_integers: return matrix_power_of_integers(call);
    case stack_function::matrix_rank: return matrix_rank(call);
    case stack_function::matrix_square_root: return matrix_square_root(call);
    case stack_function::multi_dot: return multi_dot(call);
    case stack_function::orgqr: return orgqr(call);
    case stack_function::ormqr: return ormqr(call);
    case stack_function::pivoted_qr: return pivoted_qr(call);
    case stack_function::pseudo_inverse: return pseudo_inverse(call);
    case stack_function::pstrf: return pstrf(call);
    case stack_function::qr: return qr(call);
    case stack_function::schur: return schur(call);
    case stack_function::singular_values: return singular_values(call);
    case stack_function::singular_vectors: return singular_vectors(call);
    case stack_function::solve_banded: return solve_banded(call);
    case stack_function::solve_checked: return solve_checked(call);
    case stack_function::solve_matrix: return solve_matrix(call);
    case stack_function::solve_triangular: return solve_triangular(call);
    case stack_function::solve_vector: return solve_vector(call);
    case stack_function::sorted_schur: return sorted_schur(call);
    case stack_function::symmetric_subset: return symmetric_subset(call);
    case stack_function::symmetric_values: return symmetric_values(call);
    case stack_function::symmetric_vectors: return symmetric_vectors(call);
    case stack_function::vecdot: return vecdot(call);
  }
}

}  // namespace broadloom::runtime
