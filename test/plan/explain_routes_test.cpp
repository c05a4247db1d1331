// Which way evaluations take, as explain() says: it asks the functions that decide when they run.
// Build: optimised, clang-too, not-sanitized (it asks which loops run, not what they do)
#include <broadloom/broadloom.hpp>
#include <broadloom/linalg.hpp>

#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "streaming.hpp"

namespace bl = broadloom;

namespace {

using names = std::vector<std::string>;

int cases = 0;
// `e` is evaluated into `out` by the steps `wanted`.
template <class Out, class E>
void check(Out&& out, const E& e, const names& wanted, const bl::policy& how = bl::par) {
  const auto x = bl::explain(out, e, how);
  const names said(x.routes.begin(), x.routes.end());
  BOOST_TEST(said == wanted, boost::test_tools::per_element());
  ++cases;
}

template <class T = float, class... N>
auto counted(N... n) {
  bl::dtensor<T, sizeof...(N)> x{bl::dshape<sizeof...(N)>{bl::index(n)...}};
  for (bl::index i = 0; i < x.size(); ++i) x.data()[i] = static_cast<T>(i % 100 + 1);
  return x;
}

// Restores the level.
struct level {
  explicit level(bl::isa l) : before(bl::runtime::active_isa()), now(bl::set_isa(l)) {}
  ~level() { bl::set_isa(before); }
  level(const level&) = delete;
  bl::isa before, now;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(plan_explain_routes)

BOOST_AUTO_TEST_CASE(static_shapes_take_the_static_kernel) {
  bl::tensor<float, bl::shape<8, 4>> a, b, o;
  a = 1.F;
  b = 2.F;
  const auto x = bl::explain(o, a + b * 2);
  BOOST_TEST((x.routes.size() == 1u && x.routes[0] == "static kernel"));
}

// Whether kernels for AVX-512 take fewer elements than a vector.
#if defined(__x86_64__) && !defined(__clang__) && defined(__OPTIMIZE__)
constexpr bool some_lanes = true;
#else
constexpr bool some_lanes = false;
#endif

BOOST_AUTO_TEST_CASE(few_elements_of_equal_extents_take_one_call) {
  for (const bl::isa l : bl::runtime::every_isa) {
    const level set(l);
    for (int n : {1, 3, 4, 8, 16, 17, 20, 31, 64, 100, 8192}) {
      auto a = counted(n), b = counted(n), c = counted(n), d = counted(n), o = counted(n);
      const int lanes = set.now >= bl::isa::v4 ? 16 : set.now >= bl::isa::v3 ? 8 : 4;
      const names way{n % lanes == 0 ? "one call of the kernel" : "one call of the kernel and one for the tail"};
      const names once{"one call of the kernel for one vector"};
      const bool at_once = some_lanes && lanes == 16 && n <= lanes;
      check(o, -a, at_once ? once : way);
      check(o, a + b, at_once ? once : way);
      check(o, a + b * c, at_once ? once : way);
      check(o, a + b * c - d, way);
      check(o, a * 2, at_once ? once : way);
      check(a, a + b, at_once ? once : names{"one call of the kernel in place"});
      check(a, a + 1, at_once ? once : names{"one call of the kernel in place"});
    }
    auto a = counted(4, 8), b = counted(4, 8), o = counted(4, 8);
    check(o, a + b, {"one call of the kernel"});
    check(o, a + b * a, {"one call of the kernel"});
    auto cube = counted(2, 4, 8), other = counted(2, 4, 8);
    check(other, cube * 2 + cube, {"one call of the kernel"});
  }
  auto x = counted(300), o = counted(300), large = counted(8193), to = counted(8193);
  check(o, bl::exp(x), {"one call of the function"});
  check(to, large * 2, {"flat blocks"});
}

BOOST_AUTO_TEST_CASE(few_elements_that_broadcast) {
  for (const bl::isa l : bl::runtime::every_isa) {
    const level set(l);
    auto a = counted(4, 8), o = counted(4, 8), column = counted(4, 1);
    auto row = counted(8);
    const names way{set.now == bl::isa::base ? "one call for each row" : "rows of one vector in one call"};
    check(o, a * column + row, way);
    check(o, column + row, way);
    check(o, a + row, way);
    check(o, a * column, way);
    check(a, a + row, way);
  }
  auto a = counted(5, 100), o = counted(5, 100), column = counted(5, 1), row = counted(1, 100);
  check(o, a * column + row, {"one call for each row"});
  auto single = counted(1);
  check(o, a + single, {"one call of the kernel"});
  check(o, a * single + row, {"one call for each row"});
  auto tall = counted(40, 3), to = counted(40, 3);
  auto three = counted(3);
  check(to, tall * three + three, {"materialized rows in one call"});
  auto line = counted(64), one = counted(1), out = counted(64);
  check(out, line + one * line, {"one call for each row"});
}

BOOST_AUTO_TEST_CASE(few_elements_with_strides_go_over_the_stack) {
  auto a = counted(5, 7), t = counted(7, 5), o = counted(5, 7);
  const names stack{"materialized on the stack"};
  check(o, a + t.T(), stack);
  check(o.T(), t * 2, stack);
  check(o, bl::exp(a * 2) + t.T(), stack);
  check(bl::flip(o, 0, 1), a + 1, stack);
  auto cube = counted(2, 3, 4), out = counted(2, 3, 4);
  auto plane = counted(3, 4);
  check(out, cube + plane, stack);
}

BOOST_AUTO_TEST_CASE(nests_go_by_their_blocks) {
  auto a = counted(300, 400), o = counted(300, 400), column = counted(300, 1);
  auto row = counted(400);
  check(o, a * 2, {"flat blocks"});
  check(o, a + row, {"blocks of rows"});
  check(o, a * column + row, {"blocks of rows"});
  auto t = counted(400, 300);
  check(o, a + t.T(), {"tiles"});
  auto narrow = counted(5000, 10), to = counted(5000, 10);
  auto ten = counted(10);
  check(to, narrow + ten, {"merged rows"});
  auto big = counted(4000, 4000), out = counted(4000, 4000);
  auto long_row = counted(4000);
  check(out, big * 2, {"flat blocks"});
  check(out, big + long_row, {"blocks of rows"});
  check(out, big.T() + 1, {"tiles"});
  check(out, big.T() + 1, {"tiles"}, bl::seq);
  auto thin = counted(2000000, 8), thin_out = counted(2000000, 8);
  auto eight = counted(8);
  check(thin_out, thin + eight, {"merged rows"});
  // Large ones are written by streaming stores, small ones are not.
  BOOST_TEST((bl::explain(out, big * 2).streamed && bl::explain(out, big + long_row).streamed &&
              bl::explain(out, big.T() + 1).streamed && bl::explain(thin_out, thin + eight).streamed));
  BOOST_TEST((!bl::explain(o, a * 2).streamed && !bl::explain(to, narrow + ten).streamed));
  // What goes by way of a strip, as what a function gives, is not unless it takes less time than memory, nor is a copy
  // of elements that lie apart.
  for (const bl::isa l : bl::runtime::every_isa) {
    const level set(l);
    const bool is_quick = bl::runtime::active_isa() >= bl::isa::v4;
    BOOST_TEST(bl::explain(out, bl::exp(big)).streamed == is_quick);
    BOOST_TEST(bl::explain(out, bl::atan2(big + long_row, big)).streamed == is_quick);
    BOOST_TEST(bl::explain(out, bl::flip(big, 1)).streamed == is_quick);
    BOOST_TEST(bl::explain(out, bl::exp(big) * 2).streamed);
    BOOST_TEST(bl::explain(out, bl::flip(big, 1) + big).streamed);
    BOOST_TEST(bl::explain(out, big.T()).streamed);
  }
}

BOOST_AUTO_TEST_CASE(steps_before_the_nest) {
  auto a = counted(200, 100), b = counted(200, 100), o = counted(200, 100);
  auto row = counted(100);
  check(o, bl::exp(a) * b + bl::exp(a), {"shared stages", "flat blocks"});
  check(o, bl::exp(row) * a, {"hoisted part", "flat blocks", "merged rows"});
  check(o, bl::exp(row) * bl::log(a) + bl::log(a), {"shared stages", "hoisted part", "flat blocks", "merged rows"});
  auto square = counted(100, 100);
  check(square, square.T() + 1, {"copied operands", "flat blocks"});
  const auto shifted = bl::slice(o, bl::range(0, 199));
  check(shifted, bl::slice(o, bl::range(1, 200)) * 2, {"copied operands", "flat blocks"});
  check(shifted, bl::exp(bl::slice(o, bl::range(1, 200))) + bl::slice(o, bl::range(1, 200)),
        {"copied result", "flat blocks"});
}

BOOST_AUTO_TEST_CASE(barriers) {
  auto a = counted(8, 16), o = counted(8, 16), column = counted(8, 1);
  auto row = counted(16);
  check(o, a / bl::sum(a), {"scalars first", "one call of the kernel"});
  check(o, a / bl::sum(a, bl::axes<1>, bl::keepdim), {"barriers on the stack", "materialized on the stack"});
  check(o, a - bl::mean(a, bl::axes<0>), {"barriers on the stack", "materialized on the stack"});
  auto more = counted(16, 48), centred = counted(16, 48);
  check(centred, more - bl::mean(more, bl::axes<0>), {"barriers on the stack", "materialized on the stack"});
  check(row, bl::sum(a, bl::axes<0>), {"barrier in the output"});
  check(column, bl::sum(a, bl::axes<1>, bl::keepdim), {"barrier in the output"});
  auto x = counted(4000, 300), to = counted(4000, 300), sums = counted(4000, 1);
  check(sums, bl::sum(x, bl::axes<1>, bl::keepdim), {"barrier in the output"});
  check(to, x / bl::sum(x), {"scalars first", "flat blocks"});
  check(to, x - bl::mean(x, bl::axes<0>), {"whole barriers", "blocks of rows"});
  check(to, x / bl::sum(x, bl::axes<1>, bl::keepdim), {"barriers by blocks of rows"});
  auto wide = counted(600, 1024), out = counted(600, 1024);
  check(out, bl::softmax(wide, 1), {"barriers by blocks of rows"});
  {
    const streaming set;
    check(out, bl::softmax(wide, 1), {"barriers by pipelined rows"});
  }
  check(to, bl::cumsum(x, 1) + 1, {"barriers by blocks of rows"});
  check(to.T(), x.T() + bl::sum(x, bl::axes<1>), {"whole barriers", "blocks of rows"});
}

BOOST_AUTO_TEST_CASE(contractions) {
  for (const bl::isa l : bl::runtime::every_isa) {
    const level set(l);
    auto x = counted(60, 20), y = counted(200, 20), o = counted(60, 200);
    const auto u = bl::unsqueeze(x, 1);
    // The reduction's plan says whether it is a contraction.
    const auto contracts = [](bool wanted, auto& out, const auto& e, const names& way,
                              const bl::policy& how = bl::par) {
      check(out, e, way, how);
      BOOST_TEST((bl::explain(out, e, how).passes.at(0).reduced.loops == "contraction") == wanted);
    };
    const names in_output{"barrier in the output"};
    contracts(true, o, bl::sum(bl::square(u - y), bl::axes<2>), in_output);
    contracts(true, o, bl::sum((u - y) * (u - y), bl::axes<2>), in_output);
    contracts(true, o, bl::sum(bl::pow(u - y, 2), bl::axes<2>), in_output);
    contracts(true, o, bl::sum(bl::abs(u - y), -1), in_output, bl::par | bl::fast);
    contracts(true, o, bl::sum(u * y, -1), in_output);
    contracts(true, o, bl::sum(u * bl::unsqueeze(y, 0), -1), in_output, bl::seq);
    contracts(true, o, bl::sqrt(bl::sum(u * y, -1)), {"barriers by blocks of rows"});
    contracts(false, o, bl::sum(bl::pow(u - y, 3), bl::axes<2>), in_output);
    contracts(false, o, bl::sum((u - y) * (u + y), bl::axes<2>), in_output);
    auto few = counted(2, 20), row = counted(2, 200);
    contracts(false, row, bl::sum(bl::unsqueeze(few, 1) * y, -1), in_output);
  }
}

BOOST_AUTO_TEST_CASE(selected_rows_are_summed_where_they_are) {
  auto table = counted(1000, 64), o = counted(300, 64);
  auto line = counted(64);
  auto places = counted<std::int64_t>(300);
  check(o, bl::index_select(table, 0, places) * 2, {"barriers by blocks of rows"});
  check(line, bl::sum(bl::index_select(table, 0, places), bl::axes<0>), {"gathered operands", "barrier in the output"});
}

BOOST_AUTO_TEST_CASE(results_that_write_themselves) {
  auto a = counted(30, 20), b = counted(20, 10), o = counted(30, 10);
  const auto product = bl::explain(o, bl::matmul(a, b));
  BOOST_TEST((product.routes.size() == 1u && product.routes[0] == "by the function itself"));
  check(o, bl::relu(bl::matmul(a, b)), {"barriers on the stack", "materialized on the stack"});
  auto taller = counted(300, 20), more = counted(300, 10);
  check(more, bl::relu(bl::matmul(taller, b)), {"whole barriers", "flat blocks"});
  auto joined = counted(60, 20);
  const auto x = bl::explain(joined, bl::cat(0, a, a));
  BOOST_TEST((x.routes.size() == 1u && x.routes[0] == "by the function itself"));
}

BOOST_AUTO_TEST_CASE(no_elements_take_no_route) {
  auto a = counted(0, 3, 4), o = counted(0, 3, 4);
  check(o, bl::flip(a, 1), {"no elements"});
  BOOST_TEST(cases >= 30);
}

BOOST_AUTO_TEST_SUITE_END()
