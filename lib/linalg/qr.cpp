// QR factors in LAPACK's format, and the products with q.
#include <broadloom/linalg/reflections.hpp>
#include <broadloom/linalg/solve.hpp>

#include <algorithm>
#include <cstring>

#include "kernels.hpp"
#include "stack.hpp"

namespace broadloom::runtime {

namespace {

double qr_cost(index m, index n) {
  return 2 * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(std::min(m, n)) + 50;
}

// geqrf: r in the upper triangle, the Householder vectors below, their factors.
template <class T>
void run_geqrf(const stack_call& c) {
  const index m = c.sizes[0], n = c.sizes[1], k = std::min(m, n);
  each_core<T>(c, qr_cost(m, n), m * n + n, failure::solve, [&](T* work, index number) {
    copy_in(work, matrix_of<T>(c, 0, number, m, n));
    factors<T>().qr(m, n, work, m, result_of<T>(c, 1, number, k), reinterpret_cast<int*>(work + m * n));
    copy_out(result_of<T>(c, 0, number, m * n), work, m, n);
    return 0;
  });
}

// q (m x columns) and r (columns x n).
template <class T>
void run_qr(const stack_call& c) {
  const index m = c.sizes[0], n = c.sizes[1], k = std::min(m, n);
  const index columns = *static_cast<const bool*>(c.parameters) ? m : k;
  each_core<T>(c, 2 * qr_cost(m, std::max(n, columns)), m * n + m * columns + k + n, failure::solve,
               [&](T* work, index number) {
                 T *q = work + m * n, *tau = q + m * columns;
                 copy_in(work, matrix_of<T>(c, 0, number, m, n));
                 factors<T>().qr(m, n, work, m, tau, reinterpret_cast<int*>(tau + k));
                 set_identity(q, m, columns);
                 factors<T>().apply_q(m, k, work, m, tau, false, q, m, columns);
                 copy_out(result_of<T>(c, 0, number, m * columns), q, m, columns);
                 T* const r = result_of<T>(c, 1, number, columns * n);
                 for (index i = 0; i < columns; ++i)
                   for (index j = 0; j < n; ++j) r[i * n + j] = i <= j ? work[i + j * m] : T(0);
                 return 0;
               });
}

// orgqr: the first n columns of q, from the vectors and the factors.
template <class T>
void run_orgqr(const stack_call& c) {
  const index m = c.sizes[0], n = c.sizes[1], k = c.sizes[2];
  each_core<T>(c, qr_cost(m, n), 2 * m * n + k, failure::solve, [&](T* work, index number) {
    T *q = work + m * n, *tau = q + m * n;
    copy_in(work, matrix_of<T>(c, 0, number, m, n));
    copy_in(tau, vector_of<T>(c, 1, number, k));
    set_identity(q, m, n);
    factors<T>().apply_q(m, k, work, m, tau, false, q, m, n);
    copy_out(result_of<T>(c, 0, number, m * n), q, m, n);
    return 0;
  });
}

// ormqr from the left: q c or q' c, the conjugate transpose. Sizes m, n (vectors), k, p (columns of c).
template <class T>
void run_ormqr(const stack_call& c) {
  const index m = c.sizes[0], n = c.sizes[1], k = c.sizes[2], p = c.sizes[3];
  const bool transposed = *static_cast<const bool*>(c.parameters);
  each_core<T>(c, 2 * qr_cost(m, std::max(n, p)), m * n + k + m * p, failure::solve, [&](T* work, index number) {
    T *tau = work + m * n, *x = tau + k;
    copy_in(work, matrix_of<T>(c, 0, number, m, n));
    copy_in(tau, vector_of<T>(c, 1, number, k));
    copy_in(x, matrix_of<T>(c, 2, number, m, p));
    factors<T>().apply_q(m, k, work, m, tau, transposed, x, m, p);
    copy_out(result_of<T>(c, 0, number, m * p), x, m, p);
    return 0;
  });
}

}  // namespace

BROADLOOM_STACK_FUNCTION(geqrf, run_geqrf<T>(c))
BROADLOOM_STACK_FUNCTION(qr, run_qr<T>(c))
BROADLOOM_STACK_FUNCTION(orgqr, run_orgqr<T>(c))
BROADLOOM_STACK_FUNCTION(ormqr, run_ormqr<T>(c))

}  // namespace broadloom::runtime
