// Iterators: the elements in row-major order, whatever lies where, and everything the standard library asks of them.
#include <broadloom/expr/iterator.hpp>

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <iterator>
#include <numeric>
#include <random>
#include <ranges>
#include <span>
#include <vector>

#include <broadloom/broadloom.hpp>

namespace bl = broadloom;

BOOST_AUTO_TEST_SUITE(expr_iterator)

using matrix = bl::dtensor<float, 2>;
using static_matrix = bl::tensor<float, bl::shape<2, 3>>;
using transposed = decltype(std::declval<matrix&>().T());
using transposed_const = decltype(std::declval<const matrix&>().T());
using row_major_view = decltype(std::declval<matrix&>().as_view());
using sum_of_two = decltype(std::declval<matrix&>() + std::declval<matrix&>());

static_assert(std::ranges::contiguous_range<matrix> && std::ranges::sized_range<matrix>);
static_assert(std::ranges::contiguous_range<const static_matrix> && std::ranges::contiguous_range<row_major_view>);
static_assert(std::ranges::contiguous_range<decltype(std::declval<static_matrix&>().T().T())>);
static_assert(std::ranges::random_access_range<transposed> && std::ranges::sized_range<transposed>);
static_assert(std::ranges::borrowed_range<transposed> && !std::ranges::contiguous_range<transposed>);
static_assert(std::ranges::random_access_range<decltype(std::declval<static_matrix&>().T())>);
static_assert(std::sortable<std::ranges::iterator_t<transposed>>);
static_assert(!std::sortable<std::ranges::iterator_t<transposed_const>>);
static_assert(!std::indirectly_writable<std::ranges::iterator_t<const matrix>, float>);
static_assert(std::is_convertible_v<std::ranges::iterator_t<transposed>, std::ranges::iterator_t<transposed_const>>);
static_assert(!std::is_convertible_v<std::ranges::iterator_t<transposed_const>, std::ranges::iterator_t<transposed>>);
static_assert(!std::ranges::range<sum_of_two>);
// An array with iterators is still no container of numbers.
static_assert(!bl::detail::number_container<matrix> && !bl::detail::number_container<transposed>);

// The elements by their indices.
template <class V, int R>
void collect(const V& v, bl::detail::indices<R>& at, int axis, std::vector<const float*>& to) {
  if (axis == R) {
    bl::index offset = 0;
    for (int i = 0; i < R; ++i) offset += at[i] * v.strides()[i];
    to.push_back(v.data() + offset);
    return;
  }
  for (at[axis] = 0; at[axis] < v.shape()[axis]; ++at[axis]) collect(v, at, axis + 1, to);
}

template <class V>
void behaves(const V& v) {
  constexpr int rank = bl::detail::rank_of<V>;
  std::vector<const float*> wanted;
  bl::detail::indices<rank> at{};
  collect(v, at, 0, wanted);
  const auto n = static_cast<bl::index>(wanted.size());
  const auto first = v.begin(), last = v.end();
  const bl::index distance = last - first;
  BOOST_TEST_REQUIRE(distance == n);
  auto up = first;
  for (bl::index i = 0; i < n; ++i, ++up) {
    BOOST_TEST_REQUIRE(&*up == wanted[static_cast<std::size_t>(i)]);
    BOOST_TEST((up == first + i && up - i == first && &first[i] == &*up));
    BOOST_TEST((up < last && last > up && up != last && up <= last && last >= up));
    const auto step = [&](bl::index k) { return &*(up + k) == wanted[static_cast<std::size_t>(i + k)]; };
    for (bl::index k = -i; k < n - i; k += 1 + n / 7) BOOST_TEST_REQUIRE(step(k));
  }
  BOOST_TEST((up == last));
  auto down = last;
  for (bl::index i = n; i-- > 0;) BOOST_TEST_REQUIRE(&*--down == wanted[static_cast<std::size_t>(i)]);
  BOOST_TEST((down == first));
}

// Every view of these kinds of an array of this shape.
template <int R>
void behaves_as_every_view(const bl::detail::indices<R>& extents) {
  auto a = bl::dtensor<float, R>(bl::dshape<R>::unchecked(extents));
  std::iota(a.begin(), a.end(), 0.0f);
  behaves(a.as_view());
  behaves(a.T());
  if constexpr (R > 0) {
    behaves(bl::flip(a, 0));
    behaves(bl::flip(a.T(), R - 1));
    behaves(bl::slice(a, bl::range(bl::none, bl::none, 2)));
    behaves(bl::slice(a, bl::ellipsis, bl::range(1, bl::none)));
    behaves(bl::slice(a, bl::newaxis, bl::range(bl::none, bl::none, -2)));
    behaves(bl::expand(bl::unsqueeze(a, 0), bl::dshape<R + 1>::unchecked([&] {
                         bl::detail::indices<R + 1> x{{3}};
                         for (int i = 0; i < R; ++i) x[i + 1] = extents[i];
                         return x;
                       }())));
  }
}

BOOST_AUTO_TEST_CASE(elements_come_in_row_major_order) {
  behaves_as_every_view<0>({});
  for (bl::index i = 0; i < 5; ++i) {
    behaves_as_every_view<1>({{i}});
    for (bl::index j = 0; j < 5; ++j) {
      behaves_as_every_view<2>({{i, j}});
      for (bl::index k = 0; k < 4; ++k) behaves_as_every_view<3>({{i, j, k}});
    }
  }
  behaves_as_every_view<4>({{2, 3, 1, 4}});
}

BOOST_AUTO_TEST_CASE(algorithms_of_the_standard_library_work) {
  std::mt19937 random(20);
  for (bl::index rows = 0; rows < 9; ++rows)
    for (bl::index columns = 0; columns < 9; ++columns) {
      matrix a(rows, columns);
      for (float& x : a) x = static_cast<float>(random() % 100);
      std::vector<float> sorted(a.begin(), a.end());
      std::sort(sorted.begin(), sorted.end());
      matrix b = a;
      std::sort(b.begin(), b.end());
      BOOST_TEST(std::ranges::equal(b, sorted));
      auto t = a.T();
      std::sort(t.begin(), t.end());
      BOOST_TEST(std::ranges::equal(t, sorted));
      BOOST_TEST(std::accumulate(a.begin(), a.end(), 0.0f) == std::accumulate(sorted.begin(), sorted.end(), 0.0f));
      if (!sorted.empty()) BOOST_TEST(*std::ranges::max_element(a.T()) == sorted.back());
      auto every_second = bl::slice(b, bl::all, bl::range(bl::none, bl::none, 2));
      const matrix before = b;
      std::ranges::fill(every_second, -1.0f);
      for (bl::index i = 0; i < rows; ++i)
        for (bl::index j = 0; j < columns; ++j) BOOST_TEST(b(i, j) == (j % 2 == 0 ? -1.0f : before(i, j)));
    }
}

BOOST_AUTO_TEST_CASE(arrays_are_spans_and_ranges) {
  matrix a{{1, 2, 3}, {4, 5, 6}};
  std::span<float> s(a);
  BOOST_TEST(s.size() == 6u);
  BOOST_TEST(s.data() == a.data());
#if !defined(__clang__) || __clang_major__ >= 16  // before, clang and std::views of GCC's library do not go together
  float product = 1;
  auto t = a.T();  // named, as a view is not assigned to: the standard library cannot own it
  for (float x : t | std::views::transform([](float x) { return x + 1; })) product *= x;
  BOOST_TEST(product == 5040.0f);
#endif
  BOOST_TEST((matrix().begin() == matrix().end()));
}

constexpr bool in_constant_expressions() {
  static_matrix a{{6, 5, 4}, {3, 2, 1}};
  auto t = a.T();
  std::sort(t.begin(), t.end());
  float last = 0;
  for (float x : a.T()) {
    if (x <= last) return false;
    last = x;
  }
  return a(0, 1) == 3 && last == 6;
}
static_assert(in_constant_expressions());

BOOST_AUTO_TEST_SUITE_END()
