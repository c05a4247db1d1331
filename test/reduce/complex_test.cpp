// Sums, products, means, variances, norms and running forms of complex numbers, against loops in double.
#include <complex>
#include <memory>
#include <random>

#include <broadloom/broadloom.hpp>

#include <boost/test/unit_test.hpp>

namespace {

namespace bl = broadloom;
using wide = std::complex<double>;

struct numbers {
  std::mt19937_64 bits{3};
  bl::index below(int n) { return static_cast<bl::index>(bits() % static_cast<unsigned>(n)); }
  template <class T>
  bl::dtensor<std::complex<T>, 3> normal(bl::index a, bl::index b, bl::index c) {
    bl::dtensor<std::complex<T>, 3> x(a, b, c);
    std::normal_distribution<T> draw;
    for (bl::index i = 0; i < x.size(); ++i) {
      const T re = draw(bits);
      x.data()[i] = {re, draw(bits)};
    }
    return x;
  }
};

// Whether x is y up to the rounding of `n` sums of T.
template <class T>
bool near(wide x, wide y, bl::index n) {
  const double unit = static_cast<double>(std::numeric_limits<T>::epsilon());
  return std::abs(x - y) <= 4 * unit * std::sqrt(static_cast<double>(n + 1)) * (1 + std::abs(y)) * 4;
}

// The sum in the order that is specified: strips of 512, lanes of 64 bytes, then pairs.
template <class C>
C in_order(const C* x, bl::index n) {
  constexpr bl::index strip = 512, lanes = 64 / static_cast<bl::index>(sizeof(C));
  if (n > strip) {
    bl::index half = strip;
    while (2 * half < n) half *= 2;
    return in_order(x, half) + in_order(x + half, n - half);
  }
  C lane[lanes];
  const bl::index used = n < lanes ? n : lanes;
  for (bl::index i = 0; i < n; ++i) lane[i % lanes] = i < lanes ? x[i] : lane[i % lanes] + x[i];
  for (bl::index half = lanes / 2; half >= 1; half /= 2)
    for (bl::index k = 0; k < half && k + half < used; ++k) lane[k] += lane[k + half];
  return lane[0];
}
// At every level, from memory that ends with the last element.
template <class T>
void check_order(numbers& from) {
  using C = std::complex<T>;
  for (const bl::index n : {1, 7, 9, 511, 512, 513, 1024, 2048, 4099, 8192, 8704, 16384, 17000, 50000}) {
    const auto all = from.normal<T>(1, 1, n);
    const std::unique_ptr<C[]> x(new C[static_cast<std::size_t>(n)]);
    std::copy_n(all.data(), n, x.get());
    const C wanted = in_order(x.get(), n);
    const bl::dview<const C, 1> line(x.get(), bl::dshape<1>(n));
    for (const bl::isa level : {bl::isa::base, bl::isa::v3, bl::isa::v4}) {
      if (bl::set_isa(level) != level) continue;
      BOOST_TEST((bl::sum(line).item() == wanted), n << " elements, " << bl::to_string(level));
    }
    bl::set_isa(bl::runtime::highest_isa());
  }
}

// Along an axis of x: what get(i, j, k) and the fold of `step` give at each place of the other two axes.
template <class A, class R, class Step>
bl::index differing(const A& x, const R& r, int axis, wide start, const Step& step) {
  using T = typename A::value_type::value_type;
  const auto& s = x.shape();
  const int p = axis == 0 ? 1 : 0, q = axis == 2 ? 1 : 2;
  bl::index bad = 0, at[3];
  for (bl::index i = 0; i < s[p]; ++i)
    for (bl::index j = 0; j < s[q]; ++j) {
      wide y = start;
      at[p] = i;
      at[q] = j;
      for (at[axis] = 0; at[axis] < s[axis]; ++at[axis]) y = step(y, wide(x(at[0], at[1], at[2])));
      bad += !near<T>(wide(r(i, j)), y, s[axis]);
    }
  return bad;
}

template <class T>
void check(numbers& from, bl::index a, bl::index b, bl::index c) {
  using C = std::complex<T>;
  const auto x = from.normal<T>(a, b, c), y = from.normal<T>(a, b, c);
  const auto plus = [](wide u, wide v) { return u + v; };
  const auto times = [](wide u, wide v) { return u * v; };
  for (int axis = 0; axis < 3; ++axis) {
    const bl::dtensor<C, 2> sums = bl::sum(x, axis), turned = bl::sum(bl::transpose(x, 0, 2), 2 - axis);
    BOOST_TEST(differing(x, sums, axis, 0, plus) == 0);
    BOOST_TEST(differing(bl::eval(bl::transpose(x, 0, 2)), turned, 2 - axis, 0, plus) == 0);
    if (x.shape()[axis] < 40) {
      const bl::dtensor<C, 2> products = bl::prod(x, axis);
      BOOST_TEST(differing(x, products, axis, 1, times) == 0);
    }
  }
  wide sum, dot;
  double squares = 0;
  for (bl::index i = 0; i < x.size(); ++i) {
    sum += wide(x.data()[i]);
    dot += wide(x.data()[i]) * wide(y.data()[i]);
    squares += std::norm(wide(x.data()[i]));
  }
  const auto n = static_cast<double>(x.size());
  BOOST_TEST(near<T>(wide(bl::sum(x).item()), sum, x.size()));
  BOOST_TEST(near<T>(wide(bl::sum(x * y).item()), dot, x.size()));
  BOOST_TEST(near<T>(wide(bl::sum(x, bl::compensated).item()), sum, 1));
  BOOST_TEST(near<T>(wide(static_cast<double>(bl::norm(x, 2).item())), std::sqrt(squares), x.size()));
  if (x.size() > 1) {
    BOOST_TEST(near<T>(wide(bl::mean(x).item()), sum / n, x.size()));
    const double variance = (squares - std::norm(sum) / n) / (n - 1);
    BOOST_TEST(near<T>(wide(static_cast<double>(bl::var(x).item())), variance, x.size()));
    BOOST_TEST(near<T>(wide(static_cast<double>(bl::std(x).item())), std::sqrt(variance), x.size()));
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(reduce_complex)

BOOST_AUTO_TEST_CASE(values_are_those_of_loops) {
  numbers from;
  for (int k = 0; k < 30; ++k) {
    check<float>(from, from.below(5), from.below(6), from.below(40));
    check<double>(from, 1 + from.below(5), from.below(6), from.below(9));
  }
  check<float>(from, 3, 700, 11);
  check<double>(from, 2, 5, 3000);
}

BOOST_AUTO_TEST_CASE(running_sums_and_products_take_one_element_after_the_other) {
  numbers from;
  const auto x = from.normal<double>(3, 17, 5);
  const bl::dtensor<wide, 3> sums = bl::cumsum(x, 1), products = bl::cumprod(x, 1);
  bl::index bad = 0;
  for (bl::index i = 0; i < 3; ++i)
    for (bl::index k = 0; k < 5; ++k) {
      wide s = x(i, 0, k), p = s;
      for (bl::index j = 0; j < 17; ++j) {
        if (j > 0) {
          s += x(i, j, k);
          p *= x(i, j, k);
        }
        bad += sums(i, j, k) != s || std::abs(products(i, j, k) - p) > 1e-13 * std::abs(p);
      }
    }
  BOOST_TEST(bad == 0);
}

BOOST_AUTO_TEST_CASE(sums_are_in_the_order_that_is_specified) {
  numbers from;
  check_order<float>(from);
  check_order<double>(from);
}

BOOST_AUTO_TEST_CASE(bits_do_not_depend_on_threads_or_layout) {
  numbers from;
  const auto x = from.normal<float>(64, 50, 300);
  const std::complex<float> all = bl::sum(x).item();
  for (int threads = 1; threads <= 2; ++threads) {
    bl::dtensor<std::complex<float>, 0> r;
    bl::assign(r, bl::sum(x), bl::policy(threads));
    BOOST_TEST((r() == all));
  }
  const bl::dtensor<std::complex<float>, 3> turned = bl::transpose(x, 0, 2);
  BOOST_TEST((bl::sum(bl::transpose(turned, 0, 2)).item() == all));
}

BOOST_AUTO_TEST_CASE(nothing_sums_to_zero_and_multiplies_to_one) {
  const bl::dtensor<std::complex<float>, 2> x(0, 3);
  BOOST_TEST((bl::sum(x).item() == std::complex<float>(0)));
  BOOST_TEST((bl::prod(x).item() == std::complex<float>(1)));
  const bl::dtensor<std::complex<float>, 1> columns = bl::sum(x, 0);
  BOOST_TEST((columns(2) == std::complex<float>(0)));
}

BOOST_AUTO_TEST_CASE(static_extents_stay_and_axes_are_kept) {
  constexpr bl::tensor<wide, bl::shape<2, 3>> x{{wide(1, 2), wide(3, 4), wide(0, 1)}, {wide(1), wide(2), wide(0, 3)}};
  const auto rows = bl::eval(bl::sum(x, bl::axes<1>, bl::keepdim));
  static_assert(std::is_same_v<std::remove_const_t<decltype(rows)>, bl::tensor<wide, bl::shape<2, 1>>>);
  BOOST_TEST((rows(0, 0) == wide(4, 7)));
  BOOST_TEST((rows(1, 0) == wide(3, 3)));
  BOOST_TEST((bl::mean(x).item() == bl::eval(bl::sum(x) / 6.0)()));
}

BOOST_AUTO_TEST_SUITE_END()
