// Sums of rows that are computed as they are added up, by kernels that programs with optimisation have: the bits of
// sums of the same elements in memory, whatever the rows' steps, lengths and number.
#include <cstring>

#include <broadloom/broadloom.hpp>

#include <boost/test/unit_test.hpp>

namespace {

namespace bl = broadloom;
using rows = bl::dtensor<float, 3>;

rows numbers(bl::index a, bl::index b, bl::index c) {
  rows x(a, b, c);
  unsigned bits = 7;
  for (float& e : x) {
    bits = bits * 1664525u + 1013904223u;
    e = static_cast<float>(static_cast<int>(bits >> 8) % 1000) * 0.013f;
  }
  return x;
}

template <class X, class Y>
bool adds_up(const X& x, const Y& y, const bl::policy& how) {
  const bl::dtensor<float, 2> sums(bl::sum(x * y + 0.25f, bl::axes<2>), how);
  const rows elements = x * y + 0.25f;
  const bl::dtensor<float, 2> whole = bl::sum(elements, bl::axes<2>);
  return sums.shape() == whole.shape() &&
         std::memcmp(sums.data(), whole.data(), static_cast<std::size_t>(sums.size()) * sizeof(float)) == 0;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(reduce_whole_rows)

BOOST_AUTO_TEST_CASE(computed_rows_add_up_as_elements_in_memory_do) {
  for (const auto& how : {bl::seq, bl::par.threads(3)})
    for (bl::index n : {64, 100, 512, 700, 3000, 70000, 200000}) {
      const bl::index count = n > 9000 ? 1 : 11;
      const rows x = numbers(3, count + 2, n + 5), y = numbers(3, count, n);
      const rows turned = numbers(n, 3, count);
      const auto part = x(bl::all, bl::range(1, count + 1), bl::range(2, n + 2));
      BOOST_TEST(adds_up(part, y, how));
      BOOST_TEST(adds_up(part, y(bl::all, bl::range(0, 1), bl::all), how));
      BOOST_TEST(adds_up(part, y(bl::all, bl::all, bl::range(3, 4)), how));
      BOOST_TEST(adds_up(bl::flip(part, 1), bl::permute(turned, 1, 2, 0), how));
    }
}

BOOST_AUTO_TEST_CASE(one_computed_row_adds_up_as_elements_in_memory_do) {
  for (bl::index n : {8193, 32768, 40000, 65536, 99000, 300000}) {
    const rows x = numbers(1, 1, n), y = numbers(1, 2, n);
    const auto a = x(0, 0), b = y(0, 1);
    const bl::dtensor<float, 1> elements = a * b + 0.25f;
    const float whole = bl::sum(elements).item();
    for (const int threads : {1, 2, 5})
      BOOST_TEST(bl::eval(bl::sum(a * b + 0.25f), bl::par.threads(threads)).item() == whole);
    BOOST_TEST(bl::sum(a * b + 0.25f).item() == whole);
  }
}

BOOST_AUTO_TEST_SUITE_END()
