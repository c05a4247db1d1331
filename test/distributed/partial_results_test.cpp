// A sequence cut anywhere gives the bits of the whole: pieces, strips that lie on several ranks, and their combination.
#include <broadloom/distributed/partial_results.hpp>
#include <broadloom/reduce/reduce.hpp>
#include <broadloom/tensor/tensor.hpp>

#include <boost/test/unit_test.hpp>

#include <random>

namespace bl = broadloom;
namespace part = broadloom::distributed::detail;

namespace {

// As ranks do it, without messages: cuts are where their rows begin.
template <class Op, class T>
std::vector<T> reduce_in_parts(const std::vector<T>& x, bl::index results, const std::vector<bl::index>& cuts, int most,
                               const auto& whole) {
  const bl::index n = static_cast<bl::index>(x.size()) / results;
  part::partial_results<Op, T> all(results);
  part::open_strip<Op, T> open(results);
  std::vector<T> values(static_cast<std::size_t>(results));
  for (std::size_t r = 0; r + 1 < cuts.size(); ++r) {
    part::partial_results<Op, T> mine(results);
    bl::index expected = cuts[r];
    for (const part::piece& p : part::pieces_of(cuts[r], cuts[r + 1], n, most)) {
      BOOST_TEST(p.first == expected);
      BOOST_TEST(p.last > p.first);
      expected = p.last;
      const T* const from = x.data() + p.first * results;
      if (p.level >= 0) {
        whole(from, p.last - p.first, values.data());
        mine.add(p.first / 512, p.level, values.data());
        continue;
      }
      if (p.first % 512 == 0) open.seen(0);
      BOOST_TEST(open.count() == p.first % 512);
      open.add(from, p.last - p.first);
      if (p.last % 512 == 0 || p.last == n) mine.add(p.first / 512, 0, open.close());
    }
    BOOST_TEST(expected == cuts[r + 1]);
    // By a message, as another rank gets it.
    all.add(part::partial_results<Op, T>(results, mine.message()));
  }
  std::vector<T> out(static_cast<std::size_t>(results));
  all.close(out.data());
  return out;
}

template <class T>
void any_cuts(const char* what, const auto& reduction, auto op, bl::index results) {
  std::mt19937 random(20261124);
  for (int repeat = 0; repeat < 60; ++repeat) {
    bl::index n = 1 + static_cast<bl::index>(random() % (repeat % 2 == 0 ? 3000 : 40000));
    // A last strip of fewer elements than lanes, on two ranks.
    const bool few = repeat % 5 == 0;
    if (few) n = n / 512 * 512 + 3 + static_cast<bl::index>(random() % 5);
    std::vector<T> x(static_cast<std::size_t>(n * results));
    for (T& v : x) v = static_cast<T>(static_cast<double>(random() % 2001) / 1000 - 1) * static_cast<T>(random() % 5);
    std::vector<bl::index> cuts{0, n};
    for (auto k = random() % 9; k > 0; --k) {
      cuts.push_back(static_cast<bl::index>(random()) % (n + 1));
      if (random() % 3 == 0) cuts.back() = cuts.back() / 512 * 512;
      if (random() % 4 == 0) cuts.push_back(cuts.back());  // a rank without rows
    }
    if (few) cuts.push_back(n - 1);
    std::sort(cuts.begin(), cuts.end());
    const auto whole = [&](const T* from, bl::index rows, T* to) {
      const bl::view<const T, bl::dshape<2>, bl::row_major> v(from, bl::dshape<2>(rows, results), {});
      bl::assign(bl::view<T, bl::dshape<1>, bl::row_major>(to, bl::dshape<1>(results), {}), reduction(v, 0));
    };
    std::vector<T> wanted(static_cast<std::size_t>(results));
    whole(x.data(), n, wanted.data());
    const auto found = reduce_in_parts<decltype(op)>(x, results, cuts, repeat % 3 == 0 ? 2 : 62, whole);
    BOOST_TEST(__builtin_memcmp(found.data(), wanted.data(), wanted.size() * sizeof(T)) == 0, what << " of " << n);
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(distributed_partial_results)

BOOST_AUTO_TEST_CASE(sums_of_f32) { any_cuts<float>("sums", bl::sum, bl::detail::sum_r{}, 3); }
BOOST_AUTO_TEST_CASE(sums_of_f64) { any_cuts<double>("sums", bl::sum, bl::detail::sum_r{}, 1); }
BOOST_AUTO_TEST_CASE(products) { any_cuts<float>("products", bl::prod, bl::detail::prod_r{}, 2); }
BOOST_AUTO_TEST_CASE(maxima) { any_cuts<float>("maxima", bl::amax, bl::detail::amax_r{}, 2); }

BOOST_AUTO_TEST_CASE(a_rank_has_few_pieces) {
  std::mt19937 random(7);
  for (int repeat = 0; repeat < 2000; ++repeat) {
    const bl::index n = bl::index{1} << 40, first = static_cast<bl::index>(random()) * 200,
                    last = first + 1 + static_cast<bl::index>(random());
    const auto all = part::pieces_of(first, last, n);
    int level = 0;
    while ((bl::index{512} << level) <= last - first) ++level;
    BOOST_TEST(all.size() <= static_cast<std::size_t>(2 * level + 2));
  }
  BOOST_TEST(part::pieces_of(0, bl::index{512} << 20, bl::index{1} << 40).size() == 1u);
  BOOST_TEST(part::pieces_of(100, 100, 1000).empty());
}

BOOST_AUTO_TEST_SUITE_END()
