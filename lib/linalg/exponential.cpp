// The exponential of matrices: Pade approximants and repeated squaring (N. Higham, The scaling and squaring method for
// the matrix exponential revisited, 2005). Products and factorisation are those of matrix_power and solve.
#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>

#include <broadloom/linalg/factor.hpp>

#include "lu.hpp"
#include "stack.hpp"

namespace broadloom::runtime {

namespace {

// The Pade approximant of an order, as its coefficients of powers 0, 1, ... It is as accurate as the element type up to
// these norms; a norm of 0: not used for this type.
struct pade {
  int order;
  float f32_norm;
  double f64_norm;
  double of_power[14];
};
constexpr pade approximants[] = {
    {3, 4.258730016922831e-1F, 1.495585217958292e-2, {120, 60, 12, 1}},
    {5, 1.880152677804762F, 2.539398330063230e-1, {30240, 15120, 3360, 420, 30, 1}},
    {7, 3.925724783138660F, 9.504178996162932e-1, {17297280, 8648640, 1995840, 277200, 25200, 1512, 56, 1}},
    {9, 0, 2.097847961257068, {17643225600, 8821612800, 2075673600, 302702400, 30270240, 2162160, 110880, 3960, 90, 1}},
    {13,
     0,
     5.371920351148152,
     {64764752532480000, 32382376266240000, 7771770303897600, 1187353796428800, 129060195264000, 10559470521600,
      670442572800, 33522128640, 1323241920, 40840800, 960960, 16380, 182, 1}}};

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC push_options
#pragma GCC optimize("O3")
#endif

constexpr index small = 8;  // matrices that plain loops compute faster than the kernels of large ones

template <class T>
T product(const T& x, const T& y) {
  if constexpr (is_complex_type<T>)  // the operator looks for infinities
    return {x.real() * y.real() - x.imag() * y.imag(), x.real() * y.imag() + x.imag() * y.real()};
  else
    return x * y;
}
// to = x * y, column-major.
template <class T>
void multiply_small(T* to, const T* x, const T* y, index n) {
  for (index j = 0; j < n; ++j) {
    T sums[small] = {};
    for (index k = 0; k < n; ++k)
      for (index i = 0; i < n; ++i) sums[i] += product(x[i + k * n], y[k + j * n]);
    for (index i = 0; i < n; ++i) to[i + j * n] = sums[i];
  }
}
// x = a^-1 x by elimination, a's rows ordered by the largest pivot; both row-major.
template <class T>
void solve_small(T* a, T* x, index n) {
  const auto subtract = [](T* to, const T& factor, const T* row, index count) {
    for (index j = 0; j < count; ++j) to[j] -= product(factor, row[j]);
  };
  for (index k = 0; k < n; ++k) {
    index pivot = k;
    for (index i = k + 1; i < n; ++i)
      if (pivot_size(a[i * n + k]) > pivot_size(a[pivot * n + k])) pivot = i;
    if (pivot != k) {
      std::swap_ranges(a + k * n, a + (k + 1) * n, a + pivot * n);
      std::swap_ranges(x + k * n, x + (k + 1) * n, x + pivot * n);
    }
    for (index i = k + 1; i < n; ++i) {
      const T factor = a[i * n + k] / a[k * n + k];
      subtract(a + i * n + k + 1, factor, a + k * n + k + 1, n - k - 1);
      subtract(x + i * n, factor, x + k * n, n);
    }
  }
  for (index k = n - 1; k >= 0; --k) {
    for (index j = 0; j < n; ++j) x[k * n + j] /= a[k * n + k];
    for (index i = 0; i < k; ++i) subtract(x + i * n, a[i * n + k], x + k * n, n);
  }
}

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC pop_options
#endif

template <class T>
class exponential {
  using real = real_of<T>;

 public:
  explicit exponential(index n) : n_(n), memory_(9 * n * n), pivots_(n) {
    T* to = memory_.data();
    for (T** const m : {&a_, &u_, &v_, &next_, &unit_, &even_[0], &even_[1], &even_[2], &even_[3]}) {
      *m = to;
      to += n * n;
    }
  }
  // n x n elements, column-major: the argument before run(), its exponential after it.
  T* elements() { return a_; }

  void run() {
    const real norm = largest_column();
    const pade* best = approximants;
    while (!(norm < bound(*best)) && best->order != last_order) ++best;
    int squarings = 0;
    if (best->order == last_order && !(norm < bound(*best))) std::frexp(norm / bound(*best), &squarings);
    if (squarings < 0) squarings = 0;
    for (index i = 0; squarings != 0 && i < n_ * n_; ++i) a_[i] = scaled(a_[i], -squarings);
    approximate(*best);
    divide();
    for (; squarings > 0; --squarings) {
      multiply(next_, a_, a_);
      std::swap(a_, next_);
    }
  }

 private:
  static constexpr int last_order = std::is_same_v<real, float> ? 7 : 13;
  static real bound(const pade& p) {
    if constexpr (std::is_same_v<real, float>)
      return p.f32_norm;
    else
      return p.f64_norm;
  }
  static T scaled(const T& x, int exponent) {
    if constexpr (is_complex_type<T>)
      return {std::ldexp(x.real(), exponent), std::ldexp(x.imag(), exponent)};
    else
      return std::ldexp(x, exponent);
  }
  real largest_column() const {
    real largest = 0;
    for (index j = 0; j < n_; ++j) {
      real sum = 0;
      for (index i = 0; i < n_; ++i) sum += std::abs(a_[i + j * n_]);
      if (largest < sum) largest = sum;
    }
    return largest;
  }
  // to = x * y.
  void multiply(T* to, const T* x, const T* y) const {
    if (n_ <= small)
      multiply_small(to, x, y, n_);
    else
      multiply_square(to, x, y, n_);
  }
  // to, or what is added to it: the sum of the terms of power high, high - 2, ..., low, from the highest down, divided
  // by a^shift.
  void sum_terms(T* to, const pade& p, int high, int low, int shift, bool add = false) const {
    for (index j = 0; j < n_; ++j)
      for (index i = 0; i < n_; ++i) {
        const index at = i + j * n_;
        T sum = coefficient(p, high) * even_[(high - shift) / 2 - 1][at];
        for (int power = high - 2; power >= low; power -= 2) {
          const int k = (power - shift) / 2;
          sum += k != 0 ? coefficient(p, power) * even_[k - 1][at] : T(i == j ? coefficient(p, power) : 0);
        }
        to[at] = add ? to[at] + sum : sum;
      }
  }
  static real coefficient(const pade& p, int power) { return static_cast<real>(p.of_power[power]); }

  // The numerator is u + v, its odd and its even powers; the denominator is v - u.
  void approximate(const pade& p) {
    multiply(even_[0], a_, a_);
    const int powers = p.order == 13 ? 3 : p.order / 2;
    for (int k = 1; k < powers; ++k) multiply(even_[k], even_[k - 1], even_[0]);
    if (p.order == 13) {
      // a^6 * the terms above a^6, and the terms up to it.
      sum_terms(v_, p, 13, 9, 7);
      multiply(next_, even_[2], v_);
      sum_terms(next_, p, 7, 1, 1, true);
      multiply(u_, a_, next_);
      sum_terms(next_, p, 12, 8, 6);
      multiply(v_, even_[2], next_);
      sum_terms(v_, p, 6, 0, 0, true);
    } else {
      sum_terms(next_, p, p.order, 1, 1);
      multiply(u_, a_, next_);
      sum_terms(v_, p, p.order - 1, 0, 0);
    }
  }
  // a = (v - u)^-1 (u + v).
  void divide() {
    if (n_ <= small) {
      for (index j = 0; j < n_; ++j)
        for (index i = 0; i < n_; ++i) {
          const T u = u_[i + j * n_], v = v_[i + j * n_];
          next_[i * n_ + j] = u + v;
          unit_[i * n_ + j] = v - u;
        }
      solve_small(unit_, next_, n_);
      return copy_out(a_, next_, n_, n_);
    }
    for (index i = 0; i < n_ * n_; ++i) {
      const T u = u_[i], v = v_[i];
      a_[i] = u + v;
      u_[i] = v - u;
    }
    const grid<T> u = by_columns(u_, n_);
    factor_lu(u, n_, n_, pivots_.data(), 1);
    solve_factored(u.read(n_, n_), pivots_.data(), by_columns(a_, n_), n_, 1);
  }

  index n_;
  buffer<T> memory_;
  T *a_, *u_, *v_, *next_, *unit_, *even_[4];
  buffer<int> pivots_;
};

template <class T>
void run_exponential(const stack_call& c) {
  const index n = c.sizes[0];
  if (n == 0) return;
  in_blocks(c.count(), block_of(20 * cube(n)), c.how, [&](index first, index last) {
    exponential<T> of(n);
    for (index number = first; number < last; ++number) {
      T* const to = result_of<T>(c, 0, number, n * n);
      copy_in(of.elements(), matrix_of<T>(c, 0, number, n, n));
      if (n == 1) {
        *to = std::exp(*of.elements());
      } else if (all_finite(of.elements(), n * n)) {
        of.run();
        copy_out(to, of.elements(), n, n);
      } else {
        std::fill_n(to, n * n, not_a_number<T>());
      }
    }
  });
}

}  // namespace

BROADLOOM_STACK_FUNCTION(matrix_exponential, run_exponential<T>(c))

}  // namespace broadloom::runtime
