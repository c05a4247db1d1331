// The law of static shapes for index/: positions, joins, rearranging, triangles, order and counting; and masks.
// Build: unoptimised, seldom
#include "static_shapes.hpp"

using law::axis_of, law::dyn, law::keeps, law::of;
namespace bl = broadloom;
using namespace bl::literals;

BOOST_AUTO_TEST_CASE(positions) {
  keeps<of<float, 2, 5>, of<bl::index, 3>>("index_select", {axis_of(2)},
                                           [](auto x, auto i, auto c) { return bl::index_select(x, c[0], i); });
  keeps<of<float, 3, 3>, of<bl::index, 3>>("index_select", {axis_of(2)},
                                           [](auto x, auto i, auto c) { return bl::index_select(x, c[0], i); });
  keeps<of<float, 2, 5>, of<bl::index, 3>>("index_select", {},
                                           [](auto x, auto i, auto) { return bl::index_select(x, 1_c, i); });
  keeps<of<float, 2, 5>, of<bl::index, 3, 4>>("take", {}, [](auto x, auto i, auto) { return bl::take(x, i); });
  keeps<of<float, 2, 2, 5>, of<bl::index, 2>>("take", {axis_of(3)},
                                              [](auto x, auto i, auto c) { return bl::take(x, i, c[0]); });
  keeps<of<float, 2, 5>, of<bl::index, 3, dyn>>("take", {}, [](auto x, auto i, auto) { return bl::take(x, i, 0_c); });
  keeps<of<float, 2, 5>, of<bl::index, 2, 4>>("gather", {axis_of(2)},
                                              [](auto x, auto i, auto c) { return bl::gather(x, c[0], i); });
  keeps<of<float, 2, 5>, of<bl::index, 1, 5>>("take_along_dim", {axis_of(2)},
                                              [](auto x, auto i, auto c) { return bl::take_along_dim(x, i, c[0]); });
  keeps<of<float, 2, 5>, of<bl::index, 2, 4>>("take_along_dim", {axis_of(2)},
                                              [](auto x, auto i, auto c) { return bl::take_along_dim(x, i, c[0]); });
  keeps<of<float, 4, 4>, of<bl::index, 1, 1>>("take_along_axis", {axis_of(2)},
                                              [](auto x, auto i, auto c) { return bl::take_along_axis(x, i, c[0]); });
  keeps<of<float, 2, 5>, of<bl::index, 2, 4>>("take_along_dim", {},
                                              [](auto x, auto i, auto) { return bl::take_along_dim(x, i); });
  keeps<of<float, 2, 5>, of<bl::index, 2, 3>>("gather_broadcast", {axis_of(2)},
                                              [](auto x, auto i, auto c) { return bl::gather_broadcast(x, c[0], i); });
  keeps<of<float, 2, 5>, of<bl::index, 1, 1>>("gather_broadcast", {axis_of(2)},
                                              [](auto x, auto i, auto c) { return bl::gather_broadcast(x, c[0], i); });
  keeps<of<float, dyn, 5>, of<bl::index, 3, 2>>("gather_broadcast", {},
                                                [](auto x, auto i, auto) { return bl::gather_broadcast(x, 1_c, i); });
  keeps<of<float, 2, 5>, of<bl::index, 5>>("gather_broadcast", {},
                                           [](auto x, auto i, auto) { return bl::gather_broadcast(x, 0_c, i); });
  keeps<of<bl::index, 3, 1>, of<float, 2, 3, 4>>("choose", {}, [](auto i, auto x, auto) { return bl::choose(i, x); });
}

BOOST_AUTO_TEST_CASE(written_copies) {
  const auto number = [](auto f) { return [f](auto x, auto i, auto c) { return f(x, c[0], i, 1.0f); }; };
  keeps<of<float, 2, 5>, of<bl::index, 2, 3>>("scatter", {axis_of(2)}, number(bl::scatter));
  keeps<of<float, 2, 5>, of<bl::index, 2, 3>, of<float, 2, 3>>(
      "scatter_add", {axis_of(2)}, [](auto x, auto i, auto s, auto c) { return bl::scatter_add(x, c[0], i, s); });
  keeps<of<float, 2, 5>, of<bl::index, 2, 3>, of<float, 2, 3>>(
      "scatter_reduce", {axis_of(2)},
      [](auto x, auto i, auto s, auto c) { return bl::scatter_reduce(x, c[0], i, s, bl::sum); });
  keeps<of<float, 2, 5>, of<bl::index, 2, 3>>(
      "scatter_broadcast", {}, [](auto x, auto i, auto) { return bl::scatter_broadcast(x, 1_c, i, 1.0f); });
  keeps<of<float, 2, 5>, of<bl::index, 3>>("index_fill", {axis_of(2)}, number(bl::index_fill));
  keeps<of<float, 2, 5>, of<bl::index, 3>, of<float, 2, 3>>(
      "index_add", {axis_of(2)}, [](auto x, auto i, auto s, auto c) { return bl::index_add(x, c[0], i, s); });
  keeps<of<float, 2, 5>, of<bl::index, 3>, of<float, 2, 3>>(
      "index_copy", {axis_of(2)}, [](auto x, auto i, auto s, auto c) { return bl::index_copy(x, c[0], i, s); });
  keeps<of<float, 2, 5>, of<bool, 5>, of<float, 10>>(
      "masked_scatter", {}, [](auto x, auto m, auto s, auto) { return bl::masked_scatter(x, m, s); });
}

BOOST_AUTO_TEST_CASE(joins_and_parts) {
  keeps<of<float, 2, 3>, of<float, 2, 4>>("cat", {axis_of(2)},
                                          [](auto x, auto y, auto c) { return bl::cat(c[0], x, y); });
  keeps<of<float, 3, 3, 2>, of<float, 3, 3, 2>>("cat", {axis_of(3)},
                                                [](auto x, auto y, auto c) { return bl::cat(c[0], x, y); });
  keeps<of<float, dyn, 3>, of<float, 2, 3>>("concat", {}, [](auto x, auto y, auto) { return bl::concat(1_c, x, y); });
  keeps<of<float, 2, 3>, of<float, 4, 3>>("concatenate", {},
                                          [](auto x, auto y, auto) { return bl::concatenate(0_c, x, y); });
  const auto of_list = [](auto x, auto, auto axis) { return bl::cat(std::vector<decltype(x)>{x, x}, axis); };
  keeps<of<float, 2, 2, 3>>("cat", {axis_of(3)}, [&](auto x, auto c) { return of_list(x, c, c[0]); });
  // how many there are in the list is known later, so that not every choice is tried
  static_assert(std::is_same_v<decltype(bl::cat(std::vector<bl::tensor<float, bl::shape<2, 3>>>{}, 0_c))::shape_type,
                               bl::shape<dyn, 3>>);
  keeps<of<float, 2, 2>, of<float, 2, 2>>("stack", {axis_of(3)},
                                          [](auto x, auto y, auto c) { return bl::stack(c[0], x, y); });
  keeps<of<float, 3, dyn>, of<float, 3, 2>>("stack", {axis_of(3)},
                                            [](auto x, auto y, auto c) { return bl::stack(c[0], x, y); });
  keeps<of<float, 3, dyn>, of<float, 3, 2>>("stack", {}, [](auto x, auto y, auto) { return bl::stack(1_c, x, y); });
  keeps<of<float, 2, 3>, of<float, 2, 4>>("hstack", {}, [](auto x, auto y, auto) { return bl::hstack(x, y); });
  keeps<of<float, 2, 3>, of<float, 3>>("vstack", {}, [](auto x, auto y, auto) { return bl::vstack(x, y); });
  keeps<of<float, 6, 2>>("split", {{1, 7}}, [](auto x, auto c) { return bl::split(x, c[0]); });
  keeps<of<float, 6, 2>>("split", {}, [](auto x, auto) { return bl::split(x, 2_c); });
  keeps<of<float, 6, 2>>("split", {}, [](auto x, auto) { return bl::split(x, 4_c); });
  keeps<of<float, 6, 2>>("split", {axis_of(2)}, [](auto x, auto c) { return bl::split(x, 2_c, c[0]); });
  keeps<of<float, 1, 1>>("split", {{1, 3}, axis_of(2)}, [](auto x, auto c) { return bl::split(x, c[0], c[1]); });
  keeps<of<float, 2, 6>>("split", {{0, 6}},
                         [](auto x, auto c) { return bl::split(x, bl::list<bl::index>{c[0], 6 - c[0]}, 1_c); });
  keeps<of<float, 6, 2>>("chunk", {{1, 7}}, [](auto x, auto c) { return bl::chunk(x, c[0]); });
  keeps<of<float, 6, 2>>("chunk", {}, [](auto x, auto) { return bl::chunk(x, 3_c); });
  keeps<of<float, 6, 2>>("chunk", {}, [](auto x, auto) { return bl::chunk(x, 4_c, 0_c); });
}

BOOST_AUTO_TEST_CASE(rearranging) {
  keeps<of<float, 2, 3>>("tile", {{0, 3}}, [](auto x, auto c) { return bl::tile(x, c[0]); });
  keeps<of<float, 2, 3>>("tile", {{0, 3}}, [](auto x, auto c) { return bl::tile(x, 4_c, c[0], 2_c); });
  keeps<of<float, 0, 3>>("tile", {{0, 3}}, [](auto x, auto c) { return bl::tile(x, c[0], 0_c); });
  keeps<of<float, 2, 3>>("repeat", {{0, 3}}, [](auto x, auto c) { return bl::repeat(x, 2_c, c[0]); });
  keeps<of<float, 2, 3>>("repeat_interleave", {{0, 3}}, [](auto x, auto c) { return bl::repeat_interleave(x, c[0]); });
  keeps<of<float, 2, 3>>("repeat_interleave", {}, [](auto x, auto) { return bl::repeat_interleave(x, 2_c, 1_c); });
  keeps<of<float, 3, 3, 2>>("repeat_interleave", {axis_of(3)},
                            [](auto x, auto c) { return bl::repeat_interleave(x, 1_c, c[0]); });
  keeps<of<float, 2, 3>>("repeat_interleave", {{0, 3}, {0, 3}},
                         [](auto x, auto c) { return bl::repeat_interleave(x, bl::index_array{c[0], c[1]}); });
  keeps<of<float, 2, 3>>("roll", {{-4, 4}, axis_of(2)}, [](auto x, auto c) { return bl::roll(x, c[0], c[1]); });
  keeps<of<float, 2, 3>>("roll", {{-4, 4}}, [](auto x, auto c) { return bl::roll(x, c[0]); });
  keeps<of<float, 2, dyn>>("roll", {axis_of(2), axis_of(2)},
                           [](auto x, auto c) { return bl::roll(x, {1, 2}, {c[0], c[1]}); });
  keeps<of<float, 2, 3>>("pad", {{0, 2}, {0, 2}}, [](auto x, auto c) { return bl::pad(x, {c[0], c[1]}); });
  keeps<of<float, 2, 3>>("rot90", {{-4, 4}}, [](auto x, auto c) { return bl::rot90(x, c[0]); });
  keeps<of<float, 2, 3>>("rot90", {}, [](auto x, auto) { return bl::rot90(x); });
  keeps<of<float, 2, 3, 3>>("rot90", {{-4, 4}}, [](auto x, auto c) { return bl::rot90(x, c[0], 1_c, 2_c); });
  keeps<of<float, 2, 3, 3>>("rot90", {{0, 1}}, [](auto x, auto c) { return bl::rot90(x, 2_c, c[0], 2_c); });
  keeps<of<float, 2>, of<float, 3>>("meshgrid", {},
                                    [](auto x, auto y, auto) { return boost::hana::at_c<0>(bl::meshgrid(x, y)); });
  keeps<of<float, 2>, of<float, dyn>>(
      "meshgrid", {}, [](auto x, auto y, auto) { return boost::hana::at_c<1>(bl::meshgrid(bl::indexing::xy, x, y)); });
  keeps<of<float, 2>, of<float, 3>>("cartesian_prod", {},
                                    [](auto x, auto y, auto) { return bl::cartesian_prod(x, y); });
  keeps<of<float, 2>, of<float, dyn>>("cartesian_prod", {},
                                      [](auto x, auto y, auto) { return bl::cartesian_prod(x, y); });
}

BOOST_AUTO_TEST_CASE(triangles) {
  keeps<of<float, 2, 3>>("triu", {{-3, 3}}, [](auto x, auto c) { return bl::triu(x, c[0]); });
  keeps<of<float, 2, 3>>("tril", {{-3, 3}}, [](auto x, auto c) { return bl::tril(x, c[0]); });
  keeps<of<float, 3>>("diag", {{-3, 3}}, [](auto x, auto c) { return bl::diag(x, c[0]); });
  keeps<of<float, 3>>("diag", {}, [](auto x, auto) { return bl::diag(x, -1_c); });
  keeps<of<float, 3, 4>>("diag", {{-5, 5}}, [](auto x, auto c) { return bl::diag(x, c[0]); });
  keeps<of<float, 3, 4>>("diag", {}, [](auto x, auto) { return bl::diag(x, 2_c); });
  keeps<of<float, 2, 3>>("diag_embed", {{-3, 3}}, [](auto x, auto c) { return bl::diag_embed(x, c[0]); });
  keeps<of<float, 3, 3>>("diag_embed", {axis_of(3), axis_of(3)},
                         [](auto x, auto c) { return bl::diag_embed(x, 0_c, c[0], c[1]); });
  keeps<of<float, 2, 3>>("diag_embed", {axis_of(3)}, [](auto x, auto c) { return bl::diag_embed(x, 0_c, c[0]); });
}

BOOST_AUTO_TEST_CASE(order) {
  keeps<of<float, 2, 3>>("sort", {axis_of(2)}, [](auto x, auto c) { return bl::sort(x, c[0]).values; });
  keeps<of<float, 2, dyn>>("sort", {}, [](auto x, auto) { return bl::sort(x).indices; });
  keeps<of<float, 2, 3>>("argsort", {axis_of(2)}, [](auto x, auto c) { return bl::argsort(x, c[0]); });
  keeps<of<float, 2, 5>>("topk", {{0, 5}}, [](auto x, auto c) { return bl::topk(x, c[0]).values; });
  keeps<of<float, 2, 5>>("topk", {axis_of(2)}, [](auto x, auto c) { return bl::topk(x, 3_c, c[0]).indices; });
  keeps<of<float, 2, 5>>("topk", {axis_of(2)}, [](auto x, auto c) { return bl::topk(x, 2_c, c[0]).indices; });
  keeps<of<float, 3, 3, 2>>("kthvalue", {{1, 3}, axis_of(3)},
                            [](auto x, auto c) { return bl::kthvalue(x, c[0], c[1]).values; });
  keeps<of<float, 3, 3, 2>>("kthvalue", {{1, 3}}, [](auto x, auto c) { return bl::kthvalue(x, c[0]).values; });
  keeps<of<float, 3, 3>>("median", {axis_of(2)}, [](auto x, auto c) { return bl::median(x, c[0]).values; });
  keeps<of<float, 3, 2>>("median", {axis_of(2)}, [](auto x, auto c) { return bl::median(x, c[0]).indices; });
  keeps<of<float, 3, 2>>("median", {}, [](auto x, auto) { return bl::median(x); });
  keeps<of<float, 3, 3>>("quantile", {axis_of(2)}, [](auto x, auto c) { return bl::quantile(x, 0.5, c[0]); });
  keeps<of<float, 3, 2>>("quantile", {}, [](auto x, auto) {
    return bl::quantile(x, bl::tensor<double, bl::shape<3>>{0.0, 0.5, 1.0}, 0_c);
  });
  keeps<of<float, 2, 3>>("cummax", {axis_of(2)}, [](auto x, auto c) { return bl::cummax(x, c[0]).values; });
  keeps<of<float, 2, 3>>("cummin", {axis_of(2)}, [](auto x, auto c) { return bl::cummin(x, c[0]).indices; });
}

BOOST_AUTO_TEST_CASE(counting) {
  // What the elements decide is tried by elements of each kind.
  const auto some = [](auto x, bl::index n) { return bl::cast<bl::index>(bl::lt(x, static_cast<float>(n))); };
  keeps<of<float, 2, 3>>("unique", {{0, 40}}, [&](auto x, auto c) { return bl::unique(some(x, c[0])).values; });
  keeps<of<float, 2, 3>>("unique", {{0, 40}}, [&](auto x, auto c) { return bl::unique(some(x, c[0])).inverse; });
  keeps<of<float, 2, 3>>("nonzero", {{0, 40}}, [&](auto x, auto c) { return bl::nonzero(some(x, c[0])); });
  keeps<of<float, 2, 3>>("argwhere", {{0, 40}}, [&](auto x, auto c) { return bl::argwhere(some(x, c[0])); });
  keeps<of<float, 2, 3>>("where", {{0, 40}},
                         [](auto x, auto c) { return bl::where(bl::lt(x, static_cast<float>(c[0])))[0]; });
  keeps<of<float, 2, 3>>("masked_select", {{0, 40}},
                         [](auto x, auto c) { return bl::masked_select(x, bl::lt(x, static_cast<float>(c[0]))); });
  keeps<of<float, 6>>("bincount", {{0, 40}}, [&](auto x, auto c) { return bl::bincount(some(x, c[0])); });
  keeps<of<float, 4>, of<float, 2, 3>>("searchsorted", {}, [](auto e, auto v, auto) { return bl::searchsorted(e, v); });
  keeps<of<float, 2, 4>, of<float, dyn, 3>>("searchsorted", {},
                                            [](auto e, auto v, auto) { return bl::searchsorted(e, v); });
  keeps<of<float, 4>, of<float, 2, 3>>("bucketize", {}, [](auto e, auto v, auto) { return bl::bucketize(v, e); });
  keeps<of<float, 6>>("histc", {{1, 4}}, [](auto x, auto c) { return bl::histc(x, c[0]); });
  keeps<of<float, 6>>("histc", {}, [](auto x, auto) { return bl::histc(x); });
}
