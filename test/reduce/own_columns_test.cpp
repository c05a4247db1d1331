// Reductions with a callable over leading and middle axes, column by column at once: the bits of each column reduced by
// itself, whatever the shape, strides, axes, threads and rows asked for.
#include <broadloom/broadloom.hpp>
#include <broadloom/reduce/own_columns.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>
#include <complex>
#include <cstring>
#include <random>
#include <type_traits>
#include <vector>

namespace bl = broadloom;

namespace {

using bl::index;
constexpr auto plus = [](float x, float y) { return x + y; };
constexpr auto decay = [](float x, float y) { return 0.75f * x + y; };  // neither associative nor commutative
constexpr auto packs = [](const bl::pack<float, bl::pack_size>& x, const bl::pack<float, bl::pack_size>& y) {
  return x + y;
};

template <class T>
using strided = bl::view<const T, bl::dshape<3>, bl::dyn_strides<3>>;

// Elements in an order of axes, with gaps, backwards, or the same ones along an axis.
template <class T>
struct layout {
  std::vector<T> memory;
  std::array<index, 3> extents, strides{};
  index first = 0;

  layout(const std::array<index, 3>& e, std::mt19937& g) : extents(e) {
    std::array<int, 3> order{0, 1, 2};
    std::shuffle(order.begin(), order.end(), g);
    if (g() % 2 == 0) order = {0, 1, 2};
    index n = 1;
    for (int i = 2; i >= 0; --i) {
      const auto a = static_cast<std::size_t>(order[static_cast<std::size_t>(i)]);
      const bool same = g() % 8 == 0;
      strides[a] = same ? 0 : n;
      if (!same) n *= extents[a] + (g() % 4 == 0 ? 1 : 0);
      if (g() % 8 == 0) {
        first += strides[a] * (extents[a] - 1);
        strides[a] = -strides[a];
      }
    }
    memory.resize(static_cast<std::size_t>(n));
    for (T& x : memory) x = T(static_cast<float>(g()) / 4e9f - 0.5f) + T(1e-3f);
    if constexpr (!std::is_same_v<T, float>)
      for (T& x : memory) x *= T(1, static_cast<float>(g() % 7));
  }
  strided<T> view() const {
    return {memory.data() + first, bl::dshape<3>(extents[0], extents[1], extents[2]),
            bl::dyn_strides<3>{{strides[0], strides[1], strides[2]}}};
  }
};

// The elements of each result, contiguous, reduced by `by_itself`.
template <class T, class F>
std::vector<T> wanted(const strided<T>& x, unsigned bits, const F& by_itself) {
  const auto n = x.shape().extents();
  std::vector<T> r;
  const auto kept = [&](int a) { return (bits >> a & 1) == 0 ? n[a] : 1; };
  const auto gone = [&](int a) { return (bits >> a & 1) != 0 ? n[a] : 1; };
  bl::dtensor<T, 1> line(gone(0) * gone(1) * gone(2));
  for (index i = 0; i < kept(0); ++i)
    for (index j = 0; j < kept(1); ++j)
      for (index k = 0; k < kept(2); ++k) {
        T* to = line.data();
        for (index a = 0; a < gone(0); ++a)
          for (index b = 0; b < gone(1); ++b)
            for (index c = 0; c < gone(2); ++c) *to++ = x(i + a, j + b, k + c);
        r.push_back(by_itself(line));
      }
  return r;
}
template <class T, class R>
bool same(const std::vector<T>& a, const R& b) {
  return static_cast<index>(a.size()) == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

// Extents that are short, a strip and more, and wider than what is reduced together.
std::array<index, 3> extents_of(std::mt19937& g) {
  const auto one = [&](index most) { return 1 + static_cast<index>(g()) % most; };
  switch (g() % 6) {
    case 0: return {one(1700), one(6), one(5)};
    case 1: return {one(4), one(1700), one(40)};
    case 2: return {one(40), 1, one(2500)};
    case 3: return {one(700), one(70), 1};
    case 4: return {one(3), one(30), one(1300)};
    default: return {one(9), one(9), one(9)};
  }
}

constexpr unsigned leading[] = {1, 2, 3, 4, 5, 7};
std::vector<int> axes_of(unsigned bits) {
  std::vector<int> r;
  for (int a = 0; a < 3; ++a)
    if ((bits >> a & 1) != 0) r.push_back(a);
  return r;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(reduce_own_columns)

BOOST_AUTO_TEST_CASE(each_column_has_the_bits_that_it_has_by_itself) {
  std::mt19937 g(7);
  for (int round = 0; round < 60; ++round) {
    const layout<float> l(extents_of(g), g);
    const auto x = l.view();
    const unsigned bits = leading[g() % 6];
    const auto how = bl::par.threads(round % 2 == 0 ? 1 : 3);
    const std::vector<int> axes = axes_of(bits);
    BOOST_TEST_CONTEXT("round " << round << ", axes " << bits << ", extents " << l.extents[0] << " " << l.extents[1]
                                << " " << l.extents[2]) {
      const auto agree = [&](const auto& f, const auto&... more) {
        const auto results =
            wanted(x, bits, [&](const auto& line) { return bl::reduce(line, 0.5f, f, more...).item(); });
        BOOST_TEST(same(results, bl::eval(bl::reduce(x, axes, 0.5f, f, more..., bl::keepdim), how)));
        BOOST_TEST(same(results, bl::eval(bl::reduce(1 * x, axes, 0.5f, f, more..., bl::keepdim), how)));
      };
      agree(plus, bl::any_order);
      agree(packs, bl::any_order);
      agree(decay);
    }
  }
}

BOOST_AUTO_TEST_CASE(complex_numbers) {
  using c64 = std::complex<float>;
  std::mt19937 g(11);
  for (int round = 0; round < 40; ++round) {
    const layout<c64> l(extents_of(g), g);
    const auto x = l.view();
    const unsigned bits = leading[g() % 6];
    const std::vector<int> axes = axes_of(bits);
    BOOST_TEST(same(wanted(x, bits, [](const auto& line) { return bl::sum(line).item(); }),
                    bl::eval(bl::sum(x, axes, bl::keepdim))));
    BOOST_TEST(same(wanted(x, bits, [](const auto& line) { return bl::prod(line).item(); }),
                    bl::eval(bl::prod(1 * x, axes, bl::keepdim))));
  }
}

// A few rows of the results at a time, which are columns of the tree, and a tree that is evaluated whole before.
BOOST_AUTO_TEST_CASE(beside_what_reads_them) {
  bl::generator g(3);
  const bl::dtensor<float, 2> x = bl::randn<float>(g, bl::dshape<2>(1300, 900));
  const bl::dtensor<float, 1> r = bl::reduce(x, 0, 0, plus, bl::any_order);
  BOOST_TEST(bl::array_equal(r, bl::sum(x, 0)));
  BOOST_TEST(
      bl::array_equal(x.T() * bl::unsqueeze(bl::reduce(x, 0, 0, plus, bl::any_order), 1), x.T() * bl::unsqueeze(r, 1)));
  const auto centred = x - bl::mean(x, 0, bl::keepdim);
  BOOST_TEST(bl::array_equal(bl::reduce(centred, 0, 0, plus, bl::any_order), bl::sum(bl::eval(centred), 0)));
}

BOOST_AUTO_TEST_SUITE_END()
