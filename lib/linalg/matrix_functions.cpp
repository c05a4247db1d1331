// Square roots and logarithms of matrices, by the complex Schur decomposition: a = z t z', f(a) = z f(t) z'. Elements
// of every type are computed in complex numbers of f64.
#include <broadloom/linalg/matrix_functions.hpp>

#include <cmath>
#include <complex>
#include <cstring>
#include <limits>
#include <utility>

#include "lapack_stack.hpp"
#include "lu.hpp"

namespace broadloom::runtime {

namespace {

using number = std::complex<double>;

// Products as written, without C's rules for infinite parts.
number times(number x, number y) {
  return {x.real() * y.real() - x.imag() * y.imag(), x.real() * y.imag() + x.imag() * y.real()};
}
// y[0, n) -= x * a[0, n)
void subtract_multiple(number* y, const number* a, number x, index n) {
  for (index i = 0; i < n; ++i) y[i] -= times(a[i], x);
}

enum outcome : int { fine = 0, infinite = not_finite, complex_result = 1, singular_matrix = 2, diverged = 3 };

// What a function of one matrix works in, n x n each.
struct workspace {
  index n;
  number *t, *z, *r, *x, *y;
  explicit workspace(number* memory, index size)
      : n(size), t(memory), z(t + n * n), r(z + n * n), x(r + n * n), y(x + n * n) {}
  static index elements(index n) { return 5 * n * n; }
};

// One rotation of rows and columns k - 1 and k makes a 2 x 2 block of a real Schur form triangular.
void split_block(number* t, number* z, index n, index k) {
  number* const left = t + (k - 1) * n;
  number* const right = t + k * n;
  const number half = (left[k - 1] - right[k]) * 0.5;
  const number shift = half + std::sqrt(times(half, half) + times(left[k], right[k - 1]));
  const double length = std::hypot(std::abs(shift), std::abs(left[k]));
  const number c = shift / length, s = left[k] / length;
  for (index j = k - 1; j < n; ++j) {
    const number a = t[k - 1 + j * n], b = t[k + j * n];
    t[k - 1 + j * n] = times(std::conj(c), a) + times(std::conj(s), b);
    t[k + j * n] = times(c, b) - times(s, a);
  }
  const auto turn = [&](number* p, number* q, index rows) {
    for (index i = 0; i < rows; ++i) {
      const number a = p[i], b = q[i];
      p[i] = times(a, c) + times(b, s);
      q[i] = times(b, std::conj(c)) - times(a, std::conj(s));
    }
  };
  turn(left, right, k + 1);
  turn(z + (k - 1) * n, z + k * n, n);
}

// The complex Schur form of a real or complex matrix. `real` and `work` are memory for real ones and for LAPACK.
class schur_form {
 public:
  schur_form(index n, bool of_real) : n_(n), real_(of_real) {
    if (n == 0) return;
    int none = 0;
    if (real_) {
      double size = 0;
      lapack<double>::gees(column_major, 'V', 'N', nullptr, whole(n), nullptr, whole(n), &none, nullptr, nullptr,
                           nullptr, whole(n), &size, -1, nullptr);
      work_ = asked(size);
    } else {
      number size;
      lapack<number>::gees(column_major, 'V', 'N', nullptr, whole(n), nullptr, whole(n), &none, nullptr, nullptr,
                           whole(n), &size, -1, nullptr, nullptr);
      work_ = asked(size);
    }
  }
  index elements() const { return real_ ? n_ * n_ + n_ + (work_ + 1) / 2 : 2 * n_ + work_; }

  // t is the matrix and becomes the triangle. A real matrix's function is real if no eigenvalue is negative.
  outcome operator()(number* t, number* z, number* memory) const {
    int none = 0;
    if (!real_) {
      const int info = lapack<number>::gees(column_major, 'V', 'N', nullptr, whole(n_), t, whole(n_), &none, memory, z,
                                            whole(n_), memory + 2 * n_, work_, parts(memory + n_), nullptr);
      return info == 0 ? fine : diverged;
    }
    double* const a = parts(memory);
    double *const q = a + n_ * n_, *const values = q + n_ * n_, *const work = values + 2 * n_;
    for (index i = 0; i < n_ * n_; ++i) a[i] = t[i].real();
    if (lapack<double>::gees(column_major, 'V', 'N', nullptr, whole(n_), a, whole(n_), &none, values, values + n_, q,
                             whole(n_), work, work_, nullptr) != 0)
      return diverged;
    for (index i = 0; i < n_; ++i)
      if (values[i] < 0 && values[n_ + i] == 0) return complex_result;
    for (index i = 0; i < n_ * n_; ++i) t[i] = a[i];
    for (index i = 0; i < n_ * n_; ++i) z[i] = q[i];
    for (index k = n_ - 1; k > 0; --k) {
      if (t[k + (k - 1) * n_] != 0.0) split_block(t, z, n_, k);
      t[k + (k - 1) * n_] = 0;
    }
    return fine;
  }

 private:
  index n_;
  bool real_;
  int work_ = 0;
};

// The square root of a triangle; false where it has none.
bool triangle_root(number* r, const number* t, index n) {
  for (index j = 0; j < n; ++j) {
    number* const own = r + j * n;
    std::memcpy(static_cast<void*>(own), t + j * n, static_cast<std::size_t>(n) * sizeof(number));
    own[j] = std::sqrt(own[j]);
    for (index i = j - 1; i >= 0; --i) {
      const number sum = r[i + i * n] + own[j];
      if (sum == 0.0) {
        if (own[i] != 0.0) return false;
        continue;
      }
      own[i] /= sum;
      subtract_multiple(own, r + i * n, own[i], i);
    }
  }
  return true;
}

double norm_from_identity(const number* t, index n) {
  double largest = 0;
  for (index j = 0; j < n; ++j) {
    double sum = 0;
    for (index i = 0; i <= j; ++i) sum += std::abs(t[i + j * n] - (i == j ? 1.0 : 0.0));
    if (sum > largest) largest = sum;
  }
  return largest;
}

// x^(1 / 2^roots) - 1 without cancellation (Al-Mohy 2012).
number root_less_one(number x, int roots) {
  if (roots == 0) return x - 1.0;
  if (x.real() <= 0) {
    x = std::sqrt(x);
    --roots;
  }
  const number less = x - 1.0;
  number product = 1;
  for (int k = 0; k < roots; ++k) {
    x = std::sqrt(x);
    product = times(product, 1.0 + x);
  }
  return less / product;
}

// What stands above the diagonal between two eigenvalues, exactly: t12 (log b - log a) / (b - a).
number above_diagonal(number a, number b, number t12) {
  if (a == b) return t12 / a;
  const number difference = b - a, logs = std::log(b) - std::log(a);
  if (std::abs(difference) > std::abs(a + b) / 2) return times(t12, logs) / difference;
  constexpr double pi = 3.14159265358979323846;
  const double turns = std::ceil((logs.imag() - pi) / (2 * pi));
  return times(t12, 2.0 * (std::atanh(difference / (a + b)) + number(0, pi * turns))) / difference;
}

// y = the logarithm of the triangle t: square roots until it is near 1, then the integral of x / (1 + s x) over s in
// [0, 1] by Gauss and Legendre, which is the Pade approximant of log(1 + x).
bool triangle_log(const workspace& w) {
  const index n = w.n;
  for (index i = 0; i < n; ++i)
    if (w.t[i + i * n] == 0.0) return false;
  const auto bytes = static_cast<std::size_t>(n * n) * sizeof(number);
  std::memcpy(static_cast<void*>(w.r), w.t, bytes);
  int roots = 0;
  number* root = w.r;
  number* spare = w.x;
  for (; norm_from_identity(root, n) > 0.25 && roots < 100; ++roots) {
    std::memset(static_cast<void*>(spare), 0, bytes);
    if (!triangle_root(spare, root, n)) return false;
    std::swap(root, spare);
  }
  for (index i = 0; i < n; ++i) root[i + i * n] = root_less_one(w.t[i + i * n], roots);
  constexpr double nodes[] = {0.1834346424956498, 0.5255324099163290, 0.7966664774136267, 0.9602898564975363};
  constexpr double weights[] = {0.3626837833783620, 0.3137066458778873, 0.2223810344533745, 0.1012285362903763};
  std::memset(static_cast<void*>(w.y), 0, bytes);
  for (int k = 0; k < 8; ++k) {
    const double at = (1 + (k % 2 == 0 ? nodes[k / 2] : -nodes[k / 2])) / 2, weight = weights[k / 2] / 2;
    for (index j = 0; j < n; ++j) {
      number* const v = spare;
      std::memcpy(static_cast<void*>(v), root + j * n, static_cast<std::size_t>(j + 1) * sizeof(number));
      for (index i = j; i >= 0; --i) {
        v[i] /= 1.0 + at * root[i + i * n];
        subtract_multiple(v, root + i * n, at * v[i], i);
        w.y[i + j * n] += weight * v[i];
      }
    }
  }
  const double scale = std::ldexp(1.0, roots);
  for (index i = 0; i < n * n; ++i) w.y[i] *= scale;
  for (index i = 0; i < n; ++i) {
    w.y[i + i * n] = std::log(w.t[i + i * n]);
    if (i > 0) w.y[i - 1 + i * n] = above_diagonal(w.t[i - 1 + (i - 1) * n], w.t[i + i * n], w.t[i - 1 + i * n]);
  }
  return true;
}

template <class T>
T from_number(number x) {
  if constexpr (is_complex_type<T>)
    return {static_cast<real_of<T>>(x.real()), static_cast<real_of<T>>(x.imag())};
  else
    return static_cast<T>(x.real());
}

// z f(t) z' for each matrix, where of_triangle(w) leaves f(t) in w.y, or says that there is none.
template <class T, class F>
void run_function(const stack_call& c, failure what, const F& of_triangle) {
  const index n = c.sizes[0];
  const schur_form schur(n, !is_complex_type<T>);
  each_matrix<number>(c, 3 * spectral_cost(n, n), workspace::elements(n) + schur.elements(), 0, what,
                      [&](number* memory, int*, index which) {
                        const workspace w(memory, n);
                        const auto from = matrix_of<T>(c, 0, which, n, n);
                        for (index j = 0; j < n; ++j)
                          for (index i = 0; i < n; ++i) w.t[i + j * n] = number(from(i, j));
                        if (!all_finite(w.t, n * n)) return static_cast<int>(infinite);
                        if (n == 0) return static_cast<int>(fine);
                        if (const outcome r = schur(w.t, w.z, memory + workspace::elements(n)); r != fine)
                          return static_cast<int>(r);
                        if (!of_triangle(w)) return static_cast<int>(singular_matrix);
                        multiply_square(w.r, w.z, w.y, n);
                        for (index j = 0; j < n; ++j)
                          for (index i = 0; i < n; ++i) w.x[j + i * n] = std::conj(w.z[i + j * n]);
                        multiply_square(w.y, w.r, w.x, n);
                        T* const to = result_of<T>(c, 0, which, n * n);
                        for (index i = 0; i < n; ++i)
                          for (index j = 0; j < n; ++j) to[i * n + j] = from_number<T>(w.y[i + j * n]);
                        return static_cast<int>(fine);
                      });
}

}  // namespace

void matrix_square_root(const stack_call& c) {
  by_type(c, [&]<class T>() {
    run_function<T>(c, failure::square_root, [](const workspace& w) {
      std::memset(static_cast<void*>(w.y), 0, static_cast<std::size_t>(w.n * w.n) * sizeof(number));
      return triangle_root(w.y, w.t, w.n);
    });
  });
}
BROADLOOM_STACK_FUNCTION(matrix_logarithm, run_function<T>(c, failure::logarithm, triangle_log))

}  // namespace broadloom::runtime
