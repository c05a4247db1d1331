// Reductions, distances, statistics, counts and interpolation of the largest and the smallest numbers and their
// neighbours, against long double: an intermediate result leaves the range, the result does not.
// docs/reference/edges.md lists those that keep the plain formula; these must be infinite, 0 or NaN only where a step
// of that formula is out of range.
// Build: not-sanitized (its loops exist only with optimisation)
#include <broadloom/broadloom.hpp>
#include <broadloom/index/histogram.hpp>
#include <broadloom/linalg/distances.hpp>

#include <algorithm>
#include <array>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <complex>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

namespace {

namespace bl = broadloom;
using namespace bl::literals;
using real = long double;
using three = std::array<real, 3>;

template <class T>
std::vector<T> edges() {
  using limits = std::numeric_limits<T>;
  std::vector<T> r{0};
  for (const T x : {limits::max(), std::nextafter(limits::max(), T(0)), limits::max() / 2, 2 * std::sqrt(limits::max()),
                    T(1), std::sqrt(limits::min()) / 2, limits::min(), limits::min() - limits::denorm_min(),
                    3 * limits::denorm_min(), limits::denorm_min()}) {
    r.push_back(x);
    r.push_back(-x);
  }
  return r;
}

// Units of the last place between ours and the truth, or of `scale` if that is larger; infinite where one of them is a
// number and the other is not.
template <class T>
double error_of(T ours, real truth, real scale = 0) {
  using limits = std::numeric_limits<T>;
  if (std::isnan(truth)) return std::isnan(ours) ? 0 : HUGE_VAL;
  if (std::isnan(ours)) return HUGE_VAL;
  const real most = limits::max(), size = std::max(std::fabs(truth), scale);
  const real place = std::max<real>(std::ldexp(real(1), std::ilogb(size == 0 ? real(1) : size) - limits::digits + 1),
                                    limits::denorm_min());
  if (std::isinf(ours)) return (ours > 0) == (truth > 0) && size > most - 8 * place ? 0 : HUGE_VAL;
  return static_cast<double>(std::fabs(ours - truth) / (size == 0 ? real(limits::denorm_min()) : place));
}

// Every row of three edges.
template <class T>
bl::dtensor<T, 2> all_rows() {
  const auto e = edges<T>();
  const auto n = static_cast<bl::index>(e.size());
  bl::dtensor<T, 2> x(n * n * n, 3);
  for (bl::index i = 0; i < n * n * n; ++i)
    for (bl::index k = 0, rest = i; k < 3; ++k, rest /= n) x(i, k) = e[static_cast<std::size_t>(rest % n)];
  return x;
}

template <class T>
three row(const bl::dtensor<T, 2>& x, bl::index i) {
  return {x.data()[3 * i], x.data()[3 * i + 1], x.data()[3 * i + 2]};
}

real largest(const three& v) { return std::max({std::fabs(v[0]), std::fabs(v[1]), std::fabs(v[2])}); }

// Compares each row's result with the truth; `steps`, if given, has what the plain formula computes on its way.
template <class T, class Compute, class Truth>
void sweep(const char* name, const bl::dtensor<T, 2>& x, double places, Compute compute, Truth truth,
           std::vector<real> (*steps)(const three&) = nullptr, bool cancels = false) {
  for (const bl::isa level : bl::runtime::every_isa) {
    if (bl::set_isa(level) != level) continue;
    const bl::dtensor<T, 1> ours = compute(x);
    long wrong = 0, by_promise = 0;
    for (bl::index i = 0; i < ours.size(); ++i) {
      const three v = row(x, i);
      const real t = truth(v);
      if (error_of(ours.data()[i], t, cancels ? largest(v) : 0) <= places) continue;
      if (steps != nullptr) {
        bool out = false;
        for (const real s : steps(v))
          out = out || std::fabs(s) > std::numeric_limits<T>::max() ||
                (s != 0 && std::fabs(s) < std::numeric_limits<T>::min() / std::numeric_limits<T>::epsilon());
        if (out && ++by_promise > 0) continue;
      }
      if (++wrong < 4)
        BOOST_ERROR(name << "(" << v[0] << ", " << v[1] << ", " << v[2] << ") is " << ours.data()[i] << ", not " << t
                         << ", at " << bl::to_string(level) << ", " << sizeof(T) << " bytes");
    }
    BOOST_TEST(wrong == 0, name << ": " << wrong << " of " << ours.size() << " rows");
    BOOST_TEST_MESSAGE(name << ": " << ours.size() << " rows, " << by_promise << " by the plain formula");
  }
  bl::set_isa(bl::isa::v4);
}

real power_norm(const three& v, real p) {
  real sum = 0;
  for (const real a : v) {
    if (p < 0 && a == 0) return 0;
    sum += std::pow(std::fabs(a), p);
  }
  return sum == 0 ? 0 : std::pow(sum, 1 / p);
}
// Of magnitudes near the largest one, so that no power leaves long double.
real scaled_norm(const three& v, real p) {
  real scale = p > 0 ? largest(v) : std::min({std::fabs(v[0]), std::fabs(v[1]), std::fabs(v[2])});
  if (scale == 0) return 0;
  return scale * power_norm({v[0] / scale, v[1] / scale, v[2] / scale}, p);
}
three sorted(three v) {
  std::sort(v.begin(), v.end());
  return v;
}
real mean_of(const three& v) { return (v[0] + v[1] + v[2]) / 3; }
real variance(const three& v) {
  const real m = mean_of(v);
  return ((v[0] - m) * (v[0] - m) + (v[1] - m) * (v[1] - m) + (v[2] - m) * (v[2] - m)) / 2;
}
std::vector<real> sums(const three& v) { return {v[0] + v[1], v[1] + v[2], v[0] + v[2], v[0] + v[1] + v[2]}; }
std::vector<real> squares(const three& v) {
  std::vector<real> r = sums(v);
  const real m = mean_of(v);
  for (const real a : v) r.push_back((a - m) * (a - m));
  r.push_back(2 * variance(v));
  return r;
}

template <class T>
void sweep_all() {
  const bl::dtensor<T, 2> x = all_rows<T>();
  // no step leaves the range unless the result does
  sweep(
      "norm", x, 4, [](const auto& a) { return bl::norm(a, 2_c, 1); },
      [](const three& v) { return scaled_norm(v, 2); });
  sweep(
      "norm of columns", x, 4, [](const auto& a) { return bl::norm(bl::eval(bl::transpose(a, 0, 1)), 2_c, 0); },
      [](const three& v) { return scaled_norm(v, 2); });
  // also of what is computed or selected before it is read
  sweep(
      "norm of a let", x, 4,
      [](const auto& a) {
        const auto turned = bl::let(-a);
        return bl::norm(turned * T(1), 2_c, 1);
      },
      [](const three& v) { return scaled_norm(v, 2); });
  sweep(
      "norm of selected columns", x, 4, [](const auto& a) { return bl::norm(a(bl::all, bl::tensor{2, 0, 1}), 3, 1); },
      [](const three& v) { return scaled_norm(v, 3); });
  sweep(
      "norm, p = 1", x, 4, [](const auto& a) { return bl::norm(a, 1_c, 1); },
      [](const three& v) { return scaled_norm(v, 1); });
  sweep(
      "norm, p = 3", x, 16, [](const auto& a) { return bl::norm(a, 3_c, 1); },
      [](const three& v) { return scaled_norm(v, 3); });
  sweep(
      "norm, p = 2.5", x, 16, [](const auto& a) { return bl::norm(a, 2.5, 1); },
      [](const three& v) { return scaled_norm(v, 2.5L); });
  sweep(
      "norm, p = -2", x, 16, [](const auto& a) { return bl::norm(a, -2.0, 1); },
      [](const three& v) { return scaled_norm(v, -2); });
  sweep("norm, p = inf", x, 0, [](const auto& a) { return bl::norm(a, HUGE_VAL, 1); }, largest);
  sweep(
      "x / norm(x), first column", x, 6,
      [](const auto& a) { return bl::eval(a / bl::norm(a, 2_c, 1_c, bl::keepdim))(bl::all, 0); },
      [](const three& v) { return v[0] / scaled_norm(v, 2); },  // which is 0 / 0 or x / inf by promise
      [](const three& v) -> std::vector<real> { return {scaled_norm(v, 2)}; });
  sweep(
      "cdist to 0", x, 4,
      [](const auto& a) { return bl::reshape(bl::cdist(a, bl::zeros<T>(1, 3)), bl::dshape<1>(a.shape()[0])); },
      [](const three& v) { return scaled_norm(v, 2); });
  sweep(
      "logsumexp", x, 4, [](const auto& a) { return bl::logsumexp(a, 1); },
      [](const three& v) {
        const real m = std::max({v[0], v[1], v[2]});
        return m + std::log(std::exp(v[0] - m) + std::exp(v[1] - m) + std::exp(v[2] - m));
      },
      nullptr, true);
  sweep("amax", x, 0, [](const auto& a) { return bl::amax(a, 1); }, [](const three& v) { return sorted(v)[2]; });
  sweep(
      "median", x, 0, [](const auto& a) { return bl::median(a, 1).values; },
      [](const three& v) { return sorted(v)[1]; });
  sweep(
      "quantile 0.25", x, 4, [](const auto& a) { return bl::quantile(a, 0.25, 1); },
      [](const three& v) { return (sorted(v)[0] + sorted(v)[1]) / 2; }, nullptr, true);
  sweep(
      "quantile 0.875", x, 4, [](const auto& a) { return bl::quantile(a, 0.875, 1); },
      [](const three& v) { return sorted(v)[1] / 4 + sorted(v)[2] * 3 / 4; }, nullptr, true);
  // the plain formula, by promise
  const auto sum_of = [](const three& v) { return v[0] + v[1] + v[2]; };
  bl::dtensor<T, 2> positive = bl::abs(x);
  sweep("sum", positive, 2, [](const auto& a) { return bl::sum(a, 1); }, sum_of, sums);
  sweep("mean", positive, 2, [](const auto& a) { return bl::mean(a, 1); }, mean_of, sums);
  sweep(
      "prod", x, 2, [](const auto& a) { return bl::prod(a, 1); }, [](const three& v) { return v[0] * v[1] * v[2]; },
      [](const three& v) -> std::vector<real> { return {v[0] * v[1], v[1] * v[2], v[0] * v[2], v[0] * v[1] * v[2]}; });
  sweep("var", x, 16, [](const auto& a) { return bl::var(a, 1); }, variance, squares);
  sweep(
      "std", x, 16, [](const auto& a) { return bl::std(a, 1); }, [](const three& v) { return std::sqrt(variance(v)); },
      squares);
}

template <class R>
void sweep_whole() {
  const R most = std::numeric_limits<R>::max(), least = std::numeric_limits<R>::denorm_min();
  const auto value = [](const auto& e) {
    const bl::dtensor<R, 0> r = e;
    return r.item();
  };
  for (const bl::isa level : bl::runtime::every_isa) {
    if (bl::set_isa(level) != level) continue;
    for (const bl::index n : {1, 5, 600, 70000}) {
      bl::dtensor<R, 1> x = bl::full<R>(bl::dshape<1>(n), most / R(1024)),
                        y = bl::full<R>(bl::dshape<1>(n), 64 * least);
      const real root = std::sqrt(static_cast<real>(n));
      BOOST_TEST(error_of(value(bl::norm(x)), most / R(1024) * root) <= 4);
      BOOST_TEST(error_of(value(bl::norm(x, 3)), most / R(1024) * std::cbrt(static_cast<real>(n))) <= 40);
      BOOST_TEST(error_of(value(bl::norm(y)), 64 * least * root) <= 4);
      BOOST_TEST(error_of(value(bl::dist(x, y)), most / R(1024) * root) <= 4);
      BOOST_TEST(value(bl::norm(x * R(0))) == 0);
      x(n - 1) = std::numeric_limits<R>::infinity();
      BOOST_TEST(std::isinf(value(bl::norm(x))));
      x(n - 1) = std::numeric_limits<R>::quiet_NaN();
      BOOST_TEST(std::isnan(value(bl::norm(x))));
    }
    const bl::tensor<R, bl::shape<2>> v{most / 2, most / 2};
    BOOST_TEST(error_of(value(bl::norm(v)), most / 2 * std::sqrt(2.0L)) <= 4);
    // counts, interpolation, evenly spaced numbers
    const bl::dtensor<R, 1> wide{-most, R(0), most};
    BOOST_TEST(bl::histc(wide, 2)(0) == 1);
    BOOST_TEST(bl::histc(wide, 2)(1) == 2);
    BOOST_TEST(bl::histogram(wide, 2).hist(1) == 2);
    BOOST_TEST(bl::linspace<R>(-most, most, 5)(1) == -most / 2);
    BOOST_TEST(bl::linspace<R>(-most, most, 5)(3) == most / 2);
    BOOST_TEST(value(bl::lerp(bl::dtensor<R, 0>(-most), bl::dtensor<R, 0>(most), R(0.75))) == most / 2);
    BOOST_TEST(bl::quantile(bl::dtensor<R, 1>{R(0), std::numeric_limits<R>::infinity()}, 0.5, 0).item() ==
               std::numeric_limits<R>::infinity());
  }
  bl::set_isa(bl::isa::v4);
}

// Complex functions of parts at the edges. An error counts in places of the length.
template <class R>
void sweep_complex() {
  using C = std::complex<R>;
  using W = std::complex<real>;
  const auto e = edges<R>();
  const auto n = static_cast<bl::index>(e.size() * e.size());
  bl::dtensor<C, 1> z(n);
  for (bl::index i = 0; i < n; ++i)
    z(i) = C(e[static_cast<std::size_t>(i) / e.size()], e[static_cast<std::size_t>(i) % e.size()]);
  const auto check = [&](const char* name, const auto& tree, auto truth, bool near_poles = false) {
    const bl::dtensor<C, 1> ours = tree;
    long wrong = 0;
    for (bl::index i = 0; i < n; ++i) {
      const W t = truth(W(z.data()[i].real(), z.data()[i].imag()));
      const C o = ours.data()[i];
      const real length = std::hypot(t.real(), t.imag());
      const bool finite = length <= std::numeric_limits<R>::max();
      const bool ours_finite = std::isfinite(o.real()) && std::isfinite(o.imag());
      const real place =
          std::max<real>(length * std::numeric_limits<R>::epsilon(), std::numeric_limits<R>::denorm_min()) *
          (near_poles ? std::max<real>(length, 1) : 1);
      const real off = std::hypot(o.real() - t.real(), o.imag() - t.imag());
      if (finite ? ours_finite && off <= 8 * place : !(ours_finite && length > 2 * real(std::numeric_limits<R>::max())))
        continue;
      if (++wrong < 4) BOOST_ERROR(name << z.data()[i] << " is " << o << ", not " << t);
    }
    BOOST_TEST(wrong == 0, name << ": " << wrong << " of " << n);
  };
  check("sgn", bl::sgn(z), [](W a) { return a == W(0) ? a : a / std::hypot(a.real(), a.imag()); });
  check(
      "sigmoid", bl::sigmoid(z),
      [](W a) {
        const W x = std::exp(a.real() < 0 ? a : -a);
        return (a.real() < 0 ? x : W(1)) / (W(1) + x);
      },
      true);
  check("sqrt", bl::sqrt(z), [](W a) { return std::sqrt(a); });
  check("log", bl::log(z), [](W a) { return std::log(a); });
  check("asinh", bl::asinh(z), [](W a) { return std::asinh(a); });
  check("tanh", bl::tanh(z), [](W a) { return std::tanh(a); });
  check("pow(z, 0)", bl::pow(z, C(0)), [](W) { return W(1); });
  check("pow(z, 1)", bl::pow(z, C(1)), [](W a) { return a; });
}

// The norms of rows and of columns of which one is not as plain as the others.
template <class T>
void one_of_many() {
  using limits = std::numeric_limits<T>;
  const T quiet = limits::quiet_NaN(), infinite = limits::infinity();
  for (const bl::index n : {7, 15, 16, 17, 40})
    for (bl::index k = 0; k < n; ++k)
      for (const T extreme : {limits::max() / 4, limits::min(), limits::denorm_min(), T(0), infinite, quiet}) {
        bl::dtensor<T, 2> x(n, 3);
        for (T& e : x) e = T(2);
        for (bl::index i = 0; i < 3; ++i) x(k, i) = extreme;
        const bl::dtensor<T, 1> rows = bl::norm(x, 2_c, 1),
                                columns = bl::norm(bl::eval(bl::transpose(x, 0, 1)), 2_c, 0);
        const real a = extreme;
        const real truth = std::isfinite(extreme) ? scaled_norm({a, a, a}, 2) : a;
        for (const auto& r : {rows, columns}) {
          const bool right = error_of(r(k), truth) <= 4 && error_of(r(k == 0 ? 1 : 0), std::sqrt(real(12))) <= 1;
          BOOST_TEST(right, n << " norms, that of " << extreme << " at " << k << " is " << r(k));
        }
      }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(law_range)

BOOST_AUTO_TEST_CASE(rows_of_f32_at_the_edges) { sweep_all<float>(); }
BOOST_AUTO_TEST_CASE(rows_of_f64_at_the_edges) { sweep_all<double>(); }
BOOST_AUTO_TEST_CASE(whole_arrays_at_the_edges) {
  sweep_whole<float>();
  sweep_whole<double>();
}
BOOST_AUTO_TEST_CASE(one_norm_of_many_leaves_the_range) {
  one_of_many<float>();
  one_of_many<double>();
}
BOOST_AUTO_TEST_CASE(complex_functions_at_the_edges) {
  sweep_complex<float>();
  sweep_complex<double>();
}

BOOST_AUTO_TEST_SUITE_END()
