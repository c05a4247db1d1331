// The functions of stack_function; stack_functions.cpp calls them.
#pragma once

#include <broadloom/linalg/call.hpp>

namespace broadloom::runtime {

void bmm(const stack_call& call);
void cholesky(const stack_call& call);
void cholesky_checked(const stack_call& call);
void cholesky_inverse(const stack_call& call);
void cholesky_solve(const stack_call& call);
void complex_values(const stack_call& call);
void complex_vectors(const stack_call& call);
void condition(const stack_call& call);
void cross(const stack_call& call);
void determinant(const stack_call& call);
void euclidean_distances(const stack_call& call);
void full_pivot_lu(const stack_call& call);
void general_vectors(const stack_call& call);
void geqrf(const stack_call& call);
void inverse(const stack_call& call);
void inverse_checked(const stack_call& call);
void ldl_factor(const stack_call& call);
void ldl_solve(const stack_call& call);
void least_squares(const stack_call& call);
void least_squares_full(const stack_call& call);
void least_squares_vector(const stack_call& call);
void log_determinant(const stack_call& call);
void logarithm_of_determinant(const stack_call& call);
void lu(const stack_call& call);
void lu_factor(const stack_call& call);
void lu_factor_checked(const stack_call& call);
void lu_solve(const stack_call& call);
void matmul(const stack_call& call);
void matrix_exponential(const stack_call& call);
void matrix_logarithm(const stack_call& call);
void matrix_norm(const stack_call& call);
void matrix_power(const stack_call& call);
void matrix_power_of_integers(const stack_call& call);
void matrix_rank(const stack_call& call);
void matrix_square_root(const stack_call& call);
void multi_dot(const stack_call& call);
void orgqr(const stack_call& call);
void ormqr(const stack_call& call);
void pivoted_qr(const stack_call& call);
void pseudo_inverse(const stack_call& call);
void pstrf(const stack_call& call);
void qr(const stack_call& call);
void schur(const stack_call& call);
void singular_values(const stack_call& call);
void singular_vectors(const stack_call& call);
void solve_banded(const stack_call& call);
void solve_checked(const stack_call& call);
void solve_matrix(const stack_call& call);
void solve_triangular(const stack_call& call);
void solve_vector(const stack_call& call);
void sorted_schur(const stack_call& call);
void symmetric_subset(const stack_call& call);
void symmetric_values(const stack_call& call);
void symmetric_vectors(const stack_call& call);
void vecdot(const stack_call& call);

}  // namespace broadloom::runtime
