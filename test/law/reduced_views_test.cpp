// Reductions as operands: of views, of other reductions, of assignments that overlap what they read, of trees that
// outlive what they were built from. Each gives what step-by-step evaluation gives.
// Build: unoptimised-by-sanitizers, sanitizers-alone
#include <broadloom/broadloom.hpp>

#include <cstring>
#include <stdexcept>

#include <boost/test/unit_test.hpp>

namespace bl = broadloom;
using namespace bl::literals;

namespace {

template <class... N>
auto noise(N... n) {
  static std::uint64_t seed = 0;
  bl::generator g(++seed);
  return bl::dtensor<float, sizeof...(N)>(bl::rand<float>(g, bl::make_shape(static_cast<bl::index>(n)...)));
}

template <class A, class B>
bool same(const A& a, const B& b) {
  constexpr int rank = bl::detail::rank_of<bl::detail::node_of<A>>;
  const bl::dtensor<float, rank> x = bl::eval(a), y = bl::eval(b);
  return x.shape() == y.shape() &&
         std::memcmp(x.data(), y.data(), static_cast<std::size_t>(x.size()) * sizeof(float)) == 0;
}
// What is wanted, evaluated into memory of its own.
template <class E>
auto computed_now(const E& e) {
  return bl::dtensor<float, bl::detail::rank_of<E>>(bl::eval(e));
}

bl::dtensor<float, 2> copy(const bl::dtensor<float, 2>& x) { return x; }

struct thrower {
  float operator()(float x) const {
    if (x > 0.999f) throw std::runtime_error("too large");
    return x;
  }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(law_reduced_views)

BOOST_AUTO_TEST_CASE(views_of_a_reduction_are_views_of_its_result) {
  const auto x = noise(7, 33, 20);
  const auto s = bl::sum(x, bl::axes<1>);
  const auto r = computed_now(s);
  BOOST_TEST(same(s.T(), r.T()));
  BOOST_TEST(same(bl::flip(s, 0), bl::flip(r, 0)));
  BOOST_TEST(same(bl::flip(s, 0, 1) * 2, bl::flip(r, 0, 1) * 2));
  BOOST_TEST(same(bl::slice(s, bl::range(1, bl::end, 2), bl::range(bl::none, bl::none, -3)),
                  bl::slice(r, bl::range(1, bl::end, 2), bl::range(bl::none, bl::none, -3))));
  BOOST_TEST(same(bl::unsqueeze(s, 1_c), bl::unsqueeze(r, 1_c)));
  BOOST_TEST(same(bl::select(s, 0, 3), bl::select(r, 0, 3)));
  BOOST_TEST(same(bl::unsqueeze(s, 1_c) - x, bl::unsqueeze(r, 1_c) - x));
  BOOST_TEST(same(bl::diagonal(s, 2), bl::diagonal(r, 2)));
  BOOST_TEST(same(bl::expand(bl::slice(s, bl::range(0, 1)), bl::make_shape(5, 20)),
                  bl::expand(bl::slice(r, bl::range(0, 1)), bl::make_shape(5, 20))));
  BOOST_TEST(bl::eval(s)(3, 4) == r(3, 4));
  BOOST_TEST(bl::to_string(s.T()) == bl::to_string(r.T()));
}

BOOST_AUTO_TEST_CASE(a_view_commutes_with_the_function_around_a_reduction) {
  const auto x = noise(40, 30);
  const auto e = x / bl::sum(x, bl::axes<1>, bl::keepdim);
  const auto r = computed_now(e);
  BOOST_TEST(same(e.T(), r.T()));
  BOOST_TEST(same(bl::flip(e, 0), bl::flip(r, 0)));
  BOOST_TEST(
      same(bl::slice(e, bl::range(3, 30, 4), bl::range(5, 11)), bl::slice(r, bl::range(3, 30, 4), bl::range(5, 11))));
  BOOST_TEST(same(bl::select(e, 1, -1), bl::select(r, 1, -1)));
  BOOST_TEST(same(bl::softmax(x.T(), 0_c), bl::softmax(x, 1_c).T()));
  BOOST_TEST(same(bl::softmax(bl::flip(x, 0), 1_c), bl::flip(bl::softmax(x, 1_c), 0)));
  BOOST_TEST(same(bl::select(bl::cumsum(x, 1), 1, 7), bl::select(computed_now(bl::cumsum(x, 1)), 1, 7)));
}

BOOST_AUTO_TEST_CASE(transposed_use_of_a_reduction) {
  const auto x = noise(50, 50);
  const auto rows = bl::sum(x, bl::axes<1>);
  const auto r = computed_now(rows);
  BOOST_TEST(same(x - rows, x - r));  // along the other axis
  BOOST_TEST(same(x - bl::unsqueeze(rows, 1_c), x - bl::unsqueeze(r, 1_c)));
  BOOST_TEST(same(rows * bl::unsqueeze(rows, 1_c), r * bl::unsqueeze(r, 1_c)));  // by rows and whole
  BOOST_TEST(same(x.T() / bl::sum(x, bl::axes<1>, bl::keepdim), x.T() / bl::unsqueeze(r, 1_c)));
  BOOST_TEST(same(bl::flip(x, 0) - bl::unsqueeze(rows, 1_c), bl::flip(x, 0) - bl::unsqueeze(r, 1_c)));
  BOOST_TEST(same(bl::slice(x, bl::range(10, 30)) - bl::slice(bl::unsqueeze(rows, 1_c), bl::range(20, 40)),
                  bl::slice(x, bl::range(10, 30)) - bl::slice(bl::unsqueeze(r, 1_c), bl::range(20, 40))));
}

BOOST_AUTO_TEST_CASE(reductions_of_reductions) {
  const auto x = noise(12, 70, 33);
  const auto most = computed_now(bl::amax(x, bl::axes<2>));
  BOOST_TEST(same(bl::sum(bl::amax(x, bl::axes<2>), bl::axes<0>), bl::sum(most, bl::axes<0>)));
  BOOST_TEST(same(bl::sum(bl::amax(x, bl::axes<2>).T(), bl::axes<0>), bl::sum(most.T(), bl::axes<0>)));
  BOOST_TEST(same(bl::mean(bl::sqrt(bl::amax(x, bl::axes<2>))), bl::mean(bl::sqrt(most))));
  const auto total = computed_now(bl::sum(x - bl::unsqueeze(most, 2_c), bl::axes<1, 2>, bl::keepdim));
  BOOST_TEST(same(x / bl::sum(x - bl::amax(x, bl::axes<2>, bl::keepdim), bl::axes<1, 2>, bl::keepdim), x / total));
  BOOST_TEST(same(bl::softmax(bl::softmax(x, 2_c), 2_c), bl::softmax(computed_now(bl::softmax(x, 2_c)), 2_c)));
  BOOST_TEST(same(bl::sum(bl::cumsum(x, 1), bl::axes<1>), bl::sum(computed_now(bl::cumsum(x, 1)), bl::axes<1>)));
}

// Windows of windows: rows begin as far apart along one axis as along the other, and share their elements.
BOOST_AUTO_TEST_CASE(reductions_of_rows_that_overlap) {
  for (const bl::index size : {20, 64, 130, 700})
    for (const bl::index step : {1, 3, 64}) {
      const auto x = noise(size + 40 * step);
      const auto rows = bl::permute(bl::windows(bl::windows(x, 0, size, step), 0, 6), 0, 2, 1);
      const auto copied = computed_now(rows);
      BOOST_TEST(
          same(rows / bl::sum(rows, bl::axes<2>, bl::keepdim), copied / bl::sum(copied, bl::axes<2>, bl::keepdim)));
      BOOST_TEST(same(rows - bl::amax(rows * x(0), bl::axes<2>, bl::keepdim),
                      copied - bl::amax(copied * x(0), bl::axes<2>, bl::keepdim)));
      BOOST_TEST(same(bl::softmax(rows, 2_c), bl::softmax(copied, 2_c)));
      BOOST_TEST(same(bl::sum(bl::mean(rows, 2_c), bl::axes<0>), bl::sum(bl::mean(copied, 2_c), bl::axes<0>)));
    }
}

BOOST_AUTO_TEST_CASE(assignments_that_overlap_what_is_reduced) {
  for (const bl::index n : {1, 5, 64, 300}) {
    const auto x = noise(n, n);
    const auto check = [&](const auto& change, const bl::dtensor<float, 2>& expected) {
      for (const int threads : {1, 3}) {
        auto y = copy(x);
        change(y, bl::par.threads(threads));
        BOOST_TEST(same(y, expected));
      }
    };
    check([](auto& y, auto) { y = y / bl::sum(y, bl::axes<1>, bl::keepdim); },
          computed_now(x / bl::sum(x, bl::axes<1>, bl::keepdim)));
    check([](auto& y, auto how) { bl::assign(y, y / bl::sum(y, bl::axes<0>, bl::keepdim), how); },
          computed_now(x / bl::sum(x, bl::axes<0>, bl::keepdim)));
    check([](auto& y, auto how) { bl::assign(y, y / bl::sum(y), how); }, computed_now(x / bl::sum(x)));
    check([](auto& y, auto how) { bl::assign(y, y - bl::mean(y.T(), 1_c, bl::keepdim), how); },
          computed_now(x - bl::mean(x.T(), 1_c, bl::keepdim)));
    check([](auto& y, auto how) { bl::assign(y.T(), y - bl::mean(y, 1_c, bl::keepdim), how); },
          computed_now((x - bl::mean(x, 1_c, bl::keepdim)).T()));
    check([](auto& y, auto how) { bl::assign(y, bl::flip(y, 0) - bl::amax(y, bl::axes<1>, bl::keepdim), how); },
          computed_now(bl::flip(x, 0) - bl::amax(x, bl::axes<1>, bl::keepdim)));
    check([](auto& y, auto how) { bl::assign(y, bl::softmax(y, 1_c), how); }, computed_now(bl::softmax(x, 1_c)));
    check([](auto& y, auto how) { bl::assign(y, bl::softmax(y.T(), 1_c), how); },
          computed_now(bl::softmax(x.T(), 1_c)));
    check([](auto& y, auto how) { bl::assign(y, bl::cumsum(y, 0), how); }, computed_now(bl::cumsum(x, 0)));
    check([](auto& y, auto) { y -= bl::mean(y, 0_c); }, computed_now(x - bl::mean(x, 0_c)));
    check([](auto& y, auto) { y /= bl::sum(y, bl::axes<1>, bl::keepdim); },
          computed_now(x / bl::sum(x, bl::axes<1>, bl::keepdim)));
    check([](auto& y, auto) { bl::mul_(y, bl::sum(y)); }, computed_now(x * bl::sum(x)));
    check([](auto& y, auto) { bl::add_(y, bl::let(y * 2).T()); }, computed_now(x + (x * 2).T()));
    auto expected = copy(x);
    bl::select(expected, 0, 0) = computed_now(bl::sum(x, bl::axes<0>));
    check([](auto& y, auto) { bl::select(y, 0, 0) = bl::sum(y, bl::axes<0>); }, expected);
    expected = x;
    bl::select(expected, 1, -1) = computed_now(bl::amax(x, bl::axes<0>));
    check([](auto& y, auto) { bl::select(y, 1, -1) = bl::amax(y, bl::axes<0>); }, expected);
  }
  auto v = noise(40, 8);
  const auto before = copy(v);
  bl::slice(v, bl::range(1, bl::end)) = bl::slice(v, bl::range(0, -1)) + bl::sum(v, bl::axes<0>);
  BOOST_TEST(
      same(bl::slice(v, bl::range(1, bl::end)), bl::slice(before, bl::range(0, -1)) + bl::sum(before, bl::axes<0>)));
}

BOOST_AUTO_TEST_CASE(trees_outlive_what_they_were_built_from) {
  const auto x = noise(30, 40);
  const auto softmax = [&] { return bl::softmax(copy(x) * 2, 1_c); }();
  const auto moved = [&] {
    auto local = copy(x);
    return bl::sum(std::move(local), bl::axes<0>);
  }();
  const auto let = [&] { return bl::let(copy(x) + copy(x)); }();
  const auto statistic = [&] { return (copy(x) - bl::mean(copy(x), 0_c)) / bl::std(copy(x), 0_c); }();
  const auto scan = [&] { return bl::cumsum(copy(x), 1); }();
  const auto small = [] {
    bl::tensor<float, bl::shape<2, 3>> t{{1, 2, 3}, {4, 5, 6}};
    return bl::sum(std::move(t), bl::axes<1>) * 10;
  }();
  const auto churn = noise(300, 40);  // memory that was freed is used again
  static_cast<void>(churn);
  BOOST_TEST(same(softmax, bl::softmax(x * 2, 1_c)));
  BOOST_TEST(same(moved, bl::sum(x, bl::axes<0>)));
  BOOST_TEST(same(let, x + x));
  BOOST_TEST(same(statistic, (x - bl::mean(x, 0_c)) / bl::std(x, 0_c)));
  BOOST_TEST(same(scan, bl::cumsum(x, 1)));
  const auto again = small;
  BOOST_TEST(bl::eval(again)(1) == 150);
  BOOST_TEST(bl::eval(again)(0) == 60);
}

BOOST_AUTO_TEST_CASE(what_a_callable_throws_arrives) {
  auto x = noise(200, 300);
  x = x * 0.5f;
  const auto f = [](const auto& a) { return bl::pointwise(thrower{}, a); };
  const auto fine = computed_now(x / bl::sum(f(x), bl::axes<1>, bl::keepdim));
  x(150, 7) = 2;
  auto o = copy(x);
  for (const int threads : {1, 2, 8}) {
    const bl::policy how = bl::par.threads(threads);
    BOOST_CHECK_THROW(bl::assign(o, x / bl::sum(f(x), bl::axes<1>, bl::keepdim), how), std::runtime_error);
    BOOST_CHECK_THROW(bl::assign(o, x / bl::sum(f(x), bl::axes<0>, bl::keepdim), how), std::runtime_error);
    BOOST_CHECK_THROW(static_cast<void>(bl::eval(bl::sum(f(x)), how)), std::runtime_error);
    BOOST_CHECK_THROW(bl::assign(o, bl::let(f(x)) + bl::let(f(x)), how), std::runtime_error);
  }
  x(150, 7) = 0.25f;
  BOOST_TEST(!same(x / bl::sum(f(x), bl::axes<1>, bl::keepdim), bl::zeros<float>(200, 300)));
  BOOST_TEST(same(bl::slice(x / bl::sum(f(x), bl::axes<1>, bl::keepdim), bl::range(0, 150)),
                  bl::slice(fine, bl::range(0, 150))));
}

BOOST_AUTO_TEST_SUITE_END()
