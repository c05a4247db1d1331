// Parts put into arrays: put_, index_reduce_, select_scatter, slice_scatter, diagonal_scatter, fill_diagonal_, against
// PyTorch.
#include "index/vocabulary_cases.hpp"

#include <broadloom/index/put.hpp>
#include <broadloom/index/slice_scatter.hpp>

#include <cstring>
#include <limits>

using namespace vocabulary;
using namespace bl::literals;

namespace {

// Lines of sets_cases.tsv with their first array in row-major order, transposed, and as i32.
template <class F>
void each_part(const char* function, int least, F test) {
  each(
      function, least,
      [&](const line& l) {
        bool ok = true;
        with_rank(l.arrays[0].rank(), [&](auto r) {
          const auto x = l.arrays[0].template as<double, decltype(r)::value>();
          const auto turned = bl::eval(bl::transpose(x));
          auto copy = turned;
          auto whole = bl::eval(bl::cast<int>(x));
          auto same = x;
          ok = test(l, same) && test(l, bl::transpose(copy)) && test(l, whole);
        });
        return ok;
      },
      "test/data/sets_cases.tsv");
}
template <class X>
using element = typename std::remove_cvref_t<X>::value_type;

std::vector<std::string> words(const std::string& text) {
  std::vector<std::string> r;
  std::istringstream stream(text);
  for (std::string w; std::getline(stream, w, ',');) r.push_back(w);
  return r;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(index_put)

BOOST_AUTO_TEST_CASE(elements_and_slices_are_put_as_in_pytorch) {
  each_part("put", 70, [](const line& l, auto&& x) {
    const auto at = l.arrays[1].as<std::int64_t, 1>();
    const auto values = l.arrays[2].as<element<decltype(x)>, 1>();
    const bool ok = l.result().is(bl::put(x, at, values, l.parameter == "1"));
    bl::put_(x, bl::cast<int>(at), bl::unsqueeze(values, 0), l.parameter == "1");
    return ok && l.result().is(x);
  });
  each_part("index_reduce", 250, [](const line& l, auto&& x) {
    const auto w = words(l.parameter);
    const bool with = w[1] == "1";
    const auto at = l.arrays[1].as<std::int64_t, 1>();
    const auto source = l.arrays[2].as<element<decltype(x)>, rank_of<decltype(x)>>();
    if (std::is_integral_v<element<decltype(x)>> && w[0] == "mean") return true;  // rounds down: below
    if (w[0] == "prod") bl::index_reduce_(x, l.axis, at, source, bl::prod, with);
    if (w[0] == "mean") bl::index_reduce_(x, l.axis, at, source, bl::mean, with);
    if (w[0] == "amax") bl::index_reduce_(x, l.axis, at, source, bl::amax, with);
    if (w[0] == "amin") bl::index_reduce_(x, l.axis, at, source, bl::amin, with);
    return near(l.result(), x);
  });
  bl::dtensor<int, 1> x{5, 7, 9};
  bl::index_reduce_(x, 0, bl::index_array{0, 0, 2}, bl::dtensor<int, 1>{1, 3, -12}, bl::mean);
  BOOST_TEST(equal(x, bl::dtensor<int, 1>{3, 7, -2}));
  bl::index_reduce_(x, 0, bl::index_array{0, 0}, bl::dtensor<int, 1>{1, 3}, bl::sum, false);
  BOOST_TEST(equal(x, bl::dtensor<int, 1>{4, 7, -2}));
}

// Whole vectors and what is left of them: the bits that one element after the other gives, of zeros and NaN too.
template <class T>
void check_extremes_of_rows() {
  const T special[] = {T(0), -T(0), std::numeric_limits<T>::quiet_NaN(), -std::numeric_limits<T>::quiet_NaN(),
                       T(1), T(-2)};
  for (const bl::index columns : {1, 2, 3, 4, 7, 8, 11, 16, 21}) {
    bl::dtensor<T, 2> x(bl::dshape<2>(2, columns)), rows(bl::dshape<2>(3, columns));
    for (bl::index i = 0; i < 2 * columns; ++i) x.data()[i] = special[(i * 5 + 1) % 6];
    for (bl::index i = 0; i < 3 * columns; ++i) rows.data()[i] = special[(i / 6 + i) % 6];
    auto largest = x, smallest = x;
    for (int r = 0; r < 3; ++r)
      for (bl::index i = 0; i < columns; ++i) {
        const T v = rows(r, i);
        T &a = largest(1, i), &b = smallest(1, i);
        if (a < v || v != v) a = v;
        if (v < b || v != v) b = v;
      }
    const bl::index_array at{1, 1, 1};
    const auto bytes = static_cast<std::size_t>(2 * columns) * sizeof(T);
    BOOST_TEST(std::memcmp(bl::index_reduce(x, 0, at, rows, bl::amax).data(), largest.data(), bytes) == 0);
    BOOST_TEST(std::memcmp(bl::index_reduce(x, 0, at, rows, bl::amin).data(), smallest.data(), bytes) == 0);
  }
}
BOOST_AUTO_TEST_CASE(extremes_of_rows_are_those_of_their_elements) {
  check_extremes_of_rows<float>();
  check_extremes_of_rows<double>();
}

BOOST_AUTO_TEST_CASE(put_checks_before_it_writes) {
  bl::dtensor<double, 2> x{{1, 2, 3}, {4, 5, 6}};
  const auto before = x;
  const bl::dtensor<double, 1> two{8, 9};
  BOOST_TEST(first_line(text_of<bl::index_error>([&] { bl::put_(x, bl::index_array{0, 6}, two); })) ==
             "index 6 is out of bounds for array with size 6");
  BOOST_TEST(first_line(text_of<bl::shape_error>([&] { bl::put_(x, bl::index_array{0, 1, 2}, two); })) ==
             "put_(): Expected source and index to have the same number of elements, but got source.numel() = 2, "
             "index.numel() = 3");
  BOOST_TEST(equal(x, before));
  bl::put_(x(bl::all, bl::range(bl::none, bl::none, -2)), bl::index_array{0, -1}, two);  // of 3 1 6 4
  BOOST_TEST(equal(x, bl::dtensor<double, 2>{{1, 2, 8}, {9, 5, 6}}));
  bl::put_(x, bl::index_array{1, 1}, 10, true);
  BOOST_TEST(x(0, 1) == 22);
  bl::put_(x, bl::cast<std::int64_t>(x - x), x);  // reads what it writes: the last one stays
  BOOST_TEST(x(0, 0) == 6);
  bl::dtensor<std::int64_t, 1> own{2, 0, 1};
  bl::put_(own, own, bl::dtensor<std::int64_t, 1>{10, 20, 30});  // nor do positions change while they are read
  BOOST_TEST(equal(own, bl::dtensor<std::int64_t, 1>{20, 30, 10}));
  bl::tensor<float, bl::shape<3>> fixed{1, 2, 3};
  static_assert(std::is_same_v<decltype(bl::put(fixed, bl::index_array{0}, 4)), bl::tensor<float, bl::shape<3>>>);
}

BOOST_AUTO_TEST_CASE(parts_are_scattered_as_in_pytorch) {
  const auto part = [](const line& l, const auto& x, auto less) {
    return l.arrays[1].template as<element<decltype(x)>, rank_of<decltype(x)> - decltype(less)::value>();
  };
  each_part("select_scatter", 20, [&](const line& l, auto&& x) {
    if constexpr (rank_of<decltype(x)> > 1)
      return l.result().is(bl::select_scatter(x, part(l, x, std::integral_constant<int, 1>{}), l.axis,
                                              static_cast<bl::index>(std::stol(l.parameter))));
    else
      return true;
  });
  each_part("slice_scatter", 30, [&](const line& l, auto&& x) {
    const auto w = words(l.parameter);
    const auto bound = [](const std::string& s) {
      return s == "none" ? bl::detail::bound{} : bl::detail::bound{std::stol(s), true};
    };
    return l.result().is(bl::slice_scatter(x, part(l, x, std::integral_constant<int, 0>{}), l.axis,
                                           bl::range_t{bound(w[0]), bound(w[1]), std::stol(w[2])}));
  });
  each_part("diagonal_scatter", 20, [&](const line& l, auto&& x) {
    const auto axes = list_of(l.parameter);
    if constexpr (rank_of<decltype(x)> > 1)
      return l.result().is(
          bl::diagonal_scatter(x, part(l, x, std::integral_constant<int, 1>{}), l.axis, axes[0], axes[1]));
    else
      return true;
  });
  each_part("fill_diagonal", 48, [](const line& l, auto&& x) {
    if constexpr (rank_of<decltype(x)> > 1) {
      bl::fill_diagonal_(x, 7, l.parameter == "1");
      return l.result().is(x);
    } else
      return true;
  });
}

BOOST_AUTO_TEST_CASE(parts_fit) {
  const bl::dtensor<int, 2> x{{1, 2, 3}, {4, 5, 6}};
  BOOST_TEST(first_line(text_of<bl::shape_error>([&] { bl::select_scatter(x, bl::dtensor<int, 1>{1, 2}, 0, 1); })) ==
             "expected src to have a size equal to the slice of self. src size = [2], slice size = [3]");
  BOOST_CHECK_THROW(bl::select_scatter(x, bl::dtensor<int, 1>{1, 2}, 1, 3), bl::index_error);
  BOOST_CHECK_THROW(bl::diagonal_scatter(x, bl::dtensor<int, 1>{1, 2}, 2), bl::shape_error);
  BOOST_CHECK_THROW(bl::slice_scatter(x, x, 0, 0, 1), bl::shape_error);
  BOOST_TEST(equal(bl::slice_scatter(x, bl::dtensor<int, 2>{{7}, {8}}, 1, bl::range(bl::none, 1, -1)),
                   bl::dtensor<int, 2>{{1, 2, 7}, {4, 5, 8}}));
  BOOST_TEST(equal(bl::slice_scatter(x, bl::dtensor<int, 2>{{7, 8, 9}}, 0, 1, bl::none),
                   bl::dtensor<int, 2>{{1, 2, 3}, {7, 8, 9}}));
  bl::dtensor<int, 3> uneven(2, 2, 3);
  BOOST_TEST(first_line(text_of<bl::shape_error>([&] { bl::fill_diagonal_(uneven, 1); })) ==
             "all dimensions of input must be of equal length");
}

BOOST_AUTO_TEST_SUITE_END()
