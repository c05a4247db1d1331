// The messages of linalg_error, PyTorch's word for word.
#include "failure.hpp"

#include <stdexcept>
#include <string>

namespace broadloom::runtime {

void throw_without_lapack() {
  throw std::runtime_error("linear algebra: this library was built without LAPACK (-Dlapack=disabled)");
}

void throw_failure(const char* function, failure what, index number, int info) {
  std::string s = function;
  s += ": ";
  if (number >= 0) s += "(Batch element " + std::to_string(number) + "): ";
  const std::string n = std::to_string(info);
  switch (what) {
    case failure::inverse:
      s += "The diagonal element " + n +
           " is zero, the inversion could not be completed because the input matrix is singular.";
      break;
    case failure::solve: s += "The solver failed because the input matrix is singular."; break;
    case failure::cholesky:
      s += "The factorization could not be completed because the input is not positive-definite (the leading minor of "
           "order " +
           n + " is not positive-definite).";
      break;
    case failure::lu:
      s += "U[" + n + "," + n +
           "] is zero and using it on lu_solve would result in a division by zero. If you still want to perform the "
           "factorization, consider calling lu(A)";
      break;
    case failure::square_root:
    case failure::logarithm: {
      const std::string result = what == failure::logarithm ? "logarithm" : "square root";
      if (info == 0)
        s += "The input matrix contained non-finite values.";
      else if (info == 1)
        s += "The " + result +
             " is complex, because the input matrix has a negative eigenvalue: give it complex elements.";
      else if (info == 2)
        s += "The input matrix is singular and has no " + result + ".";
      else
        s += "The algorithm failed to converge because the input matrix is ill-conditioned.";
      break;
    }
    case failure::svd:
    case failure::eigen:
      s += "The algorithm failed to converge because the input matrix ";
      if (info == 0)
        s += "contained non-finite values.";
      else
        s += std::string("is ill-conditioned or has too many repeated ") +
             (what == failure::svd ? "singular values" : "eigenvalues") + " (error code: " + n + ").";
      break;
  }
  throw linalg_error(s);
}

void first_failure::raise_pivots() const {
  if (number_ >= 0)
    throw index_error(std::string("Pivots given to lu_solve must all be ") +
                      (info_ == 0 ? "greater or equal to 1" : "smaller or equal to LU.size(-2)") +
                      ". Did you properly pass the result of lu_factor?");
}

}  // namespace broadloom::runtime
