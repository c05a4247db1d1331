// Reductions of elements of 16 bits: those of f32, rounded once at the end. Also running ones, those with a callable of
// one's own, and what is composed of reductions.
// Build: seldom
#include <broadloom/half.hpp>

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <cstdint>

BOOST_AUTO_TEST_SUITE(reduce_sums_half)

namespace bl = broadloom;
using bl::axes;
using bl::bfloat16;
using bl::float16;
using bl::keepdim;

namespace {

template <class H>
bl::dtensor<H, 3> numbers(bl::index n, bl::index m, bl::index k) {
  bl::dtensor<H, 3> r(n, m, k);
  std::uint32_t state = 99;
  for (bl::index i = 0; i < r.size(); ++i) {
    state = state * 1664525u + 1013904223u;
    r.data()[i] = static_cast<float>(static_cast<int>(state >> 16 & 4095) - 2048) / 1000.0f;
  }
  return r;
}
template <class T>
bool same(T a, T b) {
  if constexpr (bl::is_half(bl::dtype_of<T>))
    return a.bits() == b.bits() || (std::isnan(float(a)) && std::isnan(float(b)));
  else
    return a == b;
}

// f of the elements, and f of them as f32, evaluated by itself and rounded number by number.
template <class H, class F>
void compare(const char* name, const F& f, const bl::dtensor<H, 3>& x) {
  const bl::dtensor<float, 3> wide = bl::cast<float>(x);
  const auto r = bl::eval(f(x));
  const auto wanted = bl::eval(f(wide));
  using T = typename decltype(r)::value_type;
  using W = typename decltype(wanted)::value_type;
  static_assert(std::is_same_v<T, std::conditional_t<std::is_same_v<W, float>, H, W>>);
  BOOST_TEST_REQUIRE(r.size() == wanted.size());
  int wrong = 0;
  for (bl::index i = 0; i < r.size(); ++i) wrong += !same(r.data()[i], static_cast<T>(wanted.data()[i]));
  BOOST_TEST(wrong == 0, name << " of " << bl::to_string(bl::dtype_of<H>));
}

template <class H>
void all_of_them() {
  const auto x = numbers<H>(5, 33, 21);
#define COMPARE(...) compare(#__VA_ARGS__, [](const auto& v) { return __VA_ARGS__; }, x)
  COMPARE(bl::sum(v));
  COMPARE(bl::sum(v, axes<1>));
  COMPARE(bl::sum(v, axes<0, 2>, keepdim));
  COMPARE(bl::prod(v, 2));
  COMPARE(bl::amax(v, axes<0>));
  COMPARE(bl::amin(v));
  COMPARE(bl::any(v, 1));
  COMPARE(bl::all(v));
  COMPARE(bl::argmax(v, 1));
  COMPARE(bl::argmin(v));
  COMPARE(bl::count_nonzero(v, 0));
  COMPARE(bl::mean(v, axes<1, 2>));
  COMPARE(bl::var(v, 2));
  COMPARE(bl::std(v, 0, bl::correction{0}));
  COMPARE(bl::norm(v, 1));
  COMPARE(bl::norm(v, 3.0, axes<2>));
  COMPARE(bl::logsumexp(v, 1));
  COMPARE(bl::softmax(v, 2));
  COMPARE(bl::log_softmax(v, 0));
  COMPARE(bl::cumsum(v, 1));
  COMPARE(bl::cumprod(v, 2));
  COMPARE(bl::nansum(bl::where(bl::gt(v, 1), v, bl::sqrt(bl::floor(v))), 1));
  COMPARE(bl::nanmean(v, 1));
  COMPARE(bl::nanvar(v, 1));
  COMPARE(bl::nanmax(v, 1));
  COMPARE(bl::sum(v, bl::compensated));
  COMPARE(bl::sum(v, bl::accumulate_in<double>));
  COMPARE(bl::mean(v, bl::of_type<double>));
  COMPARE(bl::sum_to(v, bl::shape<33, 1>{}));
  COMPARE(bl::ptp(v, 1));
#undef COMPARE
}

}  // namespace

BOOST_AUTO_TEST_CASE(float16_as_f32_rounded) { all_of_them<float16>(); }

BOOST_AUTO_TEST_CASE(bfloat16_as_f32_rounded) {
  const auto x = numbers<bfloat16>(3, 40, 9);
  compare("sum", [](const auto& v) { return bl::sum(v, axes<1>); }, x);
  compare("mean", [](const auto& v) { return bl::mean(v); }, x);
  compare("softmax", [](const auto& v) { return bl::softmax(v, 1); }, x);
  compare("amax", [](const auto& v) { return bl::amax(v, 2); }, x);
}

// Sums in 16 bits would stop growing at 2048; a product of two elements is rounded before it is added.
BOOST_AUTO_TEST_CASE(sums_are_accumulated_in_f32) {
  const bl::dtensor<float16, 1> ones = bl::ones<float16>(5000);
  BOOST_TEST(float(bl::sum(ones).item()) == 5000.0f);
  BOOST_TEST(float(bl::sum(ones * 20).item()) == HUGE_VALF);
  BOOST_TEST(float(bl::mean(ones * 20).item()) == 20.0f);  // the mean is rounded once, not its sum
  const bl::dtensor<float16, 1> x = bl::full<float16>(bl::dshape<1>(3), 0.1);
  const float square = float(float16(float(x(0)) * float(x(0))));
  BOOST_TEST(bl::sum(x * x).item().bits() == float16((square + square) + square).bits());
}

BOOST_AUTO_TEST_CASE(types_and_accumulators_can_be_asked_for) {
  const auto x = numbers<float16>(2, 9, 11);
  const bl::dtensor<float, 3> wide = bl::cast<float>(x) * 1.2345f;
  static_assert(std::is_same_v<typename decltype(bl::sum(x, bl::of_type<float>))::value_type, float>);
  BOOST_TEST(bl::sum(x, bl::of_type<float>).item() == bl::sum(bl::cast<float>(x)).item());
  // The elements are rounded first, as PyTorch's dtype does.
  const bl::dtensor<bfloat16, 3> rounded = bl::cast<bfloat16>(wide);
  BOOST_TEST(bl::sum(wide, bl::of_type<bfloat16>).item().bits() == bl::sum(rounded).item().bits());
  BOOST_TEST(bl::mean(wide, bl::of_type<bfloat16>).item().bits() == bl::mean(rounded).item().bits());
}

BOOST_AUTO_TEST_CASE(reductions_with_a_callable_of_ones_own) {
  const auto x = numbers<float16>(2, 7, 13);
  const auto larger = [](float16 a, float16 b) { return a < b ? b : a; };
  const bl::dtensor<float16, 2> r = bl::reduce(x, axes<2>, -100, larger);
  const bl::dtensor<float16, 2> wanted = bl::amax(x, axes<2>);
  const bl::dtensor<float16, 3> running = bl::scan(x, 2, -100, larger);
  for (bl::index i = 0; i < 2; ++i)
    for (bl::index j = 0; j < 7; ++j) {
      BOOST_TEST(r(i, j).bits() == wanted(i, j).bits());
      BOOST_TEST(running(i, j, 12).bits() == wanted(i, j).bits());
    }
}

BOOST_AUTO_TEST_CASE(reductions_within_expressions) {
  const auto x = numbers<bfloat16>(4, 5, 300);
  const bl::dtensor<bfloat16, 3> r = (x - bl::mean(x, axes<2>, keepdim)) / bl::std(x, axes<2>, keepdim);
  const bl::dtensor<bfloat16, 3> m = bl::mean(x, axes<2>, keepdim), s = bl::std(x, axes<2>, keepdim);
  int wrong = 0;
  for (bl::index i = 0; i < 4; ++i)
    for (bl::index j = 0; j < 5; ++j)
      for (bl::index k = 0; k < 300; ++k) {
        const float d = float(bfloat16(float(x(i, j, k)) - float(m(i, j, 0))));
        wrong += r(i, j, k).bits() != bfloat16(d / float(s(i, j, 0))).bits();
      }
  BOOST_TEST(wrong == 0);
}

BOOST_AUTO_TEST_SUITE_END()
