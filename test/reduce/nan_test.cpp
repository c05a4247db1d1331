// Reductions without NaN, extremes together, equality, differences and integrals, against PyTorch and NumPy.
#include "index/vocabulary_cases.hpp"

#include <broadloom/index/differences.hpp>
#include <broadloom/reduce/equality.hpp>
#include <broadloom/reduce/nan.hpp>

using namespace vocabulary;
using namespace bl::literals;

namespace {

// Element by element: the first that is not NaN, then the larger (smaller) one.
template <bool Largest, class T, class Get>
T extreme_number(bl::index n, const Get& get) {
  T r = get(0);
  for (bl::index i = 1; i < n; ++i) {
    const T y = get(i);
    if (r != r || (Largest ? y > r : y < r)) r = y;
  }
  return r;
}
template <class T>
bool same_number(T a, T b) {
  return a == b || (a != a && b != b);
}
// Rows and columns, forwards, backwards and repeated, of n elements of which one in `numbers` is a number.
template <bool Largest, class T, class F>
void leave_nan_out(const F& reduce, bl::index n, unsigned numbers) {
  const T infinity = std::numeric_limits<T>::infinity(), nan = std::numeric_limits<T>::quiet_NaN();
  bl::dtensor<T, 2> x(5, n);
  unsigned state = static_cast<unsigned>(n);
  for (T& e : x) {
    state = state * 1664525u + 1013904223u;
    const unsigned k = state >> 8;
    e = k % numbers != 0 ? (k % 2 ? nan : -nan)
        : k % 7 == 0     ? (Largest ? -infinity : infinity)
                         : T(int(k % 1001) - 500);
  }
  for (bl::index i = 0; i < n; ++i) x(4, i) = nan;
  if (n > 2) x(3, n - 1) = 2000, x(2, 0) = -2000;
  const auto rows = bl::eval(reduce(x, 1)), turned = bl::eval(reduce(x.T(), 0)),
             flipped = bl::eval(reduce(bl::flip(x, 1), 1)), apart = bl::eval(reduce(x(bl::all, bl::range(0, n, 2)), 1)),
             columns = bl::eval(reduce(x, 0)), columns_of_expression = bl::eval(reduce(-(-x), 0));
  for (bl::index r = 0; r < 5; ++r) {
    const T expected = extreme_number<Largest, T>(n, [&](bl::index i) { return x(r, i); });
    BOOST_TEST(
        (same_number(rows(r), expected) && same_number(turned(r), expected) && same_number(flipped(r), expected)));
    BOOST_TEST(
        same_number(apart(r), extreme_number<Largest, T>((n + 1) / 2, [&](bl::index i) { return x(r, 2 * i); })));
  }
  for (bl::index c = 0; c < n; ++c) {
    const T expected = extreme_number<Largest, T>(5, [&](bl::index i) { return x(i, c); });
    BOOST_TEST((same_number(columns(c), expected) && same_number(columns_of_expression(c), expected)));
  }
  const T whole = extreme_number<Largest, T>(5 * n, [&](bl::index i) { return x(i / n, i % n); });
  BOOST_TEST((same_number(bl::eval(reduce(x))(), whole) && same_number(bl::eval(reduce(x * T(1)))(), whole) &&
              same_number(bl::eval(reduce(bl::broadcast_to(x, bl::dshape<3>{3, 5, n})))(), whole)));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(reduce_nan)

BOOST_AUTO_TEST_CASE(nan_is_left_out_of_extremes_wherever_it_is) {
  for (const bl::isa level : bl::runtime::every_isa) {
    if (bl::set_isa(level) != level) continue;
    for (const bl::index n : {1, 2, 3, 7, 8, 15, 16, 17, 31, 33, 64, 127, 130, 257, 1000, 2049, 5000})
      for (const unsigned numbers : {1u, 2u, 50u}) {
        leave_nan_out<true, float>(bl::nanmax, n, numbers);
        leave_nan_out<false, float>(bl::nanmin, n, numbers);
        leave_nan_out<true, double>(bl::nanmax, n, numbers);
        leave_nan_out<false, double>(bl::nanmin, n, numbers);
      }
  }
  bl::set_isa(bl::runtime::highest_isa());
  BOOST_CHECK_THROW(bl::eval(bl::nanmax(bl::zeros<float>(0))), bl::shape_error);
  BOOST_CHECK_THROW(bl::eval(bl::nanmin(bl::zeros<double>(3, 0), 1)), bl::shape_error);
  BOOST_TEST(bl::eval(bl::nanmax(bl::zeros<double>(3, 0), 0)).size() == 0);
  BOOST_TEST(
      (bl::nanmax(bl::dtensor<int, 1>{3, 7, 5}).item() == 7 && bl::nanmin(bl::dtensor<int, 1>{3, 7, 5}).item() == 3));
}

// The rule of strips of 512 elements: lanes of 64 bytes, in each of them the later of equal numbers, then lane k with
// lane k + half, then one strip after the other.
template <bool Largest, class T>
T number_of_strips(const std::vector<T>& x) {
  const auto better = [](T a, T b) {
    if (b != b) return a;
    if (a != a) return b;
    return (Largest ? a > b : a < b) ? a : b;
  };
  constexpr std::size_t lanes = 64 / sizeof(T), strip = 512;
  T all = std::numeric_limits<T>::quiet_NaN();
  for (std::size_t first = 0; first < x.size(); first += strip) {
    std::vector<T> found(lanes, all);
    for (std::size_t k = 0; k < lanes; ++k) found[k] = x[first + k];
    for (std::size_t i = lanes; i < strip && first + i < x.size(); ++i)
      found[i % lanes] = better(found[i % lanes], x[first + i]);
    for (std::size_t half = lanes / 2; half > 0; half /= 2)
      for (std::size_t k = 0; k < half; ++k) found[k] = better(found[k], found[k + half]);
    all = better(all, found[0]);
  }
  return all;
}
template <bool Largest, class T, class F>
void keep_signs(const F& f) {
  const T infinity = std::numeric_limits<T>::infinity(), nan = std::numeric_limits<T>::quiet_NaN();
  const T beyond = Largest ? -infinity : infinity, less = Largest ? T(-1) : T(1);
  const std::vector<std::vector<T>> choices{
      {0, nan, less}, {T(-0.0), less}, {0, T(-0.0)},   {0, T(-0.0), nan, -nan, less},
      {beyond, nan},  {nan},           {less, beyond}, {0, less}};
  unsigned state = 1;
  for (const std::size_t n : {16u, 64u, 128u, 256u, 512u, 1024u, 4096u, 65536u})
    for (const auto& values : choices)
      for (int round = 0; round < (n > 4096 ? 2 : 20); ++round) {
        std::vector<T> x(n);
        for (T& e : x) e = values[((state = state * 1664525u + 1013904223u) >> 16) % values.size()];
        bl::dtensor<T, 1> a(static_cast<bl::index>(n));
        for (std::size_t i = 0; i < n; ++i) a(static_cast<bl::index>(i)) = x[i];
        const T found = f(a).item(), wanted = number_of_strips<Largest>(x);
        BOOST_TEST(
            (wanted != wanted ? found != found : found == wanted && std::signbit(found) == std::signbit(wanted)));
      }
}

BOOST_AUTO_TEST_CASE(numbers_keep_the_sign_of_zero_and_infinity_beside_nan) {
  for (const bl::isa level : bl::runtime::every_isa) {
    if (bl::set_isa(level) != level) continue;
    keep_signs<true, float>([](const auto& x) { return bl::nanmax(x); });
    keep_signs<false, float>([](const auto& x) { return bl::nanmin(x); });
    keep_signs<true, double>([](const auto& x) { return bl::nanmax(x); });
    keep_signs<false, double>([](const auto& x) { return bl::nanmin(x); });
  }
  bl::set_isa(bl::runtime::highest_isa());
}

BOOST_AUTO_TEST_CASE(without_nan_they_are_those_of_pytorch_and_numpy) {
  each_vocabulary("nansum", 36, [](const line& l, const auto& x) {
    return l.parameter == "all" ? near(l.result(), bl::nansum(x)) : near(l.result(), bl::nansum(x, l.axis));
  });
  each_vocabulary("nanprod", 18, [](const line& l, const auto& x) { return near(l.result(), bl::nanprod(x, l.axis)); });
  each_vocabulary("nanmean", 18, [](const line& l, const auto& x) { return near(l.result(), bl::nanmean(x, l.axis)); });
  each_vocabulary("nanmax", 18, [](const line& l, const auto& x) { return near(l.result(), bl::nanmax(x, l.axis)); });
  each_vocabulary("nanmin", 18, [](const line& l, const auto& x) { return near(l.result(), bl::nanmin(x, l.axis)); });
  each_vocabulary("nanvar", 36, [](const line& l, const auto& x) {
    return near(l.result(), bl::nanvar(x, l.axis, bl::correction{std::stod(l.parameter)}));
  });
  each_vocabulary("nanstd", 36, [](const line& l, const auto& x) {
    return near(l.result(), bl::nanstd(x, l.axis, bl::correction{std::stod(l.parameter)}));
  });
}

BOOST_AUTO_TEST_CASE(their_axes_are_written_as_those_of_sum) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  constexpr bl::index item = bl::size<"item">;
  const bl::tensor<float, bl::shape<item, 3>> x{{1, nan, 3}, {4, 5, 7}};
  const auto same = [](const auto& a, const auto& b) { return bl::array_equal(a, b, bl::equal_nan{}); };
  BOOST_TEST((same(bl::nansum(x, {0, 1}), bl::nansum(x)) && same(bl::nanprod(x, {1}), bl::nanprod(x, 1))));
  BOOST_TEST((same(bl::nansum(x, "item"_axis), bl::nansum(x, 0_c)) && same(bl::ptp(x, "item"_axis), bl::ptp(x, 0_c))));
  BOOST_TEST((same(bl::nanmean(x, "item"_axis, bl::keepdim), bl::nanmean(x, 0_c, bl::keepdim)) &&
              same(bl::nanmean(x, {0, 1}), bl::nanmean(x))));
  BOOST_TEST((same(bl::nanvar(x, "item"_axis, bl::correction{0}), bl::nanvar(x, 0_c, bl::correction{0})) &&
              same(bl::nanstd(x, {-1, 0}), bl::nanstd(x))));
  BOOST_TEST((same(bl::aminmax(x, "item"_axis).max, bl::amax(x, 0_c)) && same(bl::ptp(x, {0, 1}), bl::ptp(x))));
}

BOOST_AUTO_TEST_CASE(extremes_and_equality_are_those_of_pytorch_and_numpy) {
  const auto both = [](const line& l, const auto& r) { return l.arrays[1].is(r.min) && l.arrays[2].is(r.max); };
  each_vocabulary("aminmax", 18, [&](const line& l, const auto& x) { return both(l, bl::aminmax(x, l.axis)); });
  each_vocabulary("aminmax_all", 18, [&](const line& l, const auto& x) { return both(l, bl::aminmax(x)); });
  each_vocabulary("ptp", 18, [](const line& l, const auto& x) { return l.result().is(bl::ptp(x, l.axis)); });
  each_vocabulary("array_equal", 18, [](const line& l, const auto& x) {
    const auto y = l.arrays[1].template as<double, rank_of<decltype(x)>>();
    return bl::array_equal(x, y) == (l.result().elements[0] != 0);
  });
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const bl::dtensor<float, 1> a{1, nan};
  BOOST_TEST(
      (!bl::array_equal(a, a) && bl::array_equal(a, a, bl::equal_nan{}) && !bl::array_equal(a, bl::ones<float>(1, 2))));
  BOOST_TEST((!bl::allclose(a, a).item() && bl::allclose(a, a, 1e-5, 1e-8, bl::equal_nan{}).item()));
  BOOST_TEST((bl::allclose(bl::ones<float>(3, 1), 1 + 1e-6f).item() && !bl::allclose(bl::ones<float>(3), 1.1).item()));
}

BOOST_AUTO_TEST_CASE(neighbours_are_those_of_pytorch_and_numpy) {
  each_vocabulary("diff", 72, [](const line& l, const auto& x) {
    const int n = std::stoi(l.parameter);
    bool ok = l.result().is(bl::diff(x, n, l.axis));
    if (n == 1) ok = ok && l.result().is(bl::diff(x, 1_c, l.axis));
    if (n == 2) ok = ok && l.result().is(bl::diff(x, 2_c, l.axis));
    return ok;
  });
  each_vocabulary("trapezoid", 18,
                  [](const line& l, const auto& x) { return near(l.result(), bl::trapezoid(x, 0.5, l.axis)); });
  each_vocabulary("trapezoid_x", 18, [](const line& l, const auto& x) {
    return near(l.result(), bl::trapezoid(x, l.arrays[1].template as<double, 1>(), l.axis));
  });
  each_vocabulary("cumulative_trapezoid", 18, [](const line& l, const auto& x) {
    return near(l.result(), bl::cumulative_trapezoid(x, 2, l.axis));
  });
  each_vocabulary("cumulative_sum", 18,
                  [](const line& l, const auto& x) { return l.result().is(bl::cumulative_sum(x, l.axis, 3)); });
  each_vocabulary("cumulative_prod", 18,
                  [](const line& l, const auto& x) { return l.result().is(bl::cumulative_prod(x, l.axis, 3)); });
  each_vocabulary("trace", 12, [](const line& l, const auto& x) {
    if constexpr (rank_of<decltype(x)> > 1) return l.result().is(bl::trace(x, l.axis));
    return false;
  });
  BOOST_TEST((equal(bl::diff(bl::dtensor<bool, 1>{true, true, false}), bl::dtensor<bool, 1>{false, true})));
  BOOST_CHECK_THROW(bl::diff(bl::zeros<int>(3), -1), bl::shape_error);
}

// One NaN at each place of strips that are reduced side by side.
BOOST_AUTO_TEST_CASE(a_nan_anywhere_is_the_maximum_and_the_minimum) {
  bl::dtensor<float, 2> x = bl::zeros<float>(4, 2048);
  int wrong = 0;
  for (bl::index i = 0; i < x.size(); i += 7) {
    float& here = x.data()[i];
    here = std::numeric_limits<float>::quiet_NaN();
    wrong += !std::isnan(bl::amax(x).item()) + !std::isnan(bl::amin(x).item());
    const bl::dtensor<float, 1> most = bl::amax(x, 1), least = bl::amin(x, 1);
    for (bl::index r = 0; r < 4; ++r)
      wrong += (std::isnan(most(r)) != (r == i / 2048)) + (std::isnan(least(r)) != (r == i / 2048));
    here = 0;
  }
  BOOST_TEST(wrong == 0);
}

BOOST_AUTO_TEST_SUITE_END()
