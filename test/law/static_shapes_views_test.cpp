// The law of static shapes for views: expr/ and tensor/reshape.hpp.
// Build: unoptimised, seldom
#include "static_shapes.hpp"

using law::axis_of, law::dyn, law::keeps, law::of;
namespace bl = broadloom;
using namespace bl::literals;

BOOST_AUTO_TEST_CASE(a_type_that_says_too_little_is_noticed) {
  const auto forgets = [](const auto& x, const auto& c) { return bl::view<float, bl::dshape<2>>(bl::flip(x, c[0])); };
  BOOST_TEST((law::broken<of<float, 2, 3>>({axis_of(2)}, forgets)) == "the type says <dyn,dyn>, runs say <2,3>");
  const auto lies = []<class X>(const X& x, const auto& c) {
    if constexpr (X::shape_type::is_static)
      return bl::view<float, bl::shape<3>>(x.data(), {});
    else
      return bl::narrow(x, 0, 0, c[0]);
  };
  BOOST_TEST((law::broken<of<float, 4>>({{2, 3}}, lies)) ==
             "with the numbers <2> the dynamic shape is <2>, the static one <3> (<-7>: it throws)");
}

BOOST_AUTO_TEST_CASE(axes_in_another_order) {
  keeps<of<float, 2, 3, 4>>("transpose", {}, [](auto x, auto) { return bl::transpose(x); });
  keeps<of<float, 2, 3, 3>>("transpose", {axis_of(3), axis_of(3)},
                            [](auto x, auto c) { return bl::transpose(x, c[0], c[1]); });
  keeps<of<float, 2, 3, 3>>("transpose", {axis_of(3)}, [](auto x, auto c) { return bl::transpose(x, 1_c, c[0]); });
  keeps<of<float, 3, 3, 3>>("transpose", {axis_of(3), axis_of(3)},
                            [](auto x, auto c) { return bl::transpose(x + x, c[0], c[1]); });
  keeps<of<float, 2, 3, 3>>("permute", {axis_of(3), axis_of(3), axis_of(3)},
                            [](auto x, auto c) { return bl::permute(x, c[0], c[1], c[2]); });
  keeps<of<float, 2, 3, 3>>("permute", {axis_of(3), axis_of(3)},
                            [](auto x, auto c) { return bl::permute(x, c[0], 0_c, c[1]); });
  keeps<of<float, 2, 3, 4>>("permute", {axis_of(3)}, [](auto x, auto c) { return bl::permute(x, 2_c, c[0], 0_c); });
  keeps<of<float, 2, dyn, 4>>("permute", {}, [](auto x, auto) { return bl::permute(x, bl::axes<2, 0, 1>); });
  keeps<of<float, 2, 3, 3>>("movedim", {axis_of(3), axis_of(3)},
                            [](auto x, auto c) { return bl::movedim(x, c[0], c[1]); });
  keeps<of<float, 2, 3, 3>>("movedim", {axis_of(3)}, [](auto x, auto c) { return bl::movedim(x, 0_c, c[0]); });
  keeps<of<float, 2, 3, 3, 3>>("movedim", {axis_of(4)}, [](auto x, auto c) { return bl::movedim(x, c[0], 0_c); });
}

BOOST_AUTO_TEST_CASE(axes_more_and_fewer) {
  keeps<of<float, 3, 3>>("unsqueeze", {axis_of(3)}, [](auto x, auto c) { return bl::unsqueeze(x, c[0]); });
  keeps<of<float, 1, 1>>("unsqueeze", {axis_of(3)}, [](auto x, auto c) { return bl::unsqueeze(x, c[0]); });
  keeps<of<float, 1, 3>>("squeeze", {axis_of(2)}, [](auto x, auto c) { return bl::squeeze(x, c[0]); });
  keeps<of<float, 1, 3, 1>>("squeeze", {axis_of(3)}, [](auto x, auto c) { return bl::squeeze(x, c[0]); });
  keeps<of<float, dyn, 3, 4>>("squeeze", {axis_of(3)}, [](auto x, auto c) { return bl::squeeze(x, c[0]); });
  keeps<of<float, 4, 4, 3>>("diagonal", {{-5, 5}, axis_of(3), axis_of(3)},
                            [](auto x, auto c) { return bl::diagonal(x, c[0], c[1], c[2]); });
  keeps<of<float, 4, 4, 3>>("diagonal", {axis_of(3), axis_of(3)},
                            [](auto x, auto c) { return bl::diagonal(x, 0_c, c[0], c[1]); });
  keeps<of<float, 4, 4, 3>>("diagonal", {{-5, 5}}, [](auto x, auto c) { return bl::diagonal(x, c[0], 0_c, 2_c); });
  keeps<of<float, 4, 0>>("diagonal", {{-5, 5}}, [](auto x, auto c) { return bl::diagonal(x, c[0]); });
  keeps<of<float, 4, 3>>("diagonal", {}, [](auto x, auto) { return bl::diagonal(x, 1_c); });
  keeps<of<float, 2, 3>, of<float, 4, 2, 3>>("expand_as", {}, [](auto x, auto y, auto) { return bl::expand_as(x, y); });
  keeps<of<float, 1, 3>>("expand", {{1, 4}, {1, 4}},
                         [](auto x, auto c) { return bl::expand(x, bl::dshape<2>(c[0], c[1])); });
  keeps<of<float, dyn, 3>>("broadcast_to", {{1, 4}},
                           [](auto x, auto c) { return bl::broadcast_to(x, bl::shape<2, 4, dyn>(c[0])); });
  keeps<of<float, dyn, 3>, of<float, 4, 1>>(
      "broadcast_tensors", {}, [](auto x, auto y, auto) { return bl::broadcast_tensors(x, y).template get<0>(); });
}

BOOST_AUTO_TEST_CASE(parts_of_an_axis) {
  keeps<of<float, 2, 3>>("flip", {axis_of(2)}, [](auto x, auto c) { return bl::flip(x, c[0]); });
  keeps<of<float, 2, dyn>>("flip", {axis_of(2), axis_of(2)},
                           [](auto x, auto c) { return bl::flip(x * 2, c[0], c[1]); });
  keeps<of<float, 2, 3>>("select", {{-4, 3}}, [](auto x, auto c) { return bl::select(x, 1_c, c[0]); });
  keeps<of<float, 2, 3, 3>>("select", {axis_of(3), {0, 1}}, [](auto x, auto c) { return bl::select(x, c[0], c[1]); });
  keeps<of<float, 2, 5>>("select", {axis_of(2)}, [](auto x, auto c) { return bl::select(x, c[0], 4_c); });
  keeps<of<float, 2, 5>>("narrow", {{-5, 5}}, [](auto x, auto c) { return bl::narrow(x, 1_c, c[0], 2_c); });
  keeps<of<float, 2, 5>>("narrow", {{-5, 5}, {0, 5}}, [](auto x, auto c) { return bl::narrow(x, 1_c, c[0], c[1]); });
  keeps<of<float, 2, 5>>("narrow", {axis_of(2), {0, 5}}, [](auto x, auto c) { return bl::narrow(x, c[0], c[1], 4_c); });
  keeps<of<float, 3, 3>>("narrow", {axis_of(2)}, [](auto x, auto c) { return bl::narrow(x, c[0], 0_c, 3_c); });
  keeps<of<float, 3, 3>>("narrow", {axis_of(2)}, [](auto x, auto c) { return bl::narrow(x, c[0], 0_c, 2_c); });
  keeps<of<float, 4>>("narrow", {{0, 3}}, [](auto x, auto c) { return bl::narrow(x, 0_c, 4_c, c[0]); });
  keeps<of<float, 0>>("narrow", {{0, 2}, {0, 2}}, [](auto x, auto c) { return bl::narrow(x, 0_c, c[0], c[1]); });
  keeps<of<float, 3, 6>>("windows", {{1, 7}}, [](auto x, auto c) { return bl::windows(x, 1_c, 2_c, c[0]); });
  keeps<of<float, 3, 6>>("windows", {{0, 6}}, [](auto x, auto c) { return bl::windows(x, 1_c, c[0]); });
  keeps<of<float, 3, 6>>("windows", {{1, 8}}, [](auto x, auto c) { return bl::windows(x, 1_c, 6_c, c[0]); });
  keeps<of<float, 3, 6>>("windows", {{0, 6}}, [](auto x, auto c) { return bl::windows(x, 1_c, c[0], 7_c); });
  keeps<of<float, 3, 6>>("windows", {axis_of(2), {1, 7}},
                         [](auto x, auto c) { return bl::windows(x, c[0], 5_c, c[1]); });
  keeps<of<float, 2, 2>>("windows", {axis_of(2)}, [](auto x, auto c) { return bl::windows(x, c[0], 2_c); });
}

BOOST_AUTO_TEST_CASE(slices) {
  keeps<of<float, 2, 5>>("slice", {}, [](auto x, auto) { return bl::slice(x, bl::all, bl::range(0_c, 2_c)); });
  keeps<of<float, 2, 5>>("slice", {{-2, 1}}, [](auto x, auto c) { return bl::slice(x, c[0]); });
  keeps<of<float, 2, 5>>("slice", {{-2, 1}, {-6, 6}, {-6, 6}},
                         [](auto x, auto c) { return bl::slice(x, c[0], bl::range(c[1], c[2])); });
  keeps<of<float, 2, 5>>("range", {}, [](auto x, auto) {
    return bl::slice(x, bl::range(bl::none, bl::none, -1_c), bl::range(-1_c, bl::none, -2_c));
  });
  keeps<of<float, 5>>("range", {{-6, 6}}, [](auto x, auto c) { return bl::slice(x, bl::range(c[0], 0_c)); });
  keeps<of<float, 5>>("range", {{-6, 6}}, [](auto x, auto c) { return bl::slice(x, bl::range(c[0], bl::end)); });
  keeps<of<float, 5>>("range", {{-6, 6}}, [](auto x, auto c) { return bl::slice(x, bl::range(1_c, c[0])); });
  keeps<of<float, 5>>("range", {{-6, 6}}, [](auto x, auto c) { return bl::slice(x, bl::range(4_c, bl::end, c[0])); });
  keeps<of<float, 1>>("range", {{-6, 6}},
                      [](auto x, auto c) { return bl::slice(x, bl::range(bl::none, bl::none, c[0])); });
  keeps<of<float, 5>>("range", {{-6, 6}},
                      [](auto x, auto c) { return bl::slice(x, bl::range(bl::none, bl::none, c[0])); });
  keeps<of<float, 0>>("range", {{-2, 2}, {-2, 2}, {-2, 2}},
                      [](auto x, auto c) { return bl::slice(x, bl::range(c[0], c[1], c[2])); });
  keeps<of<float, dyn, 3>>("range", {}, [](auto x, auto) { return bl::slice(x, bl::range(0_c, 2_c), bl::newaxis); });
  keeps<of<float, 2, 3, 4>>("ellipsis", {{0, 3}}, [](auto x, auto c) { return bl::slice(x, bl::ellipsis, c[0]); });
  keeps<of<float, 2, 3>>("newaxis", {},
                         [](auto x, auto) { return bl::slice(x + x, bl::newaxis, bl::range(1_c, bl::end)); });
  // Arrays of positions among the arguments.
  keeps<of<float, 2, 5, 3>, of<bl::index, 4>>("slice", {{0, 1}},
                                              [](auto x, auto i, auto c) { return bl::slice(x, c[0], i); });
  keeps<of<float, 2, 5, 3>, of<bl::index, 4>>(
      "slice", {}, [](auto x, auto i, auto) { return bl::slice(x + x, i, bl::range(1_c, 3_c), i); });
}

BOOST_AUTO_TEST_CASE(other_extents) {
  keeps<of<float, 2, 3>>("reshape", {{1, 7}}, [](auto x, auto c) { return bl::reshape(x, 3_c, c[0]); });
  keeps<of<float, 2, 3>>("reshape", {}, [](auto x, auto) { return bl::reshape(x, -1); });
  keeps<of<float, 2, 3>>("reshape", {}, [](auto x, auto) { return bl::reshape(x, 3_c, -1_c); });
  keeps<of<float, 2, 3>>("reshape", {{1, 6}, {1, 6}}, [](auto x, auto c) { return bl::reshape(x, c[0], c[1]); });
  keeps<of<float, 1, 1>>("reshape", {{1, 6}, {1, 6}}, [](auto x, auto c) { return bl::reshape(x, c[0], c[1]); });
  keeps<of<float, 0, 3>>("reshape", {{0, 3}}, [](auto x, auto c) { return bl::reshape(x, 3_c, c[0]); });
  keeps<of<float, 0, 3>>("reshape", {{0, 3}}, [](auto x, auto c) { return bl::reshape(x, 0_c, c[0]); });
  keeps<of<float, 2, 3>>("reshape", {{1, 6}}, [](auto x, auto c) { return bl::reshape(x, bl::shape<dyn, 2>(c[0])); });
  keeps<of<float, dyn, 3>>("reshape", {{1, 6}}, [](auto x, auto c) { return bl::reshape(x, 3_c, c[0]); });
  keeps<of<float, 2, dyn>>("eval", {axis_of(2)}, [](auto x, auto c) { return bl::eval(bl::flip(x, c[0])); });
  keeps<of<float, 2, 3>, of<bool, dyn, 1>>("masked_fill", {},
                                           [](auto x, auto m, auto) { return bl::masked_fill(x, m, 1.0f); });
}
