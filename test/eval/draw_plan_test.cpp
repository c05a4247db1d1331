// Pictures of plans: they say what explain says, they are whole, and that of the guide is as drawn today.
// Build: unoptimised, seldom
#include <broadloom/broadloom.hpp>
#include <broadloom/eval/draw_plan.hpp>
#include <broadloom/linalg.hpp>

#include "pictures.hpp"

namespace bl = broadloom;

namespace {

// All that a picture writes, a line each.
std::string words(const std::string& svg) {
  std::string all;
  for (auto at = svg.find("<text"); at != std::string::npos; at = svg.find("<text", at + 1)) {
    const auto from = svg.find('>', at) + 1;
    all += svg.substr(from, svg.find('<', from) - from) + "\n";
  }
  return all;
}
bool says(const std::string& svg, const std::string& part) { return words(svg).find(part) != std::string::npos; }

// The plan that the guide prints, whatever machine this is.
bl::explanation plan_of_the_guide() {
  bl::dtensor<float, 2> a(2000, 1000), out(2000, 1000), column(2000, 1);
  bl::dtensor<float, 1> row(1000);
  bl::explanation x = bl::explain(out, a * row + bl::exp(column));
  x.routes = {"hoisted part", "blocks of rows"};
  x.blocks = "rows";
  x.block_count = 125;
  x.block_rows = 16;
  x.block_columns = x.chunk = 1000;
  x.streamed = false;
  x.threads = 2;
  x.level = bl::isa::v4;
  x.lanes = 16;
  x.maths = "";
  return x;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(eval_draw_plan)

BOOST_AUTO_TEST_CASE(loops_steps_parts_blocks_and_bytes_are_in_the_picture) {
  const bl::explanation x = plan_of_the_guide();
  const std::string svg = bl::draw_plan(x);
  BOOST_TEST(is_whole(svg));
  for (const char* part :
       {"add(mul(f32(2000, 1000), f32(1000)), exp(f32(2000, 1)))", "gives (2000, 1000)", "hoisted part",
        "a part over (2000, 1), 8 kB, once", "for 2000", "for 1000", "+4000", "strip: exp(#2)",
        "loop: add(mul(#0, #1), stage 0)", "125 blocks (rows)", "of at most 16 x 1000,", "1000 elements at a time",
        "2 threads, v4, 16 lanes", "8.01 MB", "8 MB", "6000000 calls"})
    BOOST_TEST(says(svg, part), part);
  // a box for each array and loop; hatched where the loop repeats its elements
  int repeated = 0, moving = 0;
  for (const bl::planned_loop& loop : x.loops)
    for (const bl::index step : loop.steps) ++(step == 0 ? repeated : moving);
  BOOST_TEST((repeated == 4 && moving == 6));
  BOOST_TEST(count(svg, "class=\"repeated\"") == repeated);
  check_picture("plan", svg);
}

BOOST_AUTO_TEST_CASE(the_picture_is_that_of_the_explanation) {
  bl::dtensor<float, 2> a(60, 50), out(60, 50);
  const auto soft = bl::softmax(a, bl::axes<1>);
  BOOST_TEST(bl::draw_plan(soft) == bl::draw_plan(bl::explain(soft)));
  BOOST_TEST(bl::draw_plan(out, soft, bl::seq) == bl::draw_plan(bl::explain(out, soft, bl::seq)));
  const std::string svg = bl::draw_plan(out, soft);
  BOOST_TEST(is_whole(svg));
  BOOST_TEST(says(svg, "computed first"));
  for (const bl::planned_pass& pass : bl::explain(out, soft).passes) BOOST_TEST(says(svg, pass.name + " ("), pass.name);
}

BOOST_AUTO_TEST_CASE(all_kinds_of_plans_are_drawn) {
  bl::dtensor<float, 2> big(3000, 700), a(4, 8);
  bl::tensor<float, bl::shape<4>> small;
  bl::dtensor<double, 4> deep(5, 6, 7, 8), deep2(1, 6, 1, 8), deep3(5, 1, 7, 1);
  const auto many = a + a * 2 - a / 3 + a * a + a * 4 - a * 5 + a / 6;
  for (const std::string& svg :
       {bl::draw_plan(big, big + big.T().T() * 2), bl::draw_plan(bl::transpose(big) + 1), bl::draw_plan(small + 1),
        bl::draw_plan(deep + deep2 * deep3), bl::draw_plan(a, a.T().T() + bl::flip(a, 0)), bl::draw_plan(many),
        bl::draw_plan(bl::dtensor<float, 2>(0, 3) + 1), bl::draw_plan(bl::matmul(big, bl::transpose(big)) + 1),
        bl::draw_plan(bl::sum(big)), bl::draw_plan(a, bl::pointwise([](float x) { return x + 1; }, a)),
        bl::draw_plan(bl::explanation{})}) {
    BOOST_TEST(is_whole(svg));
    BOOST_TEST(svg.find("href") == std::string::npos);
    BOOST_TEST(svg.find("<script") == std::string::npos);
  }
  // more arrays than columns: the output is always there
  BOOST_TEST(says(bl::draw_plan(many), "output"));
}

BOOST_AUTO_TEST_CASE(nothing_is_computed) {
  bl::dtensor<float, 1> x{1, 2};
  int calls = 0;
  bl::draw_plan(bl::pointwise([&](float v) { return static_cast<float>(++calls) + v; }, x));
  BOOST_TEST(calls == 0);
}

BOOST_AUTO_TEST_SUITE_END()
