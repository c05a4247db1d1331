// Ordering and counting: tables of PyTorch and NumPy, stability, NaN, one large axis, any number of threads.
// Build: gcc-alone
#include "cases.hpp"

#include <broadloom/index/membership.hpp>

#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

namespace {

namespace bl = broadloom;
using namespace bl::literals;
using namespace index_cases;

template <class T>
std::vector<bl::index> stable_order(const T* x, bl::index n) {
  std::vector<bl::index> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), bl::index{0});
  const auto less = [&](T a, T b) { return a < b || (b != b && a == a); };
  std::sort(order.begin(), order.end(),
            [&](bl::index a, bl::index b) { return less(x[a], x[b]) || (!less(x[b], x[a]) && a < b); });
  return order;
}

// Evenly spaced edges, edges nearly so, edges at random with equal ones among them, and NaN and infinity at their ends;
// values that are edges, lie between them, and beyond every one.
template <class T>
void compare_places(std::mt19937_64& random) {
  using limits = std::numeric_limits<T>;
  const auto less = [](T a, T b) { return a < b || (b != b && a == a); };
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<std::uint64_t>(n)); };
  for (int round = 0; round < 400; ++round) {
    const int count = below(40), n = 1 + below(200), kind = round % 4;
    std::vector<T> edges(static_cast<std::size_t>(count)), values(static_cast<std::size_t>(n));
    for (int k = 0; k < count; ++k) {
      const double at = kind == 0   ? 3 * k - 20
                        : kind == 1 ? k * 0.1 - 1
                        : kind == 2 ? below(100) - 50
                                    : k + below(100) / 190.;
      edges[static_cast<std::size_t>(k)] = static_cast<T>(at);
    }
    std::sort(edges.begin(), edges.end());
    if (limits::has_quiet_NaN && count > 2 && round % 7 == 0) edges.back() = limits::quiet_NaN();
    if (limits::has_infinity && count > 2 && round % 11 == 0) edges.front() = -limits::infinity();
    for (T& v : values) {
      const int what = below(10);
      v = what < 3 && count > 0 ? edges[static_cast<std::size_t>(below(count))]
          : what == 4           ? limits::max()
          : what == 5           ? limits::lowest()
                                : static_cast<T>(below(1000) / 10 - 30);
      if (limits::has_quiet_NaN && what == 6) v = limits::quiet_NaN();
      if (limits::has_infinity && what == 7) v = limits::infinity();
    }
    const auto e = bl::from(edges), v = bl::from(values);
    for (const bool right : {false, true}) {
      const auto found = bl::eval(bl::searchsorted(e, v, right));
      for (std::size_t i = 0; i < values.size(); ++i) {
        const auto want = (right ? std::upper_bound(edges.begin(), edges.end(), values[i], less)
                                 : std::lower_bound(edges.begin(), edges.end(), values[i], less)) -
                          edges.begin();
        BOOST_TEST_REQUIRE(found.data()[i] == want, "kind " << kind << ", " << count << " edges, value " << +values[i]);
      }
    }
    const auto members = bl::eval(bl::isin(v, e)), others = bl::eval(bl::isin(v, e, true));
    for (std::size_t i = 0; i < values.size(); ++i) {
      const bool want = std::find(edges.begin(), edges.end(), values[i]) != edges.end();
      BOOST_TEST_REQUIRE(members.data()[i] == want, "kind " << kind << ", " << count << " values, " << +values[i]);
      BOOST_TEST_REQUIRE(others.data()[i] != want, "kind " << kind << ", " << count << " values, " << +values[i]);
    }
    // Edges in another order have no places, but nothing else is read or written.
    std::shuffle(edges.begin(), edges.end(), random);
    const auto anywhere = bl::eval(bl::searchsorted(bl::from(edges), v));
    BOOST_TEST_REQUIRE(bl::all(anywhere >= 0 && anywhere <= count).item());
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(index_sort)

BOOST_AUTO_TEST_CASE(values_have_the_places_of_a_binary_search) {
  std::mt19937_64 random(52);
  compare_places<float>(random);
  compare_places<double>(random);
  compare_places<int>(random);
  compare_places<std::int64_t>(random);
  compare_places<std::int8_t>(random);
}

BOOST_AUTO_TEST_CASE(ordering_gives_what_pytorch_gives) {
  each_array("sort", 40, [](const line& l, const auto& x) {
    const bool down = l.parameter == "1";
    return both_are(l, bl::sort(x, l.axis, down)) && l.result().is(bl::argsort(x, l.axis, down));
  });
  each_array("kthvalue", 20,
             [](const line& l, const auto& x) { return both_are(l, bl::kthvalue(x, std::stol(l.parameter), l.axis)); });
  each_array("topk", 40, [](const line& l, const auto& x) {
    const auto p = list_of(l.parameter);
    return both_are(l, bl::topk(x, p[0], l.axis, p[1] == 1));
  });
  each_array("median", 20, [](const line& l, const auto& x) { return l.result().is(bl::median(x, l.axis).values); });
  each_array("quantile", 400, [](const line& l, const auto& x) {
    const std::string how = l.parameter.substr(l.parameter.find(',') + 1);
    using kind = bl::interpolation;
    const kind between = how == "linear"    ? kind::linear
                         : how == "lower"   ? kind::lower
                         : how == "higher"  ? kind::higher
                         : how == "nearest" ? kind::nearest
                                            : kind::midpoint;
    return l.result().is(bl::quantile(x, std::stod(l.parameter), l.axis, between));
  });
  each_array("cummax", 20, [](const line& l, const auto& x) { return both_are(l, bl::cummax(x, l.axis)); });
  each_array("cummin", 20, [](const line& l, const auto& x) { return both_are(l, bl::cummin(x, l.axis)); });
}

BOOST_AUTO_TEST_CASE(counting_gives_what_pytorch_and_numpy_give) {
  each_array("unique", 18, [](const line& l, const auto& x) {
    const auto r = bl::unique(x);
    return l.arrays[1].is(r.values) && l.arrays[2].is(r.inverse) && l.arrays[3].is(r.counts);
  });
  each_array("searchsorted", 36, [](const line& l, const auto& edges) {
    bool ok = true;
    if constexpr (std::remove_cvref_t<decltype(edges)>::shape_type::axes_count == 1)
      with_rank(l.arrays[1].rank(), [&](auto r) {
        const auto v = l.arrays[1].as<double, r>();
        ok = l.result().is(bl::searchsorted(edges, v, l.parameter == "1")) &&
             l.result().is(bl::bucketize(v, edges, l.parameter == "1"));
      });
    return ok;
  });
  each_array("nonzero", 18, [](const line& l, const auto& x) {
    const auto apart = bl::where(x);
    const auto rows = bl::eval(bl::nonzero(x));
    bool ok = l.result().is(rows) && l.result().is(bl::argwhere(x != 0.0));
    for (bl::index k = 0; k < rows.shape()[0]; ++k)
      for (bl::index a = 0; a < rows.shape()[1]; ++a) ok = ok && apart[a](k) == rows(k, a);
    return ok;
  });
  each_array("histc", 36, [](const line& l, const auto& x) {
    const auto p = list_of(l.parameter);
    return l.result().is(bl::histc(x, p[0], static_cast<double>(p[1]), static_cast<double>(p[2])));
  });
  each_order("bincount", 10, [](const line& l) {
    return l.result().is(bl::bincount(l.arrays[0].as<std::int64_t, 1>(), std::stol(l.parameter)));
  });
  each_order("bincount_weights", 10, [](const line& l) {
    return l.result().is(bl::bincount(l.arrays[0].as<int, 1>(), l.arrays[1].as<double, 1>(), std::stol(l.parameter)));
  });
}

BOOST_AUTO_TEST_CASE(every_element_type_is_sorted) {
  const auto with = [](auto low, auto high) {
    using T = decltype(low);
    const bl::dtensor<T, 1> x{T(1), high, T(0), low, T(1), T(0), high};
    const auto r = bl::sort(x);
    const auto order = stable_order(x.data(), x.size());
    for (bl::index i = 0; i < x.size(); ++i) BOOST_TEST(r.indices(i) == order[static_cast<std::size_t>(i)]);
    BOOST_TEST((r.values(0) == low && r.values(6) == high));
    BOOST_TEST(bl::median(x).item() == T(1));
  };
  with(std::numeric_limits<std::int8_t>::min(), std::numeric_limits<std::int8_t>::max());
  with(std::numeric_limits<std::int16_t>::min(), std::numeric_limits<std::int16_t>::max());
  with(std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max());
  with(std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max());
  with(std::uint8_t{0}, std::numeric_limits<std::uint8_t>::max());
  with(std::uint16_t{0}, std::numeric_limits<std::uint16_t>::max());
  with(std::uint32_t{0}, std::numeric_limits<std::uint32_t>::max());
  with(std::uint64_t{0}, std::numeric_limits<std::uint64_t>::max());
  with(-std::numeric_limits<float>::infinity(), std::numeric_limits<float>::infinity());
  with(-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity());
  with(false, true);
}

BOOST_AUTO_TEST_CASE(sorting_is_stable_with_nan_last_at_every_length_and_for_any_number_of_threads) {
  std::mt19937 chance(3);
  const auto check = [&](auto zero, bl::index n) {
    using T = decltype(zero);
    bl::dtensor<T, 1> x(n);
    for (bl::index i = 0; i < n; ++i) {
      x(i) = static_cast<T>(static_cast<int>(chance() % 1000) - 500);
      if (chance() % 50 == 0) x(i) = std::numeric_limits<T>::quiet_NaN();
      if (chance() % 50 == 0) x(i) = -T(0);
    }
    const auto order = stable_order(x.data(), n);
    for (int threads : {0, 1, 3}) {
      const auto r = bl::sort(x, 0, false, bl::par.threads(threads));
      int wrong = 0;
      for (bl::index i = 0; i < n; ++i) wrong += r.indices(i) != order[static_cast<std::size_t>(i)];
      BOOST_TEST(wrong == 0);
    }
    const auto largest = bl::topk(x, n / 3);
    const auto down = bl::sort(x, 0, true);
    int wrong = 0;
    for (bl::index i = 0; i < n / 3; ++i) wrong += largest.indices(i) != down.indices(i);
    BOOST_TEST(wrong == 0);
  };
  for (bl::index n : {1, 2, 255, 256, 257, 5000, 70000}) {
    check(float{}, n);
    check(double{}, n);
  }
}

// Ties, NaN, lines of any stride: those that the stable order has first.
BOOST_AUTO_TEST_CASE(few_of_many_are_the_first_of_the_sorted_line) {
  std::mt19937_64 bits(8);
  const auto check = [&](auto zero, bl::index n, int kinds) {
    using T = decltype(zero);
    bl::dtensor<T, 2> x(n, 2);
    for (bl::index i = 0; i < x.size(); ++i) {
      const auto k = static_cast<int>(bits() % static_cast<unsigned>(kinds));
      x.data()[i] = static_cast<T>(k - kinds / 2);
      if constexpr (std::is_floating_point_v<T>)
        if (k == 0 || bits() % 97 == 0) x.data()[i] = std::numeric_limits<T>::quiet_NaN();
    }
    const bl::dtensor<T, 1> line = bl::select(x, 1, 0);
    int wrong = 0;
    for (const bool largest : {false, true})
      for (const bl::index k : {bl::index{1}, n / 16, n / 50 + 1}) {
        const auto order = bl::argsort(line, 0, largest);
        const auto together = bl::topk(line, k, 0, largest);
        const auto apart = bl::topk(bl::select(x, 1, 0), k, 0, largest);
        const auto columns = bl::topk(x, k, 0, largest);
        for (bl::index i = 0; i < k; ++i)
          wrong += together.indices(i) != order(i) || apart.indices(i) != order(i) || columns.indices(i, 0) != order(i);
      }
    BOOST_TEST(wrong == 0);
  };
  for (const bl::index n : {40, 160, 300, 700, 20000})
    for (const int kinds : {2, 100, 1000000}) {
      check(float{}, n, kinds);
      check(double{}, n, kinds);
      check(std::int32_t{}, n, kinds);
      check(std::int64_t{}, n, kinds);
    }
}

// Ties, NaN and both directions: the one that the stable order has there.
BOOST_AUTO_TEST_CASE(one_of_a_line_is_that_of_the_sorted_line) {
  std::mt19937_64 bits(9);
  const auto check = [&](auto zero, bl::index n, int kinds) {
    using T = decltype(zero);
    bl::dtensor<T, 1> x(n);
    for (auto& e : x) {
      const auto k = static_cast<int>(bits() % static_cast<unsigned>(kinds));
      e = static_cast<T>(k - kinds / 2);
      if constexpr (std::is_floating_point_v<T>)
        if (bits() % 7 == 0) e = bits() % 2 == 0 ? std::numeric_limits<T>::quiet_NaN() : T(-0.0);
    }
    const auto order = bl::argsort(x);
    int wrong = bl::topk(x, 1).indices(0) != bl::argsort(x, 0, true)(0);
    for (bl::index k = 1; k <= n; k += 1 + n / 9) wrong += bl::kthvalue(x, k).indices.item() != order(k - 1);
    BOOST_TEST(wrong == 0);
  };
  for (const bl::index n : {1, 2, 3, 17, 100, 256, 1000, 3000})
    for (const int kinds : {1, 3, 1000000}) {
      check(float{}, n, kinds);
      check(double{}, n, kinds);
      check(std::int64_t{}, n, kinds);
      check(std::uint64_t{}, n, kinds);
    }
}

BOOST_AUTO_TEST_CASE(keys_of_four_and_eight_bytes_are_sorted_by_their_bytes) {
  const auto with = [](auto zero) {
    using T = decltype(zero);
    std::mt19937_64 chance(3);
    for (const bl::index n : {bl::index{255}, bl::index{256}, bl::index{1024}, bl::index{70000}}) {
      bl::dtensor<T, 1> x(n);
      for (auto& e : x) {
        const std::uint64_t bits = chance() >> chance() % 60;
        e = std::is_floating_point_v<T> ? static_cast<T>(bits) * (bits % 3 == 0 ? T(-1.5) : T(1))
                                        : static_cast<T>(bits);
      }
      if constexpr (std::is_floating_point_v<T>) x(n / 2) = x(7) = std::numeric_limits<T>::quiet_NaN();
      const auto order = stable_order(x.data(), n);
      const auto r = bl::sort(x);
      BOOST_TEST((std::vector<bl::index>(r.indices.begin(), r.indices.end()) == order));
      const auto u = bl::unique(x);
      bl::index sum = 0;
      for (bl::index i = 0; i < n; ++i) {
        const T v = u.values(u.inverse(i));
        sum += v == x(i) || (v != v && x(i) != x(i)) ? 0 : 1;
      }
      BOOST_TEST(sum == 0);
      BOOST_TEST(bl::sum(u.counts).item() == n);
    }
  };
  with(std::uint32_t{});
  with(std::int64_t{});
  with(float{});
  with(double{});
}

BOOST_AUTO_TEST_CASE(integers_of_a_short_range_are_counted) {
  const auto with = [](auto zero) {
    using T = decltype(zero);
    for (const T low : {std::numeric_limits<T>::min(), T(std::numeric_limits<T>::max() - 9), T(5)}) {
      bl::dtensor<T, 1> x(50);
      for (bl::index i = 0; i < 50; ++i) x(i) = static_cast<T>(low + static_cast<T>(i * 7 % 10 / 2 * 2));
      const auto counted = bl::unique(x);
      auto wide = bl::dtensor<T, 1>(51);
      bl::assign(wide(bl::range(0, 50)), x);
      wide(50) = low > T(64) ? T(0) : std::numeric_limits<T>::max();  // too long a range
      const auto sorted = bl::unique(wide);
      const bool before = low > T(64);
      BOOST_TEST(equal(counted.values, bl::narrow(sorted.values, 0, before ? 1 : 0, 5)));
      BOOST_TEST(equal(counted.counts, bl::narrow(sorted.counts, 0, before ? 1 : 0, 5)));
      BOOST_TEST(equal(counted.inverse + bl::index{before}, bl::narrow(sorted.inverse, 0, 0, 50)));
    }
  };
  with(std::int8_t{});
  with(std::uint16_t{});
  with(std::int32_t{});
  with(std::int64_t{});
  with(std::uint64_t{});
}

BOOST_AUTO_TEST_CASE(rows_and_columns_are_sorted_for_any_number_of_threads) {
  const auto x = positions<std::int32_t>(bl::dshape<2>(200, 300), -1000, 1000);
  for (int axis = 0; axis < 2; ++axis) {
    const auto one = bl::sort(x, axis, false, bl::seq);
    for (int threads : {2, 5}) {
      const auto r = bl::sort(x, axis, false, bl::par.threads(threads));
      BOOST_TEST((equal(r.values, one.values) && equal(r.indices, one.indices)));
    }
    BOOST_TEST(equal(one.values, bl::take_along_dim(x, one.indices, axis)));
  }
}

BOOST_AUTO_TEST_CASE(many_are_counted_as_by_a_serial_loop) {
  const bl::index n = 300000;
  for (bl::index bins : {7, 5000, 400000}) {
    const auto x = positions<std::int64_t>(bl::dshape<1>(n), 0, bins);
    const auto w = bl::eval(numbered<float>(bl::dshape<1>(n)) * 0.37f);
    const bl::index found = *std::max_element(x.data(), x.data() + n) + 1;
    bl::dtensor<bl::index, 1> counts(found);
    bl::dtensor<float, 1> sums(found);
    for (bl::index i = 0; i < n; ++i) {
      ++counts(x(i));
      sums(x(i)) += w(i);
    }
    BOOST_TEST(equal(bl::bincount(x), counts));
    BOOST_TEST(equal(bl::bincount(x, w), sums));
  }
  auto x = bl::eval(bl::sin(numbered<float>(bl::dshape<1>(n))));
  BOOST_TEST(first_line(text_of<bl::shape_error>([&] { bl::bincount(bl::cast<bl::index>(bl::round(x))); })) ==
             "bincount only supports 1-d non-negative integral inputs.");
  const auto [low, high] = std::minmax_element(x.data(), x.data() + n);
  bl::dtensor<float, 1> want(10);
  for (bl::index i = 0; i < n; ++i)
    want(std::min<bl::index>(9, static_cast<bl::index>((x(i) - *low) / (*high - *low) * 10.f))) += 1.f;
  BOOST_TEST(equal(bl::histc(x, 10), want));
  x(n / 2) = std::numeric_limits<float>::quiet_NaN();
  BOOST_TEST(text_of<bl::shape_error>([&] { bl::histc(x, 10); }) != "");
  // A value on an edge lies where histogram's edges say, of which 1 is the sixth here.
  const bl::dtensor<double, 1> at_edges{0.999, 1, 1.001, 1.099, 1.1, 1.101};
  BOOST_TEST(equal(bl::histc(at_edges, 10, 0.9, 1.1), bl::dtensor<double, 1>{0, 0, 0, 0, 1, 2, 0, 0, 0, 2}));
}

BOOST_AUTO_TEST_CASE(positions_are_counted_where_they_lie_or_are_computed) {
  const auto x = positions<std::int64_t>(bl::dshape<1>(3000), 0, 70);
  const bl::dtensor<std::int64_t, 1> second = x(bl::range(1, bl::none, 2));
  const auto wanted = bl::bincount(second);
  BOOST_TEST(equal(bl::bincount(x(bl::range(1, bl::none, 2))), wanted));
  BOOST_TEST(equal(bl::bincount(bl::cast<std::uint8_t>(second)), wanted));
  BOOST_TEST(equal(bl::bincount(second + 1), bl::cat(0, bl::dtensor<bl::index, 1>(1), wanted)));
  const auto ones = bl::full<double>(bl::dshape<1>(second.size()), 1);
  BOOST_TEST(equal(bl::eval(bl::cast<bl::index>(bl::bincount(x(bl::range(1, bl::none, 2)), ones))), wanted));
}

BOOST_AUTO_TEST_CASE(lines_are_worked_on_as_if_each_were_alone) {
  const auto x = positions<std::int32_t>(bl::dshape<3>(3, 60, 700), -1000, 1000);
  const auto most = bl::cummax(x, 1), least = bl::cummin(x, 1);
  const auto middle = bl::eval(bl::quantile(bl::cast<double>(x), 0.3, 1));
  int wrong = 0;
  for (bl::index o = 0; o < 3; ++o)
    for (bl::index c = 0; c < 700; c += 37) {
      const auto line = bl::eval(bl::slice(x, o, bl::all, c));
      const auto own = bl::cummax(line, 0), low = bl::cummin(line, 0);
      wrong += !equal(bl::slice(most.values, o, bl::all, c), own.values) ||
               !equal(bl::slice(most.indices, o, bl::all, c), own.indices) ||
               !equal(bl::slice(least.indices, o, bl::all, c), low.indices) ||
               middle(o, c) != bl::quantile(bl::cast<double>(line), 0.3, 0).item();
    }
  BOOST_TEST(wrong == 0);
}

// Blocks of which no element takes the place of the best one, of which each does, and others; NaN anywhere.
template <class T>
int wrong_running(bool largest) {
  int wrong = 0;
  for (const bl::index n : {1, 2, 15, 16, 17, 64, 65, 100, 129, 400})
    for (int kind = 0; kind < 6; ++kind)
      for (bl::index nan = n; nan >= 0; nan -= n < 20 ? 1 : 37) {
        bl::dtensor<T, 1> x(n);
        for (bl::index i = 0; i < n; ++i) {
          const bl::index v = kind == 0   ? i * 7919 % 113
                              : kind == 1 ? i / 4
                              : kind == 2 ? 100 - i / 4
                              : kind == 3 ? 5
                              : kind == 4 ? (i < n / 2 ? i % 128 : i * 31 % 50)
                                          : i / 16 * 3 + (i % 16 == 9 ? i % 5 : 0);
          x(i) = static_cast<T>(v);
          if (std::is_floating_point_v<T> && kind == 3) x(i) = i % 3 == 0 ? -T{} : T{};
        }
        if constexpr (std::is_floating_point_v<T>) {
          if (nan < n) x(nan) = std::numeric_limits<T>::quiet_NaN();
        } else if (nan < n)
          break;
        const auto r = largest ? bl::cummax(x, 0) : bl::cummin(x, 0);
        bl::index at = 0;
        for (bl::index k = 0; k < n; ++k) {
          const T v = x(k), old = x(at);
          if (v != v || (old == old && (largest ? v >= old : v <= old))) at = k;
          wrong += r.indices(k) != at || std::memcmp(&r.values(k), &x(at), sizeof(T)) != 0;
        }
      }
  return wrong;
}
BOOST_AUTO_TEST_CASE(running_minima_and_maxima_are_those_of_a_serial_loop_at_each_level) {
  for (const bl::isa level : {bl::isa::base, bl::isa::v3, bl::isa::v4}) {
    if (bl::set_isa(level) != level) continue;
    for (const bool largest : {true, false}) {
      BOOST_TEST(wrong_running<float>(largest) == 0);
      BOOST_TEST(wrong_running<double>(largest) == 0);
      BOOST_TEST(wrong_running<std::int8_t>(largest) == 0);
      BOOST_TEST(wrong_running<std::uint8_t>(largest) == 0);
      BOOST_TEST(wrong_running<std::int16_t>(largest) == 0);
      BOOST_TEST(wrong_running<std::uint32_t>(largest) == 0);
      BOOST_TEST(wrong_running<std::int64_t>(largest) == 0);
      BOOST_TEST(wrong_running<std::uint64_t>(largest) == 0);
    }
  }
  bl::set_isa(bl::runtime::highest_isa());
}

BOOST_AUTO_TEST_CASE(long_lines_are_worked_on_in_pieces_as_by_a_serial_loop) {
  bl::set_max_threads(4);  // two work on whole lines
  const bl::index n = 150000;
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (int kind = 0; kind < 3; ++kind) {
    auto x = bl::eval(bl::round(bl::sin(numbered<float>(bl::dshape<2>(n, 2)) * 1e-5f) * 300.f));
    if (kind > 0) x(n / 3, 1) = nan;
    if (kind > 1) x(0, 0) = x(n / 2, 1) = x(n - 1, 1) = nan;
    for (const bool largest : {true, false}) {
      const auto r = largest ? bl::cummax(x, 0) : bl::cummin(x, 0);
      int wrong = 0;
      for (bl::index c = 0; c < 2; ++c) {
        bl::index at = 0;
        for (bl::index k = 0; k < n; ++k) {
          const float v = x(k, c), old = x(at, c);
          if (v != v || (old == old && (largest ? v >= old : v <= old))) at = k;
          const float got = r.values(k, c), want = x(at, c);
          wrong += r.indices(k, c) != at || !(got == want || (got != got && want != want));
        }
      }
      BOOST_TEST(wrong == 0);
    }
  }
  for (const bl::index range : {3, 1000, 200000}) {
    const auto x = positions<std::int32_t>(bl::dshape<1>(n), -range, range);
    const auto r = bl::unique(x);
    BOOST_TEST(equal(bl::eval(bl::take(r.values, r.inverse)), x));
    BOOST_TEST(std::adjacent_find(r.values.data(), r.values.data() + r.values.size(), std::greater_equal<>{}) ==
               r.values.data() + r.values.size());
    BOOST_TEST(equal(r.counts, bl::bincount(r.inverse)));
  }
  bl::set_max_threads(0);
}

BOOST_AUTO_TEST_CASE(quantiles_of_more_elements_than_f32_counts) {
  bl::dtensor<float, 1> x((bl::index(1) << 24) + 4);  // one less than this is rounded up to it
  x(5) = 7;
  BOOST_TEST(bl::quantile(x, 1, 0).item() == 7);
  BOOST_TEST(bl::quantile(x, 0.5, 0).item() == 0);
}

BOOST_AUTO_TEST_CASE(quantiles_without_an_axis_are_of_all_elements) {
  const bl::dtensor<double, 2> m{{4, 1}, {3, 2}};
  BOOST_TEST(bl::quantile(m, 0.5).item() == 2.5);
  BOOST_TEST(bl::quantile(m.T() * 2, bl::dtensor<double, 1>{0, 1})(1) == 8);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  BOOST_TEST(bl::nanquantile(bl::dtensor<double, 2>{{4, nan}, {3, 2}}, 0.5).item() == 3);
}

BOOST_AUTO_TEST_CASE(what_is_out_of_range_is_refused) {
  const bl::dtensor<float, 1> x{1, 2};
  BOOST_TEST(first_line(text_of<bl::shape_error>([&] { bl::topk(x, 3); })) == "selected index k out of range");
  BOOST_TEST(first_line(text_of<bl::shape_error>([&] { bl::kthvalue(x, 3); })) ==
             "kthvalue(): selected number k out of range");
  BOOST_TEST(first_line(text_of<bl::shape_error>([&] { bl::quantile(x, 1.5, 0); })) ==
             "quantile() q values must be in the range [0, 1]");
  BOOST_TEST(first_line(text_of<bl::shape_error>([&] { bl::bincount(bl::index_array{-1}); })) ==
             "bincount only supports 1-d non-negative integral inputs.");
  BOOST_TEST(text_of<bl::shape_error>([&] { bl::median(bl::dtensor<float, 1>(bl::dshape<1>(0))); }) != "");
}

BOOST_AUTO_TEST_SUITE_END()
