// Ordering, counting, gathering and updating elements of 16 bits: what f32 gives, exactly; updates round each time.
// Build: seldom
#include <broadloom/half.hpp>
#include <broadloom/index/histogram.hpp>
#include <broadloom/index/membership.hpp>
#include <broadloom/index/put.hpp>
#include <broadloom/sets.hpp>

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <cstdint>

BOOST_AUTO_TEST_SUITE(index_sort_half)

namespace bl = broadloom;
using bl::bfloat16;
using bl::float16;

namespace {

template <class H>
bl::dtensor<H, 2> numbers() {
  bl::dtensor<H, 2> r(5, 19);
  std::uint32_t state = 5;
  for (bl::index i = 0; i < r.size(); ++i) {
    state = state * 1664525u + 1013904223u;
    r.data()[i] = state % 23 == 0 ? std::nanf("") : static_cast<float>(static_cast<int>(state >> 16 & 63) - 20) / 3;
  }
  return r;
}

// The same array, where that of halves is narrower.
template <class A, class B>
void agree(const char* name, const A& halves, const B& wide) {
  using T = typename A::value_type;
  BOOST_TEST_REQUIRE(halves.size() == wide.size(), name);
  int wrong = 0;
  for (bl::index i = 0; i < halves.size(); ++i) {
    const T x = halves.data()[i], y = static_cast<T>(wide.data()[i]);
    wrong += !(x == y || (x != x && y != y));
  }
  BOOST_TEST(wrong == 0, name);
}

template <class H>
void ordered() {
  const auto x = numbers<H>();
  const bl::dtensor<float, 2> w = bl::cast<float>(x);
  const auto both = [&](const char* name, const auto& f) {
    const auto a = f(x);
    const auto b = f(w);
    if constexpr (requires { a.values; }) {
      static_assert(std::is_same_v<typename decltype(a.values)::value_type, H>);
      agree(name, a.values, b.values);
      if constexpr (requires { a.indices; }) agree(name, a.indices, b.indices);
      if constexpr (requires { a.inverse; }) agree(name, a.inverse, b.inverse);
    } else
      agree(name, a, b);
  };
  both("sort", [](const auto& v) { return bl::sort(v, 0, true); });
  both("argsort", [](const auto& v) { return bl::argsort(v, 1); });
  both("topk", [](const auto& v) { return bl::topk(v, 4, 1); });
  both("kthvalue", [](const auto& v) { return bl::kthvalue(v, 3, 1); });
  both("median", [](const auto& v) { return bl::median(v, 0); });
  both("median of all", [](const auto& v) { return bl::median(v); });
  both("nanmedian", [](const auto& v) { return bl::nanmedian(v, 0); });
  both("nanquantile", [](const auto& v) { return bl::nanquantile(v, 0.3, 1); });
  both("quantile", [](const auto& v) { return bl::quantile(v, 0.3, 1); });
  both("percentile", [](const auto& v) { return bl::percentile(v, 20, 1); });
  both("most_frequent", [](const auto& v) { return bl::most_frequent(v, 1); });
  both("cummax", [](const auto& v) { return bl::cummax(v, 1); });
  both("argpartition", [](const auto& v) { return bl::argpartition(v, 3); });
  both("partition", [](const auto& v) { return bl::partition(v, 3); });
  both("unique", [](const auto& v) { return bl::unique(v); });
  both("unique along an axis", [](const auto& v) { return bl::unique(v, 0); });
  both("unique_consecutive", [](const auto& v) { return bl::unique_consecutive(v); });
  both("isin", [](const auto& v) { return bl::isin(v, bl::eval(v(0))); });
  both("union1d", [](const auto& v) { return bl::union1d(v(0), v(1)); });
  both("setdiff1d", [](const auto& v) { return bl::setdiff1d(v(0), v(1)); });
  both("intersect1d", [](const auto& v) { return bl::intersect1d(v(0), v(1), bl::with_indices); });
  both("histc", [](const auto& v) { return bl::histc(bl::eval(bl::where(bl::eq(v, v), v, 0)), 7); });
  both("searchsorted", [](const auto& v) { return bl::searchsorted(bl::sort(v(0)).values, v); });
  both("histogram", [](const auto& v) {
    const auto numbers = bl::eval(bl::where(bl::eq(v, v), v, 0));
    return bl::histogram(numbers, bl::sort(numbers(0)).values).hist;
  });
  both("nonzero", [](const auto& v) { return bl::nonzero(v); });
  both("masked_select", [](const auto& v) { return bl::eval(bl::masked_select(v, v > 1)); });
  both("roll", [](const auto& v) { return bl::eval(bl::roll(v, 3)); });
  both("cat", [](const auto& v) { return bl::eval(bl::cat(0, v, v)); });
  both("gather", [](const auto& v) { return bl::eval(bl::gather(v, 1, bl::argsort(v, 1))); });
  both("diff", [](const auto& v) { return bl::eval(bl::diff(v)); });
}

}  // namespace

BOOST_AUTO_TEST_CASE(float16_is_ordered_as_f32) { ordered<float16>(); }

BOOST_AUTO_TEST_CASE(bfloat16_is_ordered_as_f32) {
  const auto x = numbers<bfloat16>();
  const bl::dtensor<float, 2> w = bl::cast<float>(x);
  agree("sort", bl::sort(x, 1).values, bl::sort(w, 1).values);
  agree("unique", bl::unique(x).values, bl::unique(w).values);
}

// Elements that meet are added one after the other, each sum rounded (PyTorch's index_add_ of Half).
BOOST_AUTO_TEST_CASE(updates_round_each_time) {
  const auto all = []<class H>(H) {
    bl::dtensor<H, 1> x{256, 2, -3}, largest = x, product = x;
    const bl::dtensor<std::int64_t, 1> at{0, 0, 0, 2};
    const bl::dtensor<H, 1> by{0.5, 1.5, 300, 7};
    H sum = x(0);
    for (int i = 0; i < 3; ++i) sum = sum + by(i);
    H times = x(0);
    for (int i = 0; i < 3; ++i) times = times * by(i);
    bl::index_add_(x, 0, at, by);
    BOOST_TEST(x(0).bits() == sum.bits());
    BOOST_TEST(float(x(1)) == 2);
    BOOST_TEST(float(x(2)) == 4);
    bl::scatter_reduce_(largest, 0, at, by, bl::amax);
    BOOST_TEST(float(largest(0)) == 300);
    BOOST_TEST(float(largest(2)) == 7);
    bl::scatter_reduce_(product, 0, at, by, bl::prod);
    BOOST_TEST(product(0).bits() == times.bits());
    bl::put_(largest, at, by);
    BOOST_TEST(float(largest(0)) == 300);
    bl::index_reduce_(product, 0, at, by, bl::mean, false);
    BOOST_TEST(product(2).bits() == by(3).bits());
    bl::dtensor<H, 1> filled = x;
    bl::masked_fill_(filled, x > 3, 0.1);
    BOOST_TEST(filled(0).bits() == H(0.1f).bits());
  };
  all(float16{});
  all(bfloat16{});
}

BOOST_AUTO_TEST_CASE(zeros_of_both_signs_are_zero) {
  const bl::dtensor<bfloat16, 1> x{0.0, -0.0, 1e-40, -2};
  BOOST_TEST(bl::nonzero(x).size() == 2);
}

BOOST_AUTO_TEST_CASE(factories_round_f32s_elements) {
  const auto r = bl::arange<float16>(0, 1, 0.1f);
  const auto wide = bl::arange<float>(0, 1, 0.1f);
  const auto ends = bl::linspace<bfloat16>(0, 1, 7);
  BOOST_TEST_REQUIRE(r.size() == wide.size());
  for (bl::index i = 0; i < r.size(); ++i) BOOST_TEST(r(i).bits() == float16(wide(i)).bits());
  BOOST_TEST(float(ends(6)) == 1);
  BOOST_TEST(float(bl::ones<float16>(3)(2)) == 1);
  BOOST_TEST(float(bl::eye<bfloat16>(3)(1, 1)) == 1);
  BOOST_TEST(float(bl::full<float16>(bl::dshape<1>(2), 0.5)(1)) == 0.5f);
}

BOOST_AUTO_TEST_SUITE_END()
