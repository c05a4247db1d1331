// Polynomials as arrays of coefficients, of falling powers, as NumPy's: polyval, polyadd, polysub, polymul, polydiv,
// polyder, polyint, poly, roots, polyfit. They evaluate.
#pragma once

#include <complex>

#include <broadloom/fn/complex.hpp>
#include <broadloom/fn/pointwise.hpp>
#include <broadloom/index/gradient.hpp>
#include <broadloom/linalg/decompositions.hpp>
#include <broadloom/linalg/matrix_forms.hpp>
#include <broadloom/linalg/polynomial_call.hpp>

namespace broadloom {

// What polydiv gives.
template <class T>
struct polynomial_quotient {
  dtensor<T, 1> quotient, remainder;
};

namespace detail {

template <class P>
concept polynomial = array<P> && rank_of<node_of<P>> == 1;

template <class T, class P>
dtensor<T, 1> coefficients(P&& p) {
  return dtensor<T, 1>(cast<T>(capture(static_cast<P&&>(p))));
}
// Integers as f64, as in NumPy.
template <class... P>
using divided_type = std::conditional_t<is_floating(dtype_of<promoted<P...>>) || is_complex(dtype_of<promoted<P...>>),
                                        promoted<P...>, double>;

// Loops over them are the library's.
template <class T>
inline constexpr bool compiled_polynomials =
    (std::is_integral_v<T> && !__is_same(T, bool)) || __is_same(T, float) || __is_same(T, double);

// Of other elements: 16 at a time, complex ones one by one.
template <class T>
struct horner {
  const T* c;
  index n;
  pack<T, pack_size> operator()(const pack<T, pack_size>& x) const
    requires(!is_complex_type<T>)
  {
    pack<T, pack_size> r(T(0));
    for (index i = 0; i < n; ++i) r = r * x + c[i];
    return r;
  }
  T operator()(const T& x) const
    requires(is_complex_type<T>)
  {
    T r(0);
    for (index i = 0; i < n; ++i) r = T(r * x) + c[i];
    return r;
  }
};

// The sum or difference, the constant terms at the end of both.
template <class F, class A, class B>
auto aligned_at_end(const F& f, A&& a, B&& b) {
  using T = promoted<A, B>;
  const auto p = coefficients<T>(static_cast<A&&>(a)), q = coefficients<T>(static_cast<B&&>(b));
  const index n = p.size() > q.size() ? p.size() : q.size();
  auto r = dtensor<T, 1>(n);
  for (index i = 0; i < n; ++i) {
    const index j = i - (n - p.size()), k = i - (n - q.size());
    r.data()[i] = static_cast<T>(f(j < 0 ? T(0) : p.data()[j], k < 0 ? T(0) : q.data()[k]));
  }
  return r;
}
// Whose terms are added in the order of p's coefficients.
template <class T>
dtensor<T, 1> products_of(const dtensor<T, 1>& p, const dtensor<T, 1>& q) {
  const index n = p.size(), m = q.size();
  auto r = dtensor<T, 1>::uninitialised(dshape<1>(n + m - 1));
  if constexpr (compiled_polynomials<T>) {
    runtime::multiply_polynomials(dtype_of<T>, p.data(), n, q.data(), m, r.data());
  } else {
    for (index at = 0; at < n + m - 1; ++at) {
      const index last = at < n ? at : n - 1;
      T sum(0);
      for (index i = at < m ? 0 : at - m + 1; i <= last; ++i)
        sum = static_cast<T>(sum + static_cast<T>(p.data()[i] * q.data()[at - i]));
      r.data()[at] = sum;
    }
  }
  return r;
}

}  // namespace detail

// polyval(p, x): p[0] x^(n - 1) + ... + p[n - 1] at each element of x, of any shape, by Horner's rule (NumPy's
// polyval).
inline constexpr struct polyval_t {
  template <detail::polynomial P, array X>
  auto operator()(P&& p, X&& x) const {
    using T = promoted<P, X>;
    const auto c = detail::coefficients<T>(static_cast<P&&>(p));
    if constexpr (detail::compiled_polynomials<T>) {
      auto r = eval(cast<T>(detail::capture(static_cast<X&&>(x))));
      runtime::evaluate_polynomial(dtype_of<T>, c.data(), c.size(), r.data(), r.size());
      return r;
    } else {
      return eval(pointwise(detail::horner<T>{c.data(), c.size()}, cast<T>(detail::capture(static_cast<X&&>(x)))));
    }
  }
} polyval{};

// polyadd(p, q): the sum (NumPy's).
inline constexpr struct polyadd_t {
  template <detail::polynomial P, detail::polynomial Q>
  auto operator()(P&& p, Q&& q) const {
    return detail::aligned_at_end([](auto a, auto b) { return a + b; }, static_cast<P&&>(p), static_cast<Q&&>(q));
  }
} polyadd{};
// polysub(p, q): the difference (NumPy's).
inline constexpr struct polysub_t {
  template <detail::polynomial P, detail::polynomial Q>
  auto operator()(P&& p, Q&& q) const {
    return detail::aligned_at_end([](auto a, auto b) { return a - b; }, static_cast<P&&>(p), static_cast<Q&&>(q));
  }
} polysub{};
// polymul(p, q): the product, without the zeros before the first coefficients of both (NumPy's).
inline constexpr struct polymul_t {
  template <detail::polynomial P, detail::polynomial Q>
  auto operator()(P&& p, Q&& q) const {
    using T = promoted<P, Q>;
    return detail::products_of(from_first<T>(static_cast<P&&>(p)), from_first<T>(static_cast<Q&&>(q)));
  }

 private:
  template <class T, class P>
  static dtensor<T, 1> from_first(P&& p) {
    auto r = trim_zeros(detail::coefficients<T>(static_cast<P&&>(p)), true, false);
    return r.size() > 0 ? r : dtensor<T, 1>(index{1});
  }
} polymul{};

// polydiv(p, q): {quotient, remainder} with p = quotient * q + remainder; integers in f64. Leading coefficients of the
// remainder within 1e-8 of 0 are left out. Throws shape_error where q has none, or its first one is 0 (NumPy's
// polydiv).
inline constexpr struct polydiv_t {
  template <detail::polynomial P, detail::polynomial Q>
  auto operator()(P&& p, Q&& q) const {
    using T = detail::divided_type<P, Q>;
    auto r = detail::coefficients<T>(static_cast<P&&>(p));
    const auto d = detail::coefficients<T>(static_cast<Q&&>(q));
    if (d.size() == 0 || d.data()[0] == T(0))
      detail::refuse("the first coefficient of the divisor must not be 0", "polydiv", r.shape(), d.shape());
    const index n = d.size(), steps = r.size() - n + 1;
    auto quotient = dtensor<T, 1>(steps > 1 ? steps : index{1});
    const T scale = T(1) / d.data()[0];
    for (index k = 0; k < steps; ++k) {
      const T f = scale * r.data()[k];
      quotient.data()[k] = f;
      for (index i = 0; i < n; ++i) r.data()[k + i] -= f * d.data()[i];
    }
    using std::abs;
    index first = 0;
    while (first + 1 < r.size() && abs(r.data()[first]) <= 1e-8) ++first;
    return polynomial_quotient<T>{static_cast<dtensor<T, 1>&&>(quotient),
                                  dtensor<T, 1>(narrow(r, index{0}, first, r.size() - first))};
  }
} polydiv{};

// polyder(p, m = 1): the derivative, m times. Throws shape_error for m < 0 (NumPy's).
inline constexpr struct polyder_t {
  template <detail::polynomial P>
  auto operator()(P&& p, index m = 1) const {
    using T = detail::value_of<detail::node_of<P>>;
    auto r = detail::coefficients<T>(static_cast<P&&>(p));
    if (m < 0) detail::refuse("Order of derivative must be positive (see polyint)", "polyder", r.shape());
    for (; m > 0; --m) {
      const index n = r.size() > 0 ? r.size() - 1 : 0;
      auto next = dtensor<T, 1>(n);
      for (index i = 0; i < n; ++i)
        next.data()[i] = static_cast<T>(r.data()[i] * static_cast<T>(static_cast<double>(n - i)));
      r = next;
    }
    return r;
  }
} polyder{};
// polyint(p, m = 1, constant = 0): the integral, m times, with this constant each time; integers in f64. Throws
// shape_error for m < 0 (NumPy's).
inline constexpr struct polyint_t {
  template <detail::polynomial P>
  auto operator()(P&& p, index m = 1, double constant = 0) const {
    using T = detail::divided_type<P>;
    auto r = detail::coefficients<T>(static_cast<P&&>(p));
    if (m < 0) detail::refuse("Order of integral must be positive (see polyder)", "polyint", r.shape());
    for (; m > 0; --m) {
      const index n = r.size();
      auto next = dtensor<T, 1>(n + 1);
      for (index i = 0; i < n; ++i) next.data()[i] = r.data()[i] / static_cast<T>(static_cast<double>(n - i));
      next.data()[n] = static_cast<T>(constant);
      r = next;
    }
    return r;
  }
} polyint{};

// poly(roots): the coefficients of the polynomial with these roots, the first 1; integers in f64 (NumPy's poly; of a
// matrix: poly(eigvals(a))).
inline constexpr struct poly_t {
  template <detail::polynomial R>
  auto operator()(R&& roots) const {
    using T = detail::divided_type<R>;
    const auto z = detail::coefficients<T>(static_cast<R&&>(roots));
    auto r = dtensor<T, 1>(index{1});
    r.data()[0] = T(1);
    for (index k = 0; k < z.size(); ++k) {
      auto factor = dtensor<T, 1>(index{2});
      factor.data()[0] = T(1);
      factor.data()[1] = -z.data()[k];
      r = detail::products_of(r, factor);
    }
    return r;
  }
} poly{};

// roots(p): the zeros of the polynomial, complex, in no order: the eigenvalues of its companion matrix; none for a
// constant (NumPy's roots, whose result is real where all are).
inline constexpr struct roots_t {
  template <detail::polynomial P>
  auto operator()(P&& p) const {
    using T = detail::divided_type<P>;
    using C = std::complex<detail::real_of<T>>;
    const auto c = detail::coefficients<T>(static_cast<P&&>(p));
    const auto front = trim_zeros(c, true, false), middle = trim_zeros(front, false, true);
    const index n = middle.size() > 0 ? middle.size() - 1 : 0,
                zeros = middle.size() > 0 ? front.size() - middle.size() : 0;
    auto r = dtensor<C, 1>(n + zeros);
    if (n > 0) {
      auto companion = dtensor<T, 2>(n, n);
      for (index k = 0; k < n; ++k) {
        companion(0, k) = -middle.data()[k + 1] / middle.data()[0];
        if (k + 1 < n) companion(k + 1, k) = T(1);
      }
      assign(narrow(r, index{0}, index{0}, n), eigvals(companion));
    }
    return r;
  }
} roots{};

// polyfit(x, y, degree), polyfit(x, y, degree, weights): the coefficients of the polynomial of this degree with the
// least sum of squares of y - p(x), times the weights; y (n) or (n, k), one polynomial a column. By singular values of
// scaled columns; integers in f64. Throws shape_error for a degree below 0, no points, and other numbers of values and
// weights (NumPy's polyfit).
inline constexpr struct polyfit_t {
  template <detail::polynomial X, array Y>
  auto operator()(X&& x, Y&& y, index degree) const {
    using T = detail::divided_type<X, Y>;
    const dtensor<T, 1> w(ones<T>(detail::as_node(x).shape()[0]));
    return of<T>(static_cast<X&&>(x), static_cast<Y&&>(y), degree, w);
  }
  template <detail::polynomial X, array Y, detail::polynomial W>
  auto operator()(X&& x, Y&& y, index degree, W&& weights) const {
    using T = detail::divided_type<X, Y>;
    return of<T>(static_cast<X&&>(x), static_cast<Y&&>(y), degree, detail::coefficients<T>(static_cast<W&&>(weights)));
  }

 private:
  template <class T, class X, class Y>
  static auto of(X&& x, Y&& y, index degree, const dtensor<T, 1>& w) {
    constexpr int rank = detail::rank_of<detail::node_of<Y>>;
    static_assert(rank == 1 || rank == 2, "polyfit: y has one axis or two [errors.md#one-axis]");
    const auto p = detail::coefficients<T>(static_cast<X&&>(x));
    const dtensor<T, rank> values(cast<T>(detail::capture(static_cast<Y&&>(y))));
    if (degree < 0) detail::refuse("expected deg >= 0", "polyfit", p.shape());
    if (p.size() == 0) detail::refuse("expected non-empty vector for x", "polyfit", p.shape());
    if (values.shape()[0] != p.size() || w.size() != p.size())
      detail::refuse("expected x and y to have same length", "polyfit", p.shape(), values.shape());
    const dtensor<T, 2> left(mul(vander(p, degree + 1), unsqueeze(w, integer_constant_1{})));
    const dtensor<T, 1> scale(sqrt(sum(square(left), axes<0>)));
    const double limit = static_cast<double>(p.size()) * static_cast<double>(std::numeric_limits<T>::epsilon());
    const auto fitted = [&](const auto& right) { return lstsq_full(div(left, scale), right, limit).solution; };
    if constexpr (rank == 2)
      return dtensor<T, 2>(
          div(fitted(mul(values, unsqueeze(w, integer_constant_1{}))), unsqueeze(scale, integer_constant_1{})));
    else
      return dtensor<T, 1>(
          div(select(fitted(unsqueeze(mul(values, w), integer_constant_1{})), integer_constant_1{}, index{0}), scale));
  }
  using integer_constant_1 = boost::hana::integral_constant<index, 1>;
} polyfit{};

}  // namespace broadloom
