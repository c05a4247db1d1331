// Eigenvalues, singular values, norms and ranks from them, and least squares, by LAPACK.
#include <broadloom/linalg/solve.hpp>
#include <broadloom/linalg/spectral.hpp>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <limits>

#include "kernels.hpp"
#include "lapack_stack.hpp"
#include "lu.hpp"
#include "norms.hpp"
#include "product.hpp"
#include "run_kernels.hpp"

namespace broadloom::runtime {

namespace {

// The same of small matrices, by rotations. False where there are some for LAPACK: their first value is NaN.
template <class T>
bool run_rotations(const stack_call& c, index n, bool upper) {
  stack_input own[1];
  index loop[detail::max_loop_axes];
  const stack_call m = with_merged_axes(c, 1, own, loop);
  std::atomic<bool> all = true;
  each_run(m, block_of(spectral_cost(n, n) / 2), [&](index first, index count) {
    const matrix_run<T> run{static_cast<const T*>(own->data) + loop_offset(m, *own, first), run_step(m, *own),
                            own->core[0], own->core[1], count};
    if (!small_runs<T>().symmetric(run, n, upper, result_of<T>(c, 0, first, n), result_of<T>(c, 1, first, n * n)))
      all.store(false, std::memory_order_relaxed);
  });
  return all.load(std::memory_order_relaxed);
}

// Eigenvalues in ascending order, and optionally vectors, of the symmetric matrix given by one triangle.
template <class T>
void run_symmetric(const stack_call& c, bool vectors) {
  using R = real_of<T>;
  const index n = c.sizes[0];
  if (n == 0) return;
  const char triangle = *static_cast<const bool*>(c.parameters) ? 'U' : 'L', job = vectors ? 'V' : 'N';
  const auto syevd = [&](T* a, R* values, T* memory, int work, R* more, int real_work, int* numbers, int count) {
    return run_lapack<T>(lapack<T>::syevd, column_major, job, triangle, whole(n), a, whole(n), values, memory, work,
                         only_complex{more}, only_complex{real_work}, numbers, count);
  };
  T size{};
  R reals{};
  int count = 0;
  syevd(nullptr, nullptr, &size, -1, &reals, -1, &count, -1);
  const int work = asked(size), real_work = is_complex_type<T> ? asked(reals) : 0;
  bool rotated = false;  // what is not NaN has been computed by rotations
  if constexpr (!is_complex_type<T>)
    if (vectors && n >= 2 && n <= max_run_eigen) {
      rotated = true;
      if (run_rotations<T>(c, n, triangle == 'U') && c.info == nullptr) return;
    }
  each_matrix<T>(c, spectral_cost(n, n), n * n + work + room_for<T>(real_work + n), count, failure::eigen,
                 [&](T* a, int* numbers, index number) {
                   if (const R first = *result_of<R>(c, 0, number, n); rotated && first == first) return 0;
                   copy_in(a, matrix_of<T>(c, 0, number, n, n));
                   for (index j = 0; j < n; ++j)
                     for (index i = j + 1; i < n; ++i) (triangle == 'U' ? a[i + j * n] : a[j + i * n]) = 0;
                   if (!all_finite(a, n * n)) return not_finite;
                   T* const memory = a + n * n;
                   R *const more = parts(memory + work), *const values = more + real_work;
                   const int info = syevd(a, values, memory, work, more, real_work, numbers, count);
                   if (info != 0) return info;
                   std::copy_n(values, n, result_of<R>(c, 0, number, n));
                   if (vectors) copy_out(result_of<T>(c, 1, number, n * n), a, n, n);
                   return 0;
                 });
}

// LAPACK's geev: real and imaginary parts of the eigenvalues, and the right vectors.
template <class T>
void run_general(const stack_call& c) {
  const index n = c.sizes[0];
  if (n == 0) return;
  T size{};
  lapack<T>::geev(column_major, 'N', 'V', whole(n), nullptr, whole(n), nullptr, nullptr, nullptr, whole(n), nullptr,
                  whole(n), &size, -1);
  const int work = asked(size);
  each_matrix<T>(c, spectral_cost(n, n), 2 * n * n + work, 0, failure::eigen, [&](T* a, int*, index number) {
    T *v = a + n * n, *memory = v + n * n;
    copy_in(a, matrix_of<T>(c, 0, number, n, n));
    if (!all_finite(a, n * n)) return not_finite;
    const int info = lapack<T>::geev(column_major, 'N', 'V', whole(n), a, whole(n), result_of<T>(c, 0, number, n),
                                     result_of<T>(c, 1, number, n), nullptr, whole(n), v, whole(n), memory, work);
    if (info == 0) copy_out(result_of<T>(c, 2, number, n * n), v, n, n);
    return info;
  });
}

// Converts eigenvectors from LAPACK's format for real matrices to complex, row-major ones. In that format a real
// eigenvalue has one column, a conjugate pair one column each for its real and imaginary part.
template <class R>
void unpack_vectors(std::complex<R>* to, const R* v, const R* imaginary, index n) {
  for (index j = 0; j < n; ++j) {
    const R *re = v + j * n, *im = re + n;
    const bool pair = imaginary[j] != 0 && j + 1 < n;
    for (index i = 0; i < n; ++i) {
      to[i * n + j] = pair ? std::complex<R>(re[i], im[i]) : std::complex<R>(re[i], 0);
      if (pair) to[i * n + j + 1] = std::conj(to[i * n + j]);
    }
    j += pair;
  }
}

// Eigenvalues of any square matrix, and optionally vectors, as complex numbers.
template <class T>
void run_eigen(const stack_call& c, bool vectors) {
  using R = real_of<T>;
  const index n = c.sizes[0];
  if (n == 0) return;
  const char job = vectors ? 'V' : 'N';
  const auto geev = [n, job](T* a, T* values, T* imaginary, T* v, T* memory, int work, R* more) {
    return run_lapack<T>(lapack<T>::geev, column_major, 'N', job, whole(n), a, whole(n), values, only_real{imaginary},
                         nullptr, whole(n), v, whole(n), memory, work, only_complex{more});
  };
  T size{};
  R reals{};  // its size is queried too, though it is always 2 n
  geev(nullptr, nullptr, nullptr, nullptr, &size, -1, &reals);
  const int work = asked(size);
  each_matrix<T>(c, spectral_cost(n, n), 2 * n * n + work + 2 * n, 0, failure::eigen, [&](T* a, int*, index number) {
    T *const v = a + n * n, *const memory = v + n * n, *const more = memory + work;
    std::complex<R>* const to = result_of<std::complex<R>>(c, 0, number, n);
    copy_in(a, matrix_of<T>(c, 0, number, n, n));
    if (!all_finite(a, n * n)) return not_finite;
    T *const values = is_complex_type<T> ? more + n : more, *const imaginary = more + n;
    if (const int info = geev(a, values, imaginary, v, memory, work, parts(more)); info != 0) return info;
    if constexpr (is_complex_type<T>) {
      std::copy_n(values, n, to);
      if (vectors) copy_out(result_of<T>(c, 1, number, n * n), v, n, n);
    } else {
      for (index i = 0; i < n; ++i) to[i] = {values[i], imaginary[i]};
      if (vectors) unpack_vectors(result_of<std::complex<R>>(c, 1, number, n * n), v, imaginary, n);
    }
    return 0;
  });
}

// Singular values, and vectors if `job` asks for them ('A', 'S'). a is m x n, or m and n are swapped.
template <class T>
class singular {
  using R = real_of<T>;

 public:
  singular(index m, index n, char job)
      : m_(m), n_(n), k_(std::min(m, n)), us_(job == 'A' ? m : k_), vs_(job == 'A' ? n : k_), job_(job) {
    if (k_ == 0) return;
    T size{};
    R reals{};
    gesdd(nullptr, nullptr, nullptr, nullptr, &size, -1, &reals, nullptr);
    work_ = asked(size);
    const index large = std::max(m, n);
    if (is_complex_type<T>)
      reals_ = room_for<T>(job == 'N' ? 7 * k_ : k_ * std::max(5 * k_ + 7, 2 * large + 2 * k_ + 1));
  }
  index elements() const { return m_ * n_ + k_ + (job_ == 'N' ? 0 : m_ * us_ + vs_ * n_) + work_ + reals_; }
  index integers() const { return 8 * k_; }
  index us() const { return us_; }
  index vs() const { return vs_; }
  index count() const { return k_; }

  // Column-major results, in `memory`.
  struct found {
    R* s;
    T *u, *vh;
    int info;
  };
  found operator()(T* memory, int* numbers, const matrix<T>& from) const {
    T *const a = memory, *const u = a + m_ * n_ + k_;
    R* const s = parts(a + m_ * n_);
    T *const vh = u + (job_ == 'N' ? 0 : m_ * us_), *const work = vh + (job_ == 'N' ? 0 : vs_ * n_);
    copy_in(a, from);
    if (!all_finite(a, m_ * n_)) return {s, u, vh, not_finite};
    if (k_ == 0) return {s, u, vh, 0};
    return {s, u, vh, gesdd(a, s, u, vh, work, work_, parts(work + work_), numbers)};
  }

 private:
  int gesdd(T* a, R* s, T* u, T* vh, T* work, int size, R* more, int* numbers) const {
    return run_lapack<T>(lapack<T>::gesdd, column_major, job_, whole(m_), whole(n_), a, whole(m_), s, u, whole(m_), vh,
                         whole(vs_), work, size, only_complex{more}, numbers);
  }

  index m_, n_, k_, us_, vs_;
  char job_;
  int work_ = 0;
  index reals_ = 0;
};

// u, singular values in descending order, v'. Outputs: only the values, or all three.
template <class T>
void run_svd(const stack_call& c, bool vectors) {
  const index m = c.sizes[0], n = c.sizes[1];
  const singular<T> svd(m, n, !vectors ? 'N' : *static_cast<const bool*>(c.parameters) ? 'A' : 'S');
  const index k = svd.count();
  each_matrix<T>(c, spectral_cost(m, n), svd.elements(), svd.integers(), failure::svd,
                 [&](T* memory, int* numbers, index number) {
                   const auto r = svd(memory, numbers, matrix_of<T>(c, 0, number, m, n));
                   if (r.info != 0) return r.info;
                   std::copy_n(r.s, k, result_of<real_of<T>>(c, vectors ? 1 : 0, number, k));
                   if (!vectors) return 0;
                   if (k == 0) {
                     set_identity(r.u, m, svd.us());
                     set_identity(r.vh, svd.vs(), n);
                   }
                   copy_out(result_of<T>(c, 0, number, m * svd.us()), r.u, m, svd.us());
                   copy_out(result_of<T>(c, 2, number, svd.vs() * n), r.vh, svd.vs(), n);
                   return 0;
                 });
}

// The least squares solution of smallest norm, by a complete orthogonal factorisation.
template <class T>
void run_least_squares(const stack_call& c, index wanted, bool vector) {
  const index m = c.sizes[0], n = c.sizes[1], tall = std::max(m, n);
  if (m == 0 || n == 0 || wanted == 0) {
    std::fill_n(static_cast<T*>(c.outputs[0]), c.count() * n * wanted, T(0));
    return;
  }
  using R = real_of<T>;
  const R least = std::numeric_limits<R>::epsilon() * static_cast<R>(tall);
  const auto gelsy = [&](T* a, T* b, int* pivots, T* memory, int work, R* more) {
    int rank = 0;
    run_lapack<T>(lapack<T>::gelsy, column_major, whole(m), whole(n), whole(wanted), a, whole(m), b, whole(tall),
                  pivots, least, &rank, memory, work, only_complex{more});
  };
  T size{};
  gelsy(nullptr, nullptr, nullptr, &size, -1, nullptr);
  const int work = asked(size);
  each_matrix<T>(c, spectral_cost(m, n), m * n + tall * wanted + work + room_for<T>(2 * n), n, failure::solve,
                 [&](T* a, int* pivots, index number) {
                   T *b = a + m * n, *memory = b + tall * wanted, *const to = result_of<T>(c, 0, number, n * wanted);
                   copy_in(a, matrix_of<T>(c, 0, number, m, n));
                   const auto right = vector ? vector_of<T>(c, 1, number, m) : matrix_of<T>(c, 1, number, m, wanted);
                   for (index j = 0; j < wanted; ++j)
                     for (index i = 0; i < m; ++i) b[i + j * tall] = right(i, j);
                   if (!all_finite(a, m * n)) {
                     std::fill_n(to, n * wanted, not_a_number<T>());
                     return 0;
                   }
                   std::fill_n(pivots, n, 0);
                   gelsy(a, b, pivots, memory, work, parts(memory + work));
                   for (index i = 0; i < n; ++i)
                     for (index j = 0; j < wanted; ++j) to[i * wanted + j] = b[i + j * tall];
                   return 0;
                 });
}

// Singular values up to this count as zero.
template <class T>  // real
T threshold(const tolerance& t, T largest, index m, index n) {
  const T relative = t.relative >= 0  ? static_cast<T>(t.relative)
                     : t.absolute > 0 ? T(0)
                                      : std::numeric_limits<T>::epsilon() * static_cast<T>(std::max(m, n));
  return std::max(static_cast<T>(t.absolute), relative * largest);
}

template <class T>
void run_rank(const stack_call& c) {
  const index m = c.sizes[0], n = c.sizes[1];
  const auto& t = *static_cast<const tolerance*>(c.parameters);
  const singular<T> svd(m, n, 'N');
  each_matrix<T>(c, spectral_cost(m, n), svd.elements(), svd.integers(), failure::svd,
                 [&](T* memory, int* numbers, index number) {
                   const auto r = svd(memory, numbers, matrix_of<T>(c, 0, number, m, n));
                   if (r.info != 0) return r.info;
                   const real_of<T> least = svd.count() == 0 ? real_of<T>(0) : threshold(t, r.s[0], m, n);
                   *result_of<std::int64_t>(c, 0, number, 1) =
                       std::count_if(r.s, r.s + svd.count(), [&](real_of<T> x) { return x > least; });
                   return 0;
                 });
}

template <class T>
void run_pseudo_inverse(const stack_call& c) {
  const index m = c.sizes[0], n = c.sizes[1];
  const auto& t = *static_cast<const tolerance*>(c.parameters);
  const singular<T> svd(m, n, 'S');
  const index k = svd.count();
  if (k == 0) return;
  each_matrix<T>(c, spectral_cost(m, n), svd.elements(), svd.integers(), failure::svd,
                 [&](T* memory, int* numbers, index number) {
                   const auto r = svd(memory, numbers, matrix_of<T>(c, 0, number, m, n));
                   if (r.info != 0) return r.info;
                   const real_of<T> least = threshold(t, r.s[0], m, n);
                   for (index j = 0; j < k; ++j) {
                     const real_of<T> scale = r.s[j] > least ? 1 / r.s[j] : real_of<T>(0);
                     for (index i = 0; i < m; ++i) r.u[i + j * m] = conjugated(r.u[i + j * m]) * scale;
                   }
                   if constexpr (is_complex_type<T>)
                     for (index i = 0; i < k * n; ++i) r.vh[i] = conjugated(r.vh[i]);
                   // v (n x k) times u' (k x m): column-major vh is v by rows, u is u' by rows.
                   product_problem<T> p;
                   p.a = {r.vh, n, k, k, 1};
                   p.b = {r.u, k, m, m, 1};
                   p.c = result_of<T>(c, 0, number, n * m);
                   p.ldc = m;
                   p.how.threads = 1;
                   multiply(p);
                   return 0;
                 });
}

bool by_singular_values(const norm_kind& k) {
  return k.what == norm_kind::kind::nuclear || (k.what == norm_kind::kind::number && (k.order == 2 || k.order == -2));
}

// A norm that needs no singular values, of a column-major matrix.
template <class T>
real_of<T> plain_norm(const T* a, index m, index n, const norm_kind& k) {
  using R = real_of<T>;
  if (k.what == norm_kind::kind::frobenius) {
    // As real numbers. Squares of f32 are in the range of f64; where the sum of those of f64 may not be, they are
    // scaled.
    const R* const reals = reinterpret_cast<const R*>(a);
    const index count = m * n * static_cast<index>(sizeof(T) / sizeof(R));
    const double total = norms<R>().sum_of_squares(reals, count);
    if (sizeof(R) == 4 || (total > 1e-280 && total < 1e300)) return static_cast<R>(std::sqrt(total));
    R largest = 0, sum = 0;
    for (index i = 0; i < m * n; ++i) {
      const R x = std::abs(a[i]);
      if (!(x <= largest)) largest = x;
    }
    if (largest == 0 || !(largest - largest == 0)) return largest;
    for (index i = 0; i < m * n; ++i) sum += (std::abs(a[i]) / largest) * (std::abs(a[i]) / largest);
    return largest * std::sqrt(sum);
  }
  const bool by_columns = k.order == 1 || k.order == -1;
  R best = 0;
  for (index i = 0; i < (by_columns ? n : m); ++i) {
    R sum = 0;
    for (index j = 0; j < (by_columns ? m : n); ++j) sum += std::abs(by_columns ? a[j + i * m] : a[i + j * m]);
    if (sum != sum) return sum;
    if (i == 0 || (k.order > 0 ? sum > best : sum < best)) best = sum;
  }
  return best;
}
template <class T>  // real
T norm_of_values(const T* s, index count, const norm_kind& k) {
  if (count == 0) return 0;
  if (k.what != norm_kind::kind::nuclear) return k.order > 0 ? s[0] : s[count - 1];
  T sum = 0;
  for (index i = 0; i < count; ++i) sum += s[i];
  return sum;
}

template <class T>
void run_norm(const stack_call& c) {
  const index m = c.sizes[0], n = c.sizes[1];
  const auto& k = *static_cast<const norm_kind*>(c.parameters);
  const singular<T> svd(m, n, 'N');
  const bool values = by_singular_values(k);
  each_matrix<T>(
      c, values ? spectral_cost(m, n) : static_cast<double>(2 * m * n + 50), svd.elements(), svd.integers(),
      failure::svd, [&](T* memory, int* numbers, index number) {
        using R = real_of<T>;
        R& to = *result_of<R>(c, 0, number, 1);
        const auto from = matrix_of<T>(c, 0, number, m, n);
        if (!values) {
          // Frobenius' norm does not depend on the order of the elements.
          const bool as_it_lies = k.what == norm_kind::kind::frobenius && from.row_stride == n && from.col_stride == 1;
          if (!as_it_lies) copy_in(memory, from);
          to = plain_norm(as_it_lies ? from.data : memory, m, n, k);
          return 0;
        }
        const auto r = svd(memory, numbers, from);
        to = r.info == not_finite ? std::numeric_limits<R>::quiet_NaN() : norm_of_values(r.s, svd.count(), k);
        return r.info == not_finite ? 0 : r.info;
      });
}

// Elements whose largest is far from 1 times a power of two.
template <class T>
void bring_to_one(T* x, index n) {
  using R = real_of<T>;
  R largest = 0;
  for (index i = 0; i < n; ++i) largest = std::max(largest, static_cast<R>(std::abs(x[i])));
  if (largest == 0 || std::isinf(largest)) return;
  const int exponent = std::ilogb(largest);
  if (std::abs(exponent) < std::numeric_limits<R>::max_exponent / 4) return;
  for (index i = 0; i < n; ++i)
    if constexpr (is_complex_type<T>)
      x[i] = {std::ldexp(x[i].real(), -exponent), std::ldexp(x[i].imag(), -exponent)};
    else
      x[i] = std::ldexp(x[i], -exponent);
}

template <class T>
void run_condition(const stack_call& c) {
  const index m = c.sizes[0], n = c.sizes[1];
  const auto& k = *static_cast<const norm_kind*>(c.parameters);
  const singular<T> svd(m, n, 'N');
  const bool two = k.what == norm_kind::kind::number && (k.order == 2 || k.order == -2);
  each_matrix<T>(
      c, 2 * spectral_cost(m, n), svd.elements() + 3 * m * n, svd.integers() + n, failure::svd,
      [&](T* memory, int* numbers, index number) {
        using R = real_of<T>;
        R& to = *result_of<R>(c, 0, number, 1);
        const auto from = matrix_of<T>(c, 0, number, m, n);
        if (m == 0 || n == 0) {
          to = 0;
          return 0;
        }
        if (two) {
          const auto r = svd(memory, numbers, from);
          if (r.info == not_finite) {
            to = std::numeric_limits<R>::quiet_NaN();
            return 0;
          }
          const R most = r.s[0], least = r.s[svd.count() - 1];
          to = k.order > 0 ? most / least : least / most;
          return r.info;
        }
        // The norm of the matrix times the norm of its inverse.
        T *const lu = memory + svd.elements(), *const inverse = lu + n * n;
        int* const pivots = numbers + svd.integers();
        const auto norm = [&](const matrix<T>& x) {
          copy_in(memory, x);
          if (!by_singular_values(k)) return plain_norm(memory, n, n, k);
          const auto r = svd(memory, numbers, x);
          return r.info != 0 ? std::numeric_limits<R>::quiet_NaN() : norm_of_values(r.s, n, k);
        };
        copy_in(lu, from);
        if (!all_finite(lu, n * n)) {
          to = std::numeric_limits<R>::quiet_NaN();
          return 0;
        }
        // Of a multiple by a power of two where an inverse would leave the range: it has the same condition.
        T* const own = inverse + n * n;
        bring_to_one(lu, n * n);
        std::copy_n(lu, n * n, own);
        const matrix<T> scaled{own, n, n, 1, n};
        const R first = norm(scaled);
        const grid<T> halves = by_columns(lu, n);
        const matrix<T> lower_upper = halves.read(n, n);
        if (factor_lu(halves, n, n, pivots, threads_within(c)) != 0 || lost_pivot(scaled, lower_upper) >= 0) {
          to = std::numeric_limits<R>::infinity();
          return 0;
        }
        invert_factored(lower_upper, pivots, by_columns(inverse, n), threads_within(c));
        to = first * norm({inverse, n, n, 1, n});
        return 0;
      });
}

}  // namespace

BROADLOOM_STACK_FUNCTION(symmetric_values, run_symmetric<T>(c, false))
BROADLOOM_STACK_FUNCTION(symmetric_vectors, run_symmetric<T>(c, true))
void general_vectors(const stack_call& c) {
  by_type(floating_types{}, c.type, [&]<class T>() { run_general<T>(c); });
}
BROADLOOM_STACK_FUNCTION(complex_values, run_eigen<T>(c, false))
BROADLOOM_STACK_FUNCTION(complex_vectors, run_eigen<T>(c, true))
BROADLOOM_STACK_FUNCTION(singular_values, run_svd<T>(c, false))
BROADLOOM_STACK_FUNCTION(singular_vectors, run_svd<T>(c, true))
BROADLOOM_STACK_FUNCTION(least_squares, run_least_squares<T>(c, c.sizes[2], false))
BROADLOOM_STACK_FUNCTION(least_squares_vector, run_least_squares<T>(c, 1, true))
BROADLOOM_STACK_FUNCTION(matrix_rank, run_rank<T>(c))
BROADLOOM_STACK_FUNCTION(pseudo_inverse, run_pseudo_inverse<T>(c))
BROADLOOM_STACK_FUNCTION(matrix_norm, run_norm<T>(c))
BROADLOOM_STACK_FUNCTION(condition, run_condition<T>(c))

}  // namespace broadloom::runtime
