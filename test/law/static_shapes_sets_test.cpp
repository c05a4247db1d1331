// The law of static shapes for sets, less usual orders, lists of indices, and copies with parts written over.
// Build: unoptimised, clang-alone
#include <boost/test/unit_test.hpp>

#include "static_shapes.hpp"

#include <broadloom/index/compress.hpp>
#include <broadloom/index/gradient.hpp>
#include <broadloom/index/index_lists.hpp>
#include <broadloom/index/put.hpp>
#include <broadloom/index/slice_scatter.hpp>
#include <broadloom/sets.hpp>

using law::axis_of, law::dyn, law::keeps, law::of;
namespace bl = broadloom;
using namespace bl::literals;

BOOST_AUTO_TEST_CASE(sets) {
  const auto some = [](auto x, bl::index n) { return bl::cast<bl::index>(bl::lt(x, static_cast<float>(n))); };
  keeps<of<float, 2, 3>>("union1d", {{0, 40}}, [&](auto x, auto c) { return bl::union1d(some(x, c[0]), x); });
  keeps<of<float, 2, 3>>("intersect1d", {{0, 40}},
                         [&](auto x, auto c) { return bl::intersect1d(some(x, c[0]), some(x, 0)); });
  keeps<of<float, 2, 3>>("setdiff1d", {{0, 40}}, [&](auto x, auto c) { return bl::setdiff1d(some(x, c[0]), x); });
  keeps<of<float, 2, 3>>("setxor1d", {{0, 40}}, [&](auto x, auto c) { return bl::setxor1d(some(x, c[0]), x); });
  keeps<of<float, 2, 3>>("unique", {{0, 40}, axis_of(2)},
                         [&](auto x, auto c) { return bl::unique(some(x, c[0]), c[1]).values; });
  keeps<of<float, 2, 3>>("unique", {{0, 40}}, [&](auto x, auto c) { return bl::unique(some(x, c[0]), 1_c).values; });
  keeps<of<float, 2, 3>>("unique_consecutive", {{0, 40}},
                         [&](auto x, auto c) { return bl::unique_consecutive(some(x, c[0])).values; });
  keeps<of<float, 2, 3>>("unique_consecutive", {}, [](auto x, auto) { return bl::unique_consecutive(x).inverse; });
  keeps<of<float, 2, 3>>("compress", {{0, 40}, axis_of(2)},
                         [&](auto x, auto c) { return bl::compress(bl::select(some(x, c[0]), 1, 0), x, c[1]); });
  keeps<of<float, 2, 3>>("flatnonzero", {{0, 40}}, [&](auto x, auto c) { return bl::flatnonzero(some(x, c[0])); });
}

BOOST_AUTO_TEST_CASE(orders_and_lists) {
  keeps<of<float, 2, 3>>("partition", {axis_of(2)}, [](auto x, auto c) { return bl::partition(x, 1, c[0]); });
  keeps<of<float, 2, 3>>("argpartition", {axis_of(2)}, [](auto x, auto c) { return bl::argpartition(x, 1, c[0]); });
  keeps<of<float, 2, 3>>("lexsort", {}, [](auto x, auto) { return bl::lexsort(x, x); });
  keeps<of<float, 2, 3, 4>>("lexsort", {axis_of(2)}, [](auto x, auto c) { return bl::lexsort(x, c[0]); });
  keeps<of<float, 2, 3>>("gradient", {axis_of(2)}, [](auto x, auto c) { return bl::gradient(x, 1, c[0]); });
  keeps<of<float, 2, 3>>("unwrap", {axis_of(2)}, [](auto x, auto c) { return bl::unwrap(x, c[0]); });
  keeps<of<float, 1>>("tril_indices", {{0, 3}}, [](auto, auto c) { return bl::tril_indices(c[0], 3); });
  keeps<of<float, 1>>("triu_indices", {{0, 3}}, [](auto, auto c) { return bl::triu_indices(3, c[0]); });
  keeps<of<float, dyn>>("combinations", {}, [](auto x, auto) { return bl::combinations(x, 2_c); });
  keeps<of<bl::index, 2, 1>>("unravel_index", {},
                             [](auto x, auto) { return bl::unravel_index(x, bl::shape<20, 30>{})[1]; });
  keeps<of<bl::index, 2, 1>, of<bl::index, 3>>("ravel_multi_index", {}, [](auto x, auto y, auto) {
    return bl::ravel_multi_index(bl::indices(x, y), bl::shape<20, 30>{});
  });
}

BOOST_AUTO_TEST_CASE(parts_written_over) {
  keeps<of<float, 2, 5>, of<bl::index, 3>>("put", {}, [](auto x, auto i, auto) { return bl::put(x, i, 1.0f); });
  keeps<of<float, 2, 5>, of<bl::index, 3>, of<float, 2, 3>>(
      "index_reduce", {}, [](auto x, auto i, auto s, auto) { return bl::index_reduce(x, 1_c, i, s, bl::amax); });
  keeps<of<float, 2, 5>, of<float, 2>>("select_scatter", {},
                                       [](auto x, auto s, auto) { return bl::select_scatter(x, s, 1_c, 3_c); });
  keeps<of<float, 2, 5>, of<float, 2, 2>>(
      "slice_scatter", {{0, 4}}, [](auto x, auto s, auto c) { return bl::slice_scatter(x, s, 1, c[0], c[0] + 2); });
  keeps<of<float, 2, 5>, of<float, 2>>("diagonal_scatter", {{0, 4}},
                                       [](auto x, auto s, auto c) { return bl::diagonal_scatter(x, s, c[0]); });
}
