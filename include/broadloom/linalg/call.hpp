// What compiled code is given for one call of a function on core arrays: where the stacks lie and which sizes they
// have.
#pragma once

#include <cstdint>

#include <broadloom/core/api.hpp>
#include <broadloom/linalg/binding.hpp>
#include <broadloom/plan/problem.hpp>

namespace broadloom::runtime {

// An operand: the first element, and strides in elements over the loop axes (0 where it is broadcast) and over the core
// axes of the signature (0 where one is missing).
struct stack_input {
  const void* data;
  index loop[detail::max_loop_axes];
  index core[detail::max_core_axes];
};

// Results are row-major, one after the other over the loop axes.
struct stack_call {
  const char* function;
  dtype type;  // of the operands
  int loop_rank;
  const index* loop;
  const index* sizes;  // core sizes in the order in which the signature first names them; 1 where missing
  const stack_input* inputs;
  void* const* outputs;
  const void* parameters;  // the function's own
  options how;
  // Where it is given, each core array's info goes there, and what fails does not throw.
  std::int32_t* info = nullptr;

  index count() const {
    index n = 1;
    for (int i = 0; i < loop_rank; ++i) n *= loop[i];
    return n;
  }
};

using stack_fn = void (*)(const stack_call& call);

// The library's functions on stacks of core arrays. The parameter of multi_dot is the number of operands.
enum class stack_function : unsigned char {
  bmm,
  cholesky,
  cholesky_checked,
  cholesky_inverse,
  cholesky_solve,
  complex_values,
  complex_vectors,
  condition,
  cross,
  determinant,
  euclidean_distances,
  full_pivot_lu,
  general_vectors,
  geqrf,
  inverse,
  inverse_checked,
  ldl_factor,
  ldl_solve,
  least_squares,
  least_squares_full,
  least_squares_vector,
  log_determinant,
  logarithm_of_determinant,
  lu,
  lu_factor,
  lu_factor_checked,
  lu_solve,
  matmul,
  matrix_exponential,
  matrix_logarithm,
  matrix_norm,
  matrix_power,
  matrix_power_of_integers,
  matrix_rank,
  matrix_square_root,
  multi_dot,
  orgqr,
  ormqr,
  pivoted_qr,
  pseudo_inverse,
  pstrf,
  qr,
  schur,
  singular_values,
  singular_vectors,
  solve_banded,
  solve_checked,
  solve_matrix,
  solve_triangular,
  solve_vector,
  sorted_schur,
  symmetric_subset,
  symmetric_values,
  symmetric_vectors,
  vecdot,
};
BROADLOOM_API void run_stacked(stack_function f, const stack_call& call);

}  // namespace broadloom::runtime
