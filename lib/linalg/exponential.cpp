// The exponential of matrices: Pade approximants and repeated squaring (N. Higham, The scaling and squaring method for
// the matrix exponential revisited, 2005). Products and factorisation are Eigen's.
#define BROADLOOM_EIGEN broadloom_eigen_exponential
#include "eigen.hpp"

#include <Eigen/LU>

#include <broadloom/linalg/factor.hpp>

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "stack.hpp"

namespace broadloom::runtime {

namespace {

// The approximant of an order, by its coefficients of powers 0, 1, ...; it is as exact as the element type up to these
// norms, and not used where they are 0.
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

template <class T>
class exponential {
  using dense = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;
  using real = real_of<T>;

 public:
  explicit exponential(index n) : n_(n), a_(n, n), u_(n, n), v_(n, n), next_(n, n), pivots_(n) {
    for (dense& power : even_) power.resize(n, n);
  }
  // n x n elements, column-major: the argument before run(), its exponential after it.
  T* elements() { return a_.data(); }

  void run() {
    const real norm = largest_column();
    const pade* best = approximants;
    while (!(norm < bound(*best)) && best->order != last_order) ++best;
    int squarings = 0;
    if (best->order == last_order && !(norm < bound(*best))) std::frexp(norm / bound(*best), &squarings);
    if (squarings < 0) squarings = 0;
    for (index i = 0; squarings != 0 && i < n_ * n_; ++i) a_.data()[i] = scaled(a_.data()[i], -squarings);
    approximate(*best);
    divide();
    for (; squarings > 0; --squarings) {
      multiply(next_, a_, a_);
      a_.swap(next_);
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
      for (index i = 0; i < n_; ++i) sum += std::abs(a_(i, j));
      if (largest < sum) largest = sum;
    }
    return largest;
  }
  // The one product that all others are, so that Eigen's is compiled once for each type.
  static void multiply(dense& to, const dense& x, const dense& y) { to.noalias() = x * y; }

  // to, or what is added to it: the sum of the terms of power high, high - 2, ..., low, from the highest down, divided
  // by a^shift.
  void sum_terms(dense& to, const pade& p, int high, int low, int shift, bool add = false) const {
    for (index j = 0; j < n_; ++j)
      for (index i = 0; i < n_; ++i) {
        T sum = coefficient(p, high) * even_[(high - shift) / 2 - 1](i, j);
        for (int power = high - 2; power >= low; power -= 2) {
          const int k = (power - shift) / 2;
          sum += k != 0 ? coefficient(p, power) * even_[k - 1](i, j) : T(i == j ? coefficient(p, power) : 0);
        }
        to(i, j) = add ? to(i, j) + sum : sum;
      }
  }
  static real coefficient(const pade& p, int power) { return static_cast<real>(p.of_power[power]); }

  // The numerator is u + v, its odd and its even powers; the denominator v - u.
  void approximate(const pade& p) {
    multiply(even_[0], a_, a_);
    const int powers = p.order == 13 ? 3 : p.order / 2;
    for (int k = 1; k < powers; ++k) multiply(even_[k], even_[k - 1], even_[0]);
    if (p.order == 13) {
      // a^6 times the terms above a^6, and those up to it.
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
  // a = (v - u)^-1 (u + v), solved from the right for its transpose: rows of the result are what is contiguous then.
  void divide() {
    for (index j = 0; j < n_; ++j)
      for (index i = 0; i < n_; ++i) {
        const T u = u_(i, j), v = v_(i, j);
        next_(j, i) = u + v;
        u_(i, j) = v - u;
      }
    int swaps = 0;
    Eigen::internal::partial_lu_impl<T, Eigen::ColMajor, int, Eigen::Dynamic>::blocked_lu(n_, n_, u_.data(), n_,
                                                                                          pivots_.data(), swaps);
    for (index i = 0; i < n_; ++i)
      if (pivots_[i] != i) std::swap_ranges(&next_(0, i), &next_(0, i) + n_, &next_(0, pivots_[i]));
    const auto lu = u_.transpose();
    lu.template triangularView<Eigen::UnitUpper>().template solveInPlace<Eigen::OnTheRight>(next_);
    lu.template triangularView<Eigen::Lower>().template solveInPlace<Eigen::OnTheRight>(next_);
    copy_out(a_.data(), next_.data(), n_, n_);
  }

  index n_;
  dense a_, even_[4], u_, v_, next_;
  Eigen::Matrix<int, Eigen::Dynamic, 1> pivots_;
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
      if (all_finite(of.elements(), n * n)) {
        of.run();
        copy_out(to, of.elements(), n, n);
      } else {
        std::fill_n(to, n * n, not_a_number<T>());
      }
    }
  });
}

}  // namespace

void matrix_exponential(const stack_call& c) {
  by_type(c, [&]<class T>() { run_exponential<T>(c); });
}

}  // namespace broadloom::runtime
