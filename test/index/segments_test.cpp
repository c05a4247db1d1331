// What is read by segments, as a whole and within expressions, has the elements that single indices give: every element
// size, strides of either sign, blocks that begin within a row, rows of pixels, and any number of threads.
#include <complex>

#include <boost/test/unit_test.hpp>
#include <broadloom/broadloom.hpp>
#include <broadloom/signal.hpp>

namespace {

namespace bl = broadloom;

template <class T>
auto numbered(bl::index rows, bl::index columns, bl::index colours) {
  bl::dtensor<T, 3> x(rows, columns, colours);
  for (bl::index i = 0; i < x.size(); ++i) x.data()[i] = static_cast<T>(static_cast<float>(i % 251 + 1));
  return x;
}

// Elements of r that are not those of e.
template <class R, class E>
bl::index differing(const R& r, const E& e) {
  bl::index n = 0;
  for (bl::index i = 0; i < r.shape()[0]; ++i)
    for (bl::index j = 0; j < r.shape()[1]; ++j)
      for (bl::index k = 0; k < r.shape()[2]; ++k) n += r(i, j, k) != e(i, j, k);
  return n;
}

template <class T, class E>
void check(const E& e) {
  BOOST_TEST(differing(bl::eval(e, bl::seq), e) == 0);
  BOOST_TEST(differing(bl::eval(e, bl::par.threads(3)), e) == 0);
  bl::dtensor<T, 3> wide(e.shape()[0], e.shape()[1], 2 * e.shape()[2] + 1);
  auto every_other = bl::slice(wide, bl::all, bl::all, bl::range(1, bl::none, 2));
  every_other = e;
  BOOST_TEST(differing(every_other, e) == 0);
  bl::dtensor<T, 3> sum(e.shape()[0], e.shape()[1], e.shape()[2]);
  sum = e + e;
  bl::index wrong = 0;
  for (bl::index i = 0; i < sum.shape()[0]; ++i)
    for (bl::index j = 0; j < sum.shape()[1]; ++j)
      for (bl::index k = 0; k < sum.shape()[2]; ++k) wrong += sum(i, j, k) != static_cast<T>(e(i, j, k) + e(i, j, k));
  BOOST_TEST(wrong == 0);
}

template <class T, class X>
void check_all(const X& x) {
  for (int axis = 0; axis < 3; ++axis) {
    for (const bl::index shift : {0, 1, -2, 7}) check<T>(bl::roll(x, shift, axis));
    for (const bl::index times : {0, 1, 2, 3, 4, 7}) check<T>(bl::repeat_interleave(x, times, axis));
    check<T>(bl::fftshift(x, axis));
  }
  check<T>(bl::roll(x, {1, 2, -1}, {0, 1, 2}));
  check<T>(bl::tile(x, 2, 1, 3));
  check<T>(bl::tile(x, 1, 3, 1));
  for (const auto how : {bl::padding::constant, bl::padding::reflect, bl::padding::replicate, bl::padding::circular}) {
    check<T>(bl::pad(x, {0, 0, 2, 1}, how, 5));
    check<T>(bl::pad(x, {1, 1, 0, 2, 1, 0}, how, 5));
    check<T>(bl::pad(x, {-1, 1, 2, -1}, how, 5));
  }
}

template <class T>
void check_type() {
  const auto x = numbered<T>(4, 5, 3);
  check_all<T>(x);
  check_all<T>(bl::flip(bl::slice(numbered<T>(4, 10, 3), bl::all, bl::range(0, bl::none, 2), bl::all), 0, 2));
  check_all<T>(bl::permute(x, 2, 1, 0));
  check_all<T>(bl::expand(bl::slice(x, bl::all, bl::range(0, 1), bl::all), 4, 3, 3));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(index_segments)

BOOST_AUTO_TEST_CASE(elements_of_one_byte) { check_type<std::uint8_t>(); }
BOOST_AUTO_TEST_CASE(elements_of_two_bytes) { check_type<std::int16_t>(); }
BOOST_AUTO_TEST_CASE(elements_of_four_bytes) { check_type<float>(); }
BOOST_AUTO_TEST_CASE(elements_of_eight_bytes) { check_type<double>(); }
BOOST_AUTO_TEST_CASE(elements_of_sixteen_bytes) { check_type<std::complex<double>>(); }

BOOST_AUTO_TEST_CASE(blocks_may_begin_anywhere) {
  const auto x = numbered<float>(7, 4111, 3);
  for (const bl::index shift : {1, 5, 2000, -3}) {
    check<float>(bl::roll(x, shift, 1));
    check<float>(bl::roll(x, shift, 0));
    check<float>(bl::roll(x, {shift, 1}, {1, 2}));
  }
  check<float>(bl::pad(x, {0, 0, 3, 5}, bl::padding::reflect));
  check<float>(bl::pad(x, {0, 0, 3, 5, 2, 2}, bl::padding::constant, -1));
  check<float>(bl::repeat_interleave(x, 3, 1));
  check<float>(bl::repeat_interleave(x, 5, 2));
  check<float>(bl::tile(x, 2, 3, 1));
}

BOOST_AUTO_TEST_CASE(an_array_may_be_replaced_by_itself_rolled) {
  for (const bl::index n : {3, 100, 70000}) {
    bl::dtensor<int, 1> x(n), y(n);
    for (bl::index i = 0; i < n; ++i) x(i) = y(i) = static_cast<int>(i);
    x = bl::roll(x, 1);
    x = bl::roll(x, 2) + x;
    bl::index wrong = 0;
    for (bl::index i = 0; i < n; ++i) wrong += x(i) != (i + 3 * n - 3) % n + (i + n - 1) % n;
    BOOST_TEST(wrong == 0);
  }
}

// Destinations less than a line behind their source, modulo a page, have a loop of their own.
BOOST_AUTO_TEST_CASE(long_rows_may_be_rolled_by_any_number_of_bytes) {
  for (const bl::index n : {2112, 4096, 4099, 9000, 20011}) {
    bl::dtensor<std::uint8_t, 1> x(n);
    for (bl::index i = 0; i < n; ++i) x(i) = static_cast<std::uint8_t>(i * i % 251);
    bl::index wrong = 0;
    for (bl::index shift = -3; shift <= 66; ++shift) {
      const auto y = bl::eval(bl::roll(x, shift));
      for (bl::index i = 0; i < n; ++i) wrong += y(i) != x((i + n - shift) % n);
    }
    BOOST_TEST(wrong == 0);
  }
}

BOOST_AUTO_TEST_CASE(arrays_without_elements) {
  const bl::dtensor<float, 2> none(0, 3);
  BOOST_TEST(bl::eval(bl::roll(none, 1, 0)).size() == 0);
  BOOST_TEST(bl::eval(bl::tile(none, 2, 2)).size() == 0);
  BOOST_TEST(bl::eval(bl::repeat_interleave(none, 2, 0)).size() == 0);
  const auto filled = bl::eval(bl::pad(none, {1, 0, 2, 1}, bl::padding::constant, 4));
  BOOST_TEST(filled.size() == 3 * 4);
  BOOST_TEST(bl::eval(bl::sum(filled))() == 4 * 12.f);
}

BOOST_AUTO_TEST_CASE(nodes_with_equal_segments_are_one) {
  const auto x = numbered<float>(3, 4, 2);
  using bl::detail::same_tree;
  BOOST_TEST(same_tree(bl::roll(x, 1, 1), bl::roll(x, 5, 1)));
  BOOST_TEST(!same_tree(bl::roll(x, 1, 1), bl::roll(x, 2, 1)));
  BOOST_TEST(!same_tree(bl::roll(x, 1, 1), bl::roll(x, 1, 0)));
}

BOOST_AUTO_TEST_SUITE_END()
