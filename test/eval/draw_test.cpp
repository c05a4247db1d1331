// Pictures of expressions: what is in them, that they are whole, and that those of the documentation are as drawn
// today.
// Build: unoptimised, seldom
#include <broadloom/broadloom.hpp>
#include <broadloom/eval/draw.hpp>
#include <broadloom/linalg.hpp>

#include "pictures.hpp"

namespace bl = broadloom;

BOOST_AUTO_TEST_SUITE(eval_draw)

BOOST_AUTO_TEST_CASE(nodes_stand_in_the_order_of_the_tree_with_types_and_extents) {
  bl::dtensor<float, 2> x(3, 4), column(3, 1);
  bl::dtensor<float, 1> row(4);
  const std::string svg = bl::draw((x + row) * column);
  BOOST_TEST(is_whole(svg));
  BOOST_TEST((texts(svg, "name") == std::vector<std::string>{"mul", "add", "array", "array", "array"}));
  BOOST_TEST((texts(svg, "extent") ==
              std::vector<std::string>{"4", "3", "4", "3", "4", "3", "4", "", "1", "3", ""}));  // the last: the legend
  BOOST_TEST(count(svg, "class=\"repeated\"") == 3);
  check_picture("broadcast", svg);
}

BOOST_AUTO_TEST_CASE(only_what_is_repeated_is_hatched) {
  bl::dtensor<double, 2> x(2, 3);
  BOOST_TEST(count(bl::draw(x + x), "class=\"repeated\"") == 0);
  BOOST_TEST(count(bl::draw(x + 1), "class=\"repeated\"") == 3);  // a number along both axes, and the legend
  // an expanded view says so by itself, without a node above
  BOOST_TEST(count(bl::draw(bl::broadcast_to(x(0), bl::dshape<2>(5, 3))), "class=\"repeated\"") == 2);
  // arguments of a reduction need not have its shape
  BOOST_TEST(count(bl::draw(bl::sum(x, bl::axes<1>)), "class=\"repeated\"") == 0);
}

BOOST_AUTO_TEST_CASE(views_of_expressions_are_views_of_their_arrays) {
  bl::dtensor<float, 2> a(3, 4);
  bl::dtensor<float, 1> b(4);
  const std::string svg = bl::draw(bl::transpose(a + b));
  BOOST_TEST((texts(svg, "name") == std::vector<std::string>{"add", "array", "array"}));
  BOOST_TEST((texts(svg, "extent") == std::vector<std::string>{"3", "4", "3", "4", "3", "4", ""}));
  check_picture("transposed", svg);
}

BOOST_AUTO_TEST_CASE(a_let_that_is_mentioned_again_is_a_name) {
  bl::dtensor<float, 2> x(3, 4);
  auto centred = bl::let(x - bl::mean(x, bl::axes<1>, bl::keepdim));
  const std::string svg = bl::draw(centred / bl::sqrt(bl::mean(centred * centred, bl::axes<1>, bl::keepdim) + 1e-5f));
  BOOST_TEST(is_whole(svg));
  BOOST_TEST(count(svg, ">sub<") == 1);
  BOOST_TEST(count(svg, "name faint") == 2);
  check_picture("normalised", svg);
  // of other arrays it is another
  bl::dtensor<float, 2> y(3, 4);
  const auto of = [](const auto& a) { return bl::let(a * a); };
  BOOST_TEST(count(bl::draw(of(x) + of(y)), "name faint") == 0);
  BOOST_TEST(count(bl::draw(of(x) + of(x)), "name faint") == 1);
}

BOOST_AUTO_TEST_CASE(a_let_whose_tree_is_shared_is_drawn_once) {
  bl::dtensor<float, 2> x(3, 4);
  auto t = bl::let(bl::pointwise([](float v) { return v + 1; }, x));
  const std::string svg = bl::draw(t + t * 2);
  BOOST_TEST(is_whole(svg));
  BOOST_TEST(count(svg, ">let 1<") == 2);
  BOOST_TEST(count(svg, "name faint") == 1);
  BOOST_TEST(count(svg, ">array<") == 1);
}

BOOST_AUTO_TEST_CASE(a_let_of_many_arrays_shows_the_shapes_of_its_functions) {
  bl::dtensor<float, 2> x(4, 4), row(1, 4);
  const auto t = bl::let(x * x + x * row + x / row + x - row + x);
  static_assert(sizeof(t) < 512);  // its copies share the tree
  const std::string svg = bl::draw(t * bl::transpose(t));
  BOOST_TEST(is_whole(svg));
  BOOST_TEST(texts(svg, "type").size() >= 10);
  for (const std::string& type : texts(svg, "type"))
    BOOST_TEST((type == "f32" || type == "repeated: nothing is copied"));
  BOOST_TEST(count(svg, "class=\"repeated\"") == 4);  // the row's first axis three times, and the legend
  const auto nodes = texts(svg, "name").size();
  for (const std::string& extent : texts(svg, "extent")) BOOST_TEST((extent == "4" || extent == "1" || extent == ""));
  BOOST_TEST(texts(svg, "extent").size() == 2 * nodes + 1);
}

BOOST_AUTO_TEST_CASE(all_kinds_of_nodes_are_drawn) {
  bl::dtensor<float, 2> x(3, 3);
  bl::tensor<bool, bl::shape<3>> mask;
  bl::index_array i{0, 2};
  for (const std::string& svg :
       {bl::draw(bl::relu(bl::matmul(x, x) + 1)), bl::draw(bl::where(mask, x, 0)), bl::draw(bl::cumsum(x, 1) * 2),
        bl::draw(bl::take(x, i, 0) + 1), bl::draw(bl::cat(0, x, x)), bl::draw(bl::cast<int>(x)),
        bl::draw(bl::pointwise([](float v) { return v + 1; }, x)), bl::draw(x), bl::draw(bl::softmax(x, 1)),
        bl::draw(bl::dtensor<float, 1>{1, 2} + 1), bl::draw(bl::sum(x))})
    BOOST_TEST(is_whole(svg));
}

BOOST_AUTO_TEST_CASE(nothing_is_computed) {
  bl::dtensor<float, 1> x{1, 2};
  int calls = 0;
  bl::draw(bl::pointwise([&](float v) { return static_cast<float>(++calls) + v; }, x));
  BOOST_TEST(calls == 0);
}

BOOST_AUTO_TEST_SUITE_END()
