// Random orders and choices: what they give, how often, and their errors; independence of spawned generators.
#include <broadloom/random.hpp>

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <map>
#include <set>
#include <stdexcept>
#include <vector>

#include "chi_squared.hpp"

namespace bl = broadloom;
using namespace bl::literals;
using statistics::chi_squared;
using statistics::critical;

namespace {

template <class X>
std::vector<std::int64_t> list(const X& x) {
  const bl::tensor<std::int64_t, bl::dshape<bl::rank_of<X>>> t = bl::cast<std::int64_t>(x);
  return {t.data(), t.data() + t.size()};
}
bool is_order(std::vector<std::int64_t> x, std::int64_t n) {
  std::sort(x.begin(), x.end());
  for (std::int64_t i = 0; i < n; ++i)
    if (x[static_cast<std::size_t>(i)] != i) return false;
  return static_cast<std::int64_t>(x.size()) == n;
}
// How often each list came, all of `expected` equally often.
void check_even(const char* what, const std::map<std::vector<std::int64_t>, double>& counts, std::size_t expected,
                double n) {
  BOOST_REQUIRE(counts.size() == expected);
  std::vector<double> found;
  for (const auto& [x, count] : counts) found.push_back(count);
  BOOST_TEST(chi_squared(found, std::vector<double>(expected, n / static_cast<double>(expected))) <
                 critical(static_cast<int>(expected) - 1),
             what);
}

template <class Call>
void refused(Call call, const char* text) {
  BOOST_CHECK_EXCEPTION(call(), std::invalid_argument, [text](const std::invalid_argument& e) {
    BOOST_TEST(e.what() == text);
    return true;
  });
}

}  // namespace

BOOST_AUTO_TEST_SUITE(random_choice)

BOOST_AUTO_TEST_CASE(every_order_is_equally_likely) {
  bl::generator g(1);
  std::map<std::vector<std::int64_t>, double> orders, columns, chosen;
  constexpr int n = 12000;
  for (int i = 0; i < n; ++i) {
    orders[list(bl::randperm(g, 4))] += 1;
    bl::tensor x = bl::reshape(bl::arange<int>(6), bl::shape<2, 3>{});
    bl::shuffle(g, x, 1);
    BOOST_REQUIRE(bl::all(bl::select(x, 0, 1) == bl::select(x, 0, 0) + 3).item());
    columns[list(bl::select(x, 0, 0))] += 1;
    chosen[list(bl::choice(g, 4, bl::shape<2>{}, false))] += 1;
  }
  check_even("randperm", orders, 24, n);
  check_even("shuffle", columns, 6, n);
  check_even("choice", chosen, 12, n);
}

BOOST_AUTO_TEST_CASE(orders_have_every_position_once) {
  bl::generator g(2);
  for (const bl::index n : {0, 1, 2, 511, 512, 513, 1025, 30000}) {
    const std::uint64_t before = g.position();
    BOOST_TEST(is_order(list(bl::randperm(g, n)), n));
    BOOST_TEST(g.position() == before + static_cast<std::uint64_t>(n));
  }
  // A part of an order is its beginning, also where only what was exchanged is kept.
  for (const bl::index k : {1, 7, 100, 625, 626, 5000, 10000}) {
    bl::generator a(3), b(3);
    const auto whole = list(bl::randperm(a, 10000)), part = list(bl::choice(b, 10000, bl::dshape<1>(k), false));
    BOOST_TEST(std::equal(part.begin(), part.end(), whole.begin()));
  }
  bl::tensor x = bl::arange<float>(100);
  bl::shuffle(g, bl::narrow(x, 0, 10, 50));
  BOOST_TEST(bl::all(bl::narrow(x, 0, 0, 10) == bl::arange<float>(10)).item());
  BOOST_TEST(is_order(list(x), 100));
}

BOOST_AUTO_TEST_CASE(choices_have_their_weights) {
  bl::generator g(4);
  const bl::tensor<double, bl::shape<4>> w{1, 0, 3, 4};
  constexpr int n = 40000;
  const auto check = [&](const std::vector<std::int64_t>& x) {
    std::vector<double> counts(4), expected{n / 8.0, 3 * n / 8.0, 4 * n / 8.0};
    for (const std::int64_t i : x) counts[static_cast<std::size_t>(i)] += 1;
    BOOST_TEST(counts[1] == 0);
    counts.erase(counts.begin() + 1);
    BOOST_TEST(chi_squared(counts, expected) < critical(2));
  };
  check(list(bl::choice(g, 4, bl::dshape<1>(n), true, w)));
  check(list(bl::multinomial(g, w, n, true)));
  const bl::tensor<float, bl::shape<4>> values{5, 6, 7, 8};
  const bl::tensor chosen = bl::choice(g, values, bl::dshape<2>(n, 1), true, w);
  static_assert(std::is_same_v<decltype(chosen), const bl::tensor<float, bl::dshape<2>>>);
  check(list(chosen - 5));

  // Without replacement: first by the weights, then by those of what is left.
  std::map<std::vector<std::int64_t>, double> pairs;
  for (int i = 0; i < n; ++i) pairs[list(bl::choice(g, 4, bl::shape<2>{}, false, w))] += 1;
  const double weights[] = {1, 0, 3, 4};
  std::vector<double> counts, expected;
  for (std::int64_t i = 0; i < 4; ++i)
    for (std::int64_t j = 0; j < 4; ++j)
      if (i != j && i != 1 && j != 1) {
        counts.push_back(pairs[{i, j}]);
        expected.push_back(n * weights[i] / 8 * weights[j] / (8 - weights[i]));
      }
  BOOST_TEST(pairs.size() == 6U);
  BOOST_TEST(chi_squared(counts, expected) < critical(5));

  const bl::tensor rows = bl::multinomial(g, bl::tensor<float, bl::shape<2, 3>>{{0, 1, 0}, {2, 0, 1}}, 1);
  BOOST_TEST((rows(0, 0) == 1 && rows(1, 0) != 1));
  const bl::tensor all_but_one = bl::multinomial(g, w, 3);
  BOOST_TEST(
      (std::set<std::int64_t>{all_but_one(0), all_but_one(1), all_but_one(2)} == std::set<std::int64_t>{0, 2, 3}));
}

BOOST_AUTO_TEST_CASE(choices_are_slices_along_an_axis) {
  const bl::tensor x = bl::reshape(bl::arange<int>(24), bl::shape<2, 3, 4>{});
  bl::generator g(11), h(11);
  for (int axis = 0; axis < 3; ++axis) {
    const bl::tensor at = bl::choice(h, x.shape()[axis], bl::shape<2, 5>{});
    const bl::tensor r = bl::choice(g, x, bl::shape<2, 5>{}, true, axis);
    BOOST_TEST(r.rank() == 4);
    const auto flat = bl::index_select(x, axis, bl::flatten(at));
    BOOST_TEST(bl::array_equal(bl::flatten(r), bl::flatten(bl::eval(flat))));
    BOOST_TEST(r.shape()[axis] == 2);
    BOOST_TEST(r.shape()[axis + 1] == 5);
  }
  const auto columns = bl::choice(g, x, bl::shape<2>{}, false, 1_c);
  static_assert(std::is_same_v<std::remove_const_t<decltype(columns)>, bl::tensor<int, bl::shape<2, 2, 4>>>);
  BOOST_TEST(columns(0, 0, 0) != columns(0, 1, 0));
  const bl::tensor last = bl::choice(g, x, bl::dshape<1>(3), true, bl::tensor<float, bl::shape<4>>{0, 0, 0, 2}, -1);
  BOOST_TEST(bl::all(bl::remainder(last, 4) == 3).item());
  BOOST_CHECK_THROW(bl::choice(g, x, bl::shape<2>{}, true, bl::tensor<float, bl::shape<4>>{1, 1, 1, 1}),
                    bl::shape_error);
}

BOOST_AUTO_TEST_CASE(choices_of_equal_elements) {
  bl::generator g(5);
  const bl::tensor x = bl::choice(g, 3, bl::shape<100, 2>{});
  static_assert(std::is_same_v<decltype(x), const bl::tensor<std::int64_t, bl::shape<100, 2>>>);
  std::vector<double> counts(3);
  for (const std::int64_t i : list(x)) counts[static_cast<std::size_t>(i)] += 1;
  BOOST_TEST(chi_squared(counts, {200 / 3.0, 200 / 3.0, 200 / 3.0}) < critical(2));
  BOOST_TEST(is_order(list(bl::choice(g, bl::arange<int>(5), bl::shape<5>{}, false)), 5));
}

BOOST_AUTO_TEST_CASE(parameters_are_checked) {
  bl::generator g(1);
  refused([&] { bl::choice(g, 0, bl::shape<2>{}); }, "choice: there is nothing to choose from");
  refused([&] { bl::choice(g, 3, bl::shape<4>{}, false); },
          "choice: 4 of 3 elements cannot be chosen without replacement");
  refused([&] { bl::choice(g, 2, bl::shape<2>{}, true, bl::tensor<float, bl::shape<2>>{1, -1}); },
          "choice: weight 1 is -1, and must be finite and not negative");
  refused([&] { bl::multinomial(g, bl::tensor<float, bl::shape<2>>{0, 0}, 1); },
          "multinomial: the sum of the weights is 0, and must be positive and finite");
  refused([&] { bl::multinomial(g, bl::tensor<float, bl::shape<3>>{0, 1, 2}, 3); },
          "multinomial: 3 of 2 elements with a weight above 0 cannot be chosen without replacement");
  BOOST_CHECK_THROW(bl::choice(g, 3, bl::shape<2>{}, true, bl::tensor<float, bl::shape<2>>{1, 1}), bl::shape_error);
}

// Streams of a generator, of those it spawned, and of those these spawned: no two numbers are alike, and the streams
// have no correlation.
BOOST_AUTO_TEST_CASE(spawned_generators_are_independent) {
  bl::generator g(0);
  std::vector<bl::generator> all = bl::spawn(g, 10);
  BOOST_TEST(g.position() == 10U);
  for (int i = 0; i < 5; ++i)
    for (const bl::generator& child : bl::spawn(all[static_cast<std::size_t>(i)], 4)) all.push_back(child);
  all.push_back(g);
  all.emplace_back(0, 1000);
  constexpr bl::index n = 20000;
  std::vector<bl::dtensor<double, 1>> streams;
  for (bl::generator& each : all) streams.emplace_back(bl::normal<double>(each, bl::dshape<1>(n)));
  double worst = 0, squares = 0;
  int pairs = 0;
  for (std::size_t i = 0; i < streams.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const double r = bl::mean(streams[i] * streams[j]).item() * std::sqrt(double(n));
      worst = std::max(worst, std::abs(r));
      squares += r * r;
      ++pairs;
    }
  BOOST_TEST(worst < 4.5);
  BOOST_TEST(squares < critical(pairs));
  std::set<std::uint64_t> seeds;
  for (const bl::generator& each : all) seeds.insert(each.seed());
  BOOST_TEST(seeds.size() == all.size() - 1);  // two are of seed 0
}

BOOST_AUTO_TEST_SUITE_END()
