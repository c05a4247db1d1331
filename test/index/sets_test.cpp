// Sets, distinct slices, less usual orders and lists of indices, against PyTorch and NumPy.
#include "index/vocabulary_cases.hpp"

#include <limits>

#include <broadloom/index/compress.hpp>
#include <broadloom/index/index_lists.hpp>
#include <broadloom/sets.hpp>

using namespace vocabulary;
using namespace bl::literals;

namespace {

// Lines of sets_cases.tsv with their first array in row-major order and transposed.
template <class F>
void each_set(const char* function, int least, F test) {
  each(
      function, least,
      [&](const line& l) {
        bool ok = true;
        with_rank(l.arrays[0].rank(), [&](auto r) {
          const auto x = l.arrays[0].template as<double, decltype(r)::value>();
          const auto turned = bl::eval(bl::transpose(x));
          ok = test(l, x) && test(l, bl::transpose(turned));
        });
        return ok;
      },
      "test/data/sets_cases.tsv");
}
template <int R = 1>
auto second(const line& l) {
  return l.arrays[1].as<double, R>();
}

// Whether the element at `k` of each line is that of the sorted line, none larger before it, none smaller behind it,
// and the elements are the same.
template <class T>
bool is_partition(const std::vector<T>& given, const std::vector<T>& x, bl::index k) {
  const auto less = [](T a, T b) { return a < b || (b != b && a == a); };
  const auto at = static_cast<std::size_t>(k);
  std::vector<T> sorted = given, own = x;
  std::sort(sorted.begin(), sorted.end(), less);
  bool ok = !less(sorted[at], x[at]) && !less(x[at], sorted[at]);
  for (std::size_t i = 0; i < x.size(); ++i) ok = ok && !(i < at ? less(x[at], x[i]) : less(x[i], x[at]));
  std::sort(own.begin(), own.end(), less);
  for (std::size_t i = 0; i < x.size(); ++i) ok = ok && !less(own[i], sorted[i]) && !less(sorted[i], own[i]);
  return ok;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(index_sets)

BOOST_AUTO_TEST_CASE(sets_are_those_of_numpy) {
  each_set("union1d", 36, [](const line& l, const auto& x) { return l.result().is(bl::union1d(x, second(l))); });
  each_set("intersect1d", 36,
           [](const line& l, const auto& x) { return l.result().is(bl::intersect1d(x, second(l))); });
  each_set("setdiff1d", 36, [](const line& l, const auto& x) { return l.result().is(bl::setdiff1d(x, second(l))); });
  each_set("setxor1d", 36, [](const line& l, const auto& x) { return l.result().is(bl::setxor1d(x, second(l))); });
  each_set("intersect1d_indices", 36, [](const line& l, const auto& x) {
    const auto r = bl::intersect1d(x, second(l), bl::with_indices);
    return l.arrays[2].is(r.values) && l.arrays[3].is(r.left) && l.arrays[4].is(r.right);
  });
}

BOOST_AUTO_TEST_CASE(sets_of_every_element_type) {
  const auto with = [](auto zero) {
    using T = decltype(zero);
    constexpr T low = std::numeric_limits<T>::lowest(), high = std::numeric_limits<T>::max();
    const bl::dtensor<T, 1> x{high, T(1), low, T(1), T(0), high};
    const bl::dtensor<T, 1> y{T(1), T(2), low};
    std::vector<T> both{low, T(0), T(1), T(2), high};
    both.erase(std::unique(both.begin(), both.end()), both.end());
    const auto united = bl::union1d(x, y);
    BOOST_TEST(std::vector<T>(united.begin(), united.end()) == both);
    BOOST_TEST(equal(bl::intersect1d(x, y), bl::intersect1d(y, x)));
    BOOST_TEST(bl::setdiff1d(y, x).size() == 1);
    BOOST_TEST(bl::setdiff1d(x, x).size() == 0);
    // many elements: sorted another way
    bl::dtensor<T, 1> many(1000);
    for (bl::index i = 0; i < 1000; ++i) many(i) = i % 2 == 0 ? low : static_cast<T>(i * 7919 % 100);
    std::vector<T> wanted(many.begin(), many.end());
    std::sort(wanted.begin(), wanted.end());
    wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
    const auto own = bl::union1d(many, x(bl::range(0, 0)));
    BOOST_TEST(std::vector<T>(own.begin(), own.end()) == wanted);
  };
  with(std::int8_t{});
  with(std::uint16_t{});
  with(std::int32_t{});
  with(std::uint64_t{});
  with(std::int64_t{});
  with(float{});
  with(double{});
  const bl::dtensor<bool, 1> yes{true, true};
  BOOST_TEST(bl::union1d(yes, !yes).size() == 2);
  static_assert(std::is_same_v<decltype(bl::union1d(yes, bl::dtensor<float, 2>(1, 1))), bl::dtensor<float, 1>>);
  // -0 is 0
  BOOST_TEST(bl::union1d(bl::dtensor<float, 1>{0.f, -0.f}, bl::dtensor<float, 1>{-0.f}).size() == 1);
}

BOOST_AUTO_TEST_CASE(distinct_slices_are_those_of_pytorch) {
  const auto is = [](const line& l, const auto& r) {
    return l.arrays[1].is(r.values) && l.arrays[2].is(r.inverse) && l.arrays[3].is(r.counts);
  };
  each_set("unique_axis", 60, [&](const line& l, const auto& x) {
    return is(l, bl::unique(x, l.axis)) && is(l, bl::unique(bl::cast<std::int8_t>(x) * std::int8_t{1}, l.axis));
  });
  each_set("unique_consecutive_axis", 60,
           [&](const line& l, const auto& x) { return is(l, bl::unique_consecutive(x, l.axis)); });
  each_set("unique_consecutive", 36, [&](const line& l, const auto& x) { return is(l, bl::unique_consecutive(x)); });
  const bl::tensor<int, bl::shape<3, 2>> x{{1, 2}, {0, 2}, {1, 2}};
  const auto r = bl::unique(x, 0_c);
  static_assert(std::is_same_v<decltype(r.values), bl::tensor<int, bl::shape<bl::dyn, 2>>>);
  BOOST_TEST(equal(r.values, bl::dtensor<int, 2>{{0, 2}, {1, 2}}));
  BOOST_TEST(equal(bl::index_select(r.values, 0, r.inverse), x));
  BOOST_TEST(bl::unique(bl::dtensor<int, 2>(0, 3), 0).values.shape()[0] == 0);
  BOOST_CHECK_THROW(bl::unique(bl::dtensor<int, 2>(3, 0), 0), bl::shape_error);
  // more rows than one thread sorts
  bl::dtensor<int, 2> many(100000, 2);
  for (bl::index i = 0; i < 100000; ++i) {
    many(i, 0) = static_cast<int>(i * 7919 % 10);
    many(i, 1) = static_cast<int>(i * 104729 % 7);
  }
  const auto all = bl::unique(many, 0);
  BOOST_TEST(all.values.shape()[0] == 70);
  BOOST_TEST(equal(bl::index_select(all.values, 0, all.inverse), many));
  BOOST_TEST(bl::sum(all.counts).item() == 100000);
}

BOOST_AUTO_TEST_CASE(orders_are_those_of_numpy) {
  each_set("lexsort", 24, [](const line& l, const auto& keys) {
    if constexpr (rank_of<decltype(keys)> > 1)
      return l.result().is(bl::lexsort(keys, l.axis));
    else
      return true;
  });
  each_set("lexsort_two", 36, [](const line& l, const auto& few) {
    return l.result().is(bl::lexsort(bl::cast<std::int8_t>(few), second<rank_of<decltype(few)>>(l)));
  });
  each_set("partition", 30, [](const line& l, const auto& x) {
    const bl::index k = std::stol(l.parameter);
    const auto p = bl::partition(x, k, l.axis);
    return l.result().is(bl::narrow(
               p, l.axis, k < 0 ? k + p.shape()[static_cast<int>(l.axis < 0 ? l.axis + x.rank() : l.axis)] : k, 1)) &&
           l.result().is(
               bl::narrow(bl::gather(x, l.axis, bl::argpartition(x, k, l.axis)), l.axis,
                          k < 0 ? k + p.shape()[static_cast<int>(l.axis < 0 ? l.axis + x.rank() : l.axis)] : k, 1));
  });
  each_set("searchsorted_sorter", 100, [](const line& l, const auto& edges) {
    bool ok = true;
    constexpr int rank = rank_of<decltype(edges)>;
    const auto sorter = l.arrays[1].as<int, rank>();
    const bool right = l.parameter == "1";
    if constexpr (rank == 1)
      with_rank(l.arrays[2].rank(), [&](auto r) {
        ok = l.result().is(bl::searchsorted(edges, l.arrays[2].as<double, decltype(r)::value>(), sorter, right));
      });
    else
      ok = l.result().is(bl::searchsorted(edges, l.arrays[2].as<double, rank>(), sorter, right));
    return ok;
  });
  const bl::dtensor<int, 1> edges{3, 1}, v{2};
  BOOST_TEST(first_line(text_of<bl::index_error>([&] { bl::searchsorted(edges, v, bl::index_array{1, 2}); })) ==
             "searchsorted(): sorter index out of range");
  BOOST_TEST(first_line(text_of<bl::shape_error>([&] { bl::searchsorted(edges, v, bl::index_array{1}); })) ==
             "searchsorted(): boundary and sorter must have the same size");
}

BOOST_AUTO_TEST_CASE(partitions_hold_for_every_type_and_place) {
  const auto with = [](auto zero) {
    using T = decltype(zero);
    std::mt19937 chance(5);
    for (const int n : {1, 2, 7, 300, 5000}) {
      bl::dtensor<T, 2> x(2, n);
      for (auto& e : x) e = static_cast<T>(chance() % static_cast<unsigned>(n));
      if constexpr (std::is_floating_point_v<T>)
        for (int i = 0; i < n / 5; ++i)
          x(1, static_cast<bl::index>(chance() % static_cast<unsigned>(n))) = std::numeric_limits<T>::quiet_NaN();
      const bl::index first = static_cast<bl::index>(chance() % static_cast<unsigned>(n)), next = (first * 2 + 1) % n;
      const auto p = bl::partition(x, {first, next, first - n});
      const auto order = bl::argpartition(x, {first, next});
      const auto single = bl::argpartition(x, first), down = bl::argpartition(bl::eval(x.T()), first, 0);
      const auto one = bl::partition(x, first), one_down = bl::partition(bl::eval(x.T()), first, 0);
      for (bl::index row = 0; row < 2; ++row) {
        const std::vector<T> given(x.data() + row * n, x.data() + (row + 1) * n);
        const std::vector<T> own(p.data() + row * n, p.data() + (row + 1) * n);
        std::vector<T> taken;
        for (bl::index i = 0; i < n; ++i) taken.push_back(x(row, order(row, i)));
        std::vector<T> by_single, by_down, alone, alone_down;
        for (bl::index i = 0; i < n; ++i) {
          alone.push_back(one(row, i));
          alone_down.push_back(one_down(i, row));
          by_single.push_back(x(row, single(row, i)));
          by_down.push_back(x(row, down(i, row)));
        }
        BOOST_TEST((is_partition(given, by_single, first) && is_partition(given, by_down, first)));
        BOOST_TEST((is_partition(given, alone, first) && is_partition(given, alone_down, first)));
        for (const bl::index k : {first, next})
          BOOST_TEST((is_partition(given, own, k) && is_partition(given, taken, k)));
      }
    }
  };
  with(std::uint8_t{});
  with(std::int32_t{});
  with(std::int64_t{});
  with(float{});
  with(double{});
  // Samples of every 19th element that are all below, or above, the others; and equal elements.
  for (const int sampled : {-1, 1, 0}) {
    bl::dtensor<std::int64_t, 1> x(5000);
    for (int i = 0; i < 5000; ++i) x(i) = i % 19 == 9 ? 5000 * sampled : sampled * (i * 77 % 5000) / 2;
    const std::vector<std::int64_t> given(x.begin(), x.end());
    for (const int k : {0, 5, 262, 263, 264, 2500, 4736, 4737, 4994, 4999}) {
      const auto p = bl::partition(x, k);
      BOOST_TEST(is_partition(given, std::vector<std::int64_t>(p.begin(), p.end()), k));
    }
  }
  BOOST_TEST(first_line(text_of<bl::index_error>([] { bl::partition(bl::dtensor<int, 1>{1, 2}, 2); })) ==
             "kth(=2) out of bounds (2)");
}

BOOST_AUTO_TEST_CASE(lists_of_indices_are_those_of_pytorch_and_numpy) {
  each(
      "tril_indices", 200,
      [](const line& l) {
        const auto n = list_of(l.parameter);
        return l.result().is(bl::tril_indices(n[0], n[1], l.axis));
      },
      "test/data/sets_cases.tsv");
  each(
      "triu_indices", 200,
      [](const line& l) {
        const auto n = list_of(l.parameter);
        return l.result().is(bl::triu_indices(n[0], n[1], l.axis));
      },
      "test/data/sets_cases.tsv");
  each_set("combinations", 48, [](const line& l, const auto& x) {
    if constexpr (rank_of<decltype(x)> == 1)
      return l.result().is(bl::combinations(x, l.axis, l.parameter == "1"));
    else
      return true;
  });
  each_set("flatnonzero", 36, [](const line& l, const auto& x) { return l.result().is(bl::flatnonzero(x)); });
  const auto compressed = [](const line& l, auto f) {
    bool ok = true;
    with_rank(l.arrays[1].rank(), [&](auto r) {
      const auto x = l.arrays[1].template as<double, decltype(r)::value>();
      ok = l.result().is(f(l.arrays[0].template as<double, 1>(), x)) &&
           l.result().is(f(l.arrays[0].template as<double, 1>() != 0.0, x * 1));
    });
    return ok;
  };
  each(
      "compress", 36,
      [&](const line& l) {
        return compressed(l, [&](const auto& c, const auto& x) { return bl::compress(c, x, l.axis); });
      },
      "test/data/sets_cases.tsv");
  each(
      "compress_all", 36,
      [&](const line& l) { return compressed(l, [&](const auto& c, const auto& x) { return bl::compress(c, x); }); },
      "test/data/sets_cases.tsv");
  each_set("unravel_index", 36, [](const line& l, const auto& x) {
    const auto n = list_of(l.parameter);
    const auto r = bl::unravel_index(bl::cast<int>(x), bl::dshape<3>(n[0], n[1], n[2]));
    return l.arrays[1].is(r[0]) && l.arrays[2].is(r[1]) && l.arrays[3].is(r[2]);
  });
  each_set("ravel_multi_index", 100, [](const line& l, const auto& x) {
    const auto n = list_of(l.parameter.substr(0, l.parameter.rfind(',')));
    constexpr int rank = rank_of<decltype(x)>;
    const auto i = bl::eval(bl::cast<bl::index>(x));
    const auto j = l.arrays[1].as<int, rank>(), k = l.arrays[2].as<int, rank>();
    const bl::dshape<3> s(n[0], n[1], n[2]);
    const auto how = l.parameter.substr(l.parameter.rfind(',') + 1);
    return l.result().is(how == "raise"  ? bl::ravel_multi_index(bl::indices(i, j, k), s)
                         : how == "wrap" ? bl::ravel_multi_index(bl::indices(i, j, k), s, bl::mode::wrap)
                                         : bl::ravel_multi_index(bl::indices(i, j, k), s, bl::mode::clip));
  });
}

BOOST_AUTO_TEST_CASE(positions_may_count_by_columns) {
  each_set("unravel_index_F", 36, [](const line& l, const auto& x) {
    const auto n = list_of(l.parameter);
    const auto r = bl::unravel_index(bl::cast<int>(x), bl::dshape<3>(n[0], n[1], n[2]), bl::column_major);
    return l.arrays[1].is(r[0]) && l.arrays[2].is(r[1]) && l.arrays[3].is(r[2]) &&
           bl::array_equal(bl::ravel_multi_index(r, bl::dshape<3>(n[0], n[1], n[2]), bl::column_major), x);
  });
  each_set("ravel_multi_index_F", 100, [](const line& l, const auto& x) {
    const auto n = list_of(l.parameter.substr(0, l.parameter.rfind(',')));
    constexpr int rank = rank_of<decltype(x)>;
    const auto i = bl::eval(bl::cast<bl::index>(x));
    const auto j = l.arrays[1].as<int, rank>(), k = l.arrays[2].as<int, rank>();
    const bl::dshape<3> s(n[0], n[1], n[2]);
    const auto at = bl::indices(i, j, k);
    const auto how = l.parameter.substr(l.parameter.rfind(',') + 1);
    return l.result().is(how == "raise"  ? bl::ravel_multi_index(at, s, bl::column_major)
                         : how == "wrap" ? bl::ravel_multi_index(at, s, bl::mode::wrap, bl::column_major)
                                         : bl::ravel_multi_index(at, s, bl::mode::clip, bl::column_major));
  });
}

// More positions than are divided at a time; the first one out of bounds is named wherever it lies.
BOOST_AUTO_TEST_CASE(many_positions_have_the_indices_of_a_loop) {
  const bl::dshape<3> s(7, 11, 13);
  bl::dtensor<bl::index, 1> at(1700);
  for (bl::index k = 0; k < at.size(); ++k) at(k) = k * 37 % s.size();
  const auto rows = bl::unravel_index(at, s);
  const auto columns = bl::unravel_index(at, s, bl::column_major);
  bl::index wrong = 0;
  for (bl::index k = 0; k < at.size(); ++k) {
    wrong += (rows[0](k) * 11 + rows[1](k)) * 13 + rows[2](k) != at(k) || rows[2](k) >= 13 || rows[1](k) >= 11;
    wrong += (columns[2](k) * 11 + columns[1](k)) * 7 + columns[0](k) != at(k) || columns[0](k) >= 7;
  }
  BOOST_TEST(wrong == 0);
  at(1500) = -4;
  at(1600) = s.size();
  BOOST_TEST(first_line(text_of<bl::index_error>([&] { bl::unravel_index(at, s); })) ==
             "index -4 is out of bounds for array with size 1001");
}

BOOST_AUTO_TEST_CASE(lists_of_indices_know_their_bounds) {
  const bl::shape<2, 3> s;
  const bl::tensor<std::int64_t, bl::shape<2>> at{5, 1};
  const auto each_axis = bl::unravel_index(at, s);
  static_assert(std::is_same_v<std::remove_cvref_t<decltype(each_axis[0])>, bl::tensor<bl::index, bl::shape<2>>>);
  BOOST_TEST(equal(bl::ravel_multi_index(each_axis, s), at));
  const auto [rows_at, columns_at] = each_axis;
  BOOST_TEST((rows_at(0) == 1 && columns_at(0) == 2));
  const auto [row, column] = bl::unravel_index(4, s);
  BOOST_TEST((row == 1 && column == 1));
  BOOST_TEST(bl::unravel_index(4, s, bl::column_major)[1] == 2);
  BOOST_CHECK_THROW(bl::unravel_index(6, s), bl::index_error);
  BOOST_TEST(first_line(text_of<bl::index_error>([&] { bl::unravel_index(at + std::int64_t{1}, s); })) ==
             "index 6 is out of bounds for array with size 6");
  BOOST_CHECK_THROW(bl::unravel_index(at - std::int64_t{2}, s), bl::index_error);
  const bl::index_array rows{0, 2};
  const bl::dtensor<int, 2> columns{{0}, {1}};
  BOOST_CHECK_THROW(bl::ravel_multi_index(bl::indices(rows, columns), s), bl::index_error);
  BOOST_TEST(equal(bl::ravel_multi_index(bl::indices(rows, columns), s, bl::mode::wrap),
                   bl::dtensor<bl::index, 2>{{0, 0}, {1, 1}}));
  BOOST_TEST(equal(bl::ravel_multi_index(bl::indices(rows, 1), {3, 2}), bl::index_array{1, 5}));
  BOOST_TEST(bl::ravel_multi_index({1, 2}, s) == 5);
  BOOST_TEST(bl::ravel_multi_index({1, 2}, {3, 4}, bl::column_major) == 7);
  BOOST_TEST(bl::ravel_multi_index({7, -1}, {3, 4}, bl::mode::clip, bl::column_major) == 2);
  BOOST_TEST(bl::ravel_multi_index(bl::unravel_index(7, {3, 4}), {3, 4}) == 7);
  BOOST_CHECK_THROW(bl::ravel_multi_index({3, 2}, {3, 4}), bl::index_error);
  static_assert(std::is_same_v<decltype(bl::combinations(rows, 2_c)), bl::tensor<bl::index, bl::shape<bl::dyn, 2>>>);
  BOOST_TEST(bl::combinations(rows, 0).shape()[0] == 1);
  BOOST_TEST(first_line(text_of<bl::shape_error>([&] { bl::combinations(rows, -1); })) ==
             "Expect a non-negative number, but got -1");
  BOOST_CHECK_THROW(bl::combinations(bl::arange<int>(200), 100), bl::shape_error);
  BOOST_TEST(bl::tril_indices(3, 0, 5).shape()[1] == 0);
  BOOST_CHECK_THROW(bl::triu_indices(-1, 2), bl::shape_error);
  BOOST_TEST(bl::triu_indices(2, 2, std::numeric_limits<bl::index>::min()).shape()[1] == 4);
  BOOST_TEST(bl::tril_indices(2, 2, std::numeric_limits<bl::index>::max()).shape()[1] == 4);
  BOOST_CHECK_THROW(bl::compress(bl::dtensor<bool, 1>{false, false, true}, rows, 0), bl::index_error);
}

BOOST_AUTO_TEST_SUITE_END()
