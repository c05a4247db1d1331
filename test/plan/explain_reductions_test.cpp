// Which loops a reduction runs, and where its elements come from, as explain() says.
// Build: optimised, clang-too, not-sanitized (it asks which loops run, not what they do)
#include <broadloom/broadloom.hpp>
#include <broadloom/core/isa.hpp>
#include <broadloom/linalg.hpp>

#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <string>
#include <vector>

namespace bl = broadloom;

namespace {

// `e` is reduced by these loops, one a pass that reduces.
template <class E>
void check(const E& e, const std::vector<std::string>& wanted, const bl::policy& how = bl::seq) {
  auto out = bl::eval(e);
  std::vector<std::string> loops;
  for (const bl::planned_pass& pass : bl::explain(out, e, how).passes)
    if (const bl::planned_reduction& x = pass.reduced; !x.loops.empty()) loops.push_back(x.loops + ", " + x.elements);
  BOOST_TEST(loops == wanted, boost::test_tools::per_element());
}

template <class T = float, class... N>
auto counted(N... n) {
  bl::dtensor<T, sizeof...(N)> x{bl::dshape<sizeof...(N)>{bl::index(n)...}};
  for (bl::index i = 0; i < x.size(); ++i) x.data()[i] = static_cast<T>(i % 100 + 1);
  return x;
}

const char in_place[] = ", read in place", first[] = ", evaluated first", same_loop[] = ", computed in the same loop",
           terms[] = ", terms as they are reduced";
std::string rows(const char* elements) { return std::string("rows") + elements; }
std::string columns(const char* elements) { return std::string("columns") + elements; }

}  // namespace

BOOST_AUTO_TEST_SUITE(plan_explain_reductions)

BOOST_AUTO_TEST_CASE(rows_of_arrays_and_of_expressions) {
  const auto a = counted(300, 700), b = counted(300, 700);
  const auto few = counted(8, 100);
  for (const bl::policy& how : {bl::seq, bl::par.threads(2)}) {
    check(bl::sum(a, bl::axes<1>), {rows(in_place)}, how);
    check(bl::amax(a, bl::axes<1>), {rows(in_place)}, how);
    check(bl::sum(a * b, bl::axes<1>), {rows(same_loop)}, how);
    check(bl::sum(bl::exp(a), bl::axes<1>), {rows(first)}, how);
    check(bl::sum(a.T() + b.T(), bl::axes<0>), {rows(same_loop)}, how);
  }
  check(bl::sum(few, bl::axes<1>), {rows(in_place)});
  check(bl::sum(few * 2, bl::axes<1>), {"short rows, evaluated first"});
  check(bl::sum(counted(30000, 5) * 2, bl::axes<1>), {"short rows, evaluated first"});
  if (bl::runtime::active_isa() != bl::isa::base) {
    check(bl::amax(bl::abs(counted(30, 64) - counted(64)), bl::axes<1>), {rows(terms)});
    check(bl::sum(bl::abs(counted(30000, 64)), bl::axes<1>), {rows(terms)});
    check(bl::sum(counted(100, 500) * counted(100, 500), bl::axes<1>), {rows(terms)});
    check(bl::sum(bl::square(counted(30000, 31) - counted(31)), bl::axes<1>), {rows(terms)});
    check(bl::sum(counted(3000, 512) * counted(3000, 512), bl::axes<1>), {rows(same_loop)});
  }
  check(bl::sum(counted<std::int32_t>(300, 700), bl::axes<1>), {rows(", widened as they are added")});
  check(bl::sum(counted<std::int32_t>(30000, 20), bl::axes<1>), {rows(", widened as they are added")});
  check(bl::sum(bl::square(counted<std::int32_t>(30, 40) - counted<std::int32_t>(40)), bl::axes<1>),
        {rows(", widened as they are added")});
}

BOOST_AUTO_TEST_CASE(long_rows_are_cut_into_parts) {
  const auto a = counted(2, 100000);
  for (const bl::policy& how : {bl::seq, bl::par.threads(2)}) {
    check(bl::sum(a, bl::axes<1>), {rows(in_place)}, how);
    check(bl::sum(a * a, bl::axes<1>), {rows(same_loop)}, how);
    check(bl::sum(bl::exp(a), bl::axes<1>), {rows(first)}, how);
  }
  const auto x = bl::explain(bl::sum(a, bl::axes<1>), bl::par.threads(2)).passes[0].reduced;
  BOOST_TEST((x.results == 2 && x.length == 100000 && x.part < x.length && x.part % 16384 == 0 && x.threads == 2));
}

BOOST_AUTO_TEST_CASE(columns_of_arrays_and_of_expressions) {
  const auto a = counted(700, 300), b = counted(700, 300);
  for (const bl::policy& how : {bl::seq, bl::par.threads(2)}) {
    check(bl::sum(a, bl::axes<0>), {columns(in_place)}, how);
    // A line of results is 64 bytes, as are the vectors of kernels for AVX-512.
    check(bl::sum(a + b, bl::axes<0>), {columns(bl::runtime::active_isa() == bl::isa::v4 ? same_loop : first)}, how);
    check(bl::sum(bl::narrow(a + b, 1, 3, 200), bl::axes<0>), {columns(first)}, how);
    check(bl::sum(a * b, bl::axes<0>), {columns(terms)}, how);
    check(bl::sum(bl::square(a - counted(300)), bl::axes<0>), {columns(terms)}, how);
    check(bl::argmax(a, bl::axes<0>), {"indices of columns, read in place"}, how);
    check(bl::argmax(a * b, bl::axes<0>), {"indices of columns, evaluated first"}, how);
  }
  check(bl::sum(counted(8, 8), bl::axes<0>), {columns(in_place)});
  // Of windows, their first axis has been reduced before, and then columns are rows of 18 elements.
  check(bl::amax(bl::windows(bl::windows(counted(90, 90), 0, 18), 1, 18), bl::axes<-2, -1>), {rows(in_place)});
  check(bl::sum(counted(8, 8) * 2, bl::axes<0>), {columns(first)});
}

BOOST_AUTO_TEST_CASE(indices_of_rows) {
  const auto a = counted(300, 700);
  check(bl::argmax(a, bl::axes<1>), {"indices, read in place"});
  check(bl::argmax(a * 2, bl::axes<1>), {"indices, evaluated first"});
  check(bl::argmin(counted(2, 100000), bl::axes<1>), {"indices, read in place"}, bl::par.threads(2));
}

BOOST_AUTO_TEST_CASE(sums_over_pairs) {
  const auto a = counted(200, 1, 64), b = counted(1, 300, 64);
  for (const bl::policy& how : {bl::seq, bl::par.threads(2)}) {
    check(bl::sum(bl::square(a - b), bl::axes<2>), {std::string("contraction") + same_loop}, how);
    check(bl::amax(a - b, bl::axes<2>), {std::string("tiles") + same_loop}, how);
    check(bl::amax(bl::expand_dims(counted(300, 64), 0) * 2 - a, bl::axes<2>),
          {std::string("turned tiles") + same_loop}, how);
  }
}

BOOST_AUTO_TEST_CASE(several_barriers_by_cached_rows) {
  const auto a = counted(400, 1000);
  const auto e = bl::softmax(a, bl::axes<1>);
  check(e, {rows(in_place), rows(", computed by the function that adds them up")});
  check(a - bl::mean(a, bl::axes<1>, bl::keepdim), {rows(in_place)});
  check(a / bl::sqrt(bl::mean(bl::square(a), bl::axes<1>, bl::keepdim)), {rows(terms)});
  check(a / bl::sum(bl::square(a) + a, bl::axes<1>, bl::keepdim), {rows(same_loop)});
  check(a / bl::sum(bl::sin(bl::cos(a)), bl::axes<1>, bl::keepdim), {rows(first)});
}

BOOST_AUTO_TEST_CASE(several_barriers_by_blocks_of_rows) {
  const auto normal = [](const auto& x) { return x - bl::mean(x, bl::axes<1>, bl::keepdim); };
  const auto x = bl::explain(normal(counted(20000, 40)), bl::seq);
  BOOST_TEST((x.routes == bl::list<std::string>{"barriers by blocks of rows"}));
  check(normal(counted(5 * x.rows_at_once, 40)), {rows(in_place)});  // without a smaller block at the end
}

BOOST_AUTO_TEST_CASE(whole_barriers) {
  const auto a = counted(700, 300);
  check(a - bl::mean(a, bl::axes<0>, bl::keepdim), {columns(in_place)});
  check((a - bl::mean(a, bl::axes<0>, bl::keepdim)) / bl::std(a, bl::axes<0>, bl::keepdim),
        {columns(in_place), columns(terms)});
}

BOOST_AUTO_TEST_CASE(barriers_on_the_stack) {
  const auto a = counted(4, 16);
  check(bl::softmax(a, bl::axes<1>), {rows(in_place), rows(", computed by the function that adds them up")});
  check(a - bl::mean(a, bl::axes<1>, bl::keepdim), {rows(in_place)});
  check(a / bl::sum(a * 2, bl::axes<0>, bl::keepdim), {columns(first)});
  check(a / bl::sum(bl::sin(bl::cos(a)), bl::axes<1>, bl::keepdim), {rows(first)});
}

BOOST_AUTO_TEST_CASE(all_elements_to_one) {
  for (const bl::policy& how : {bl::seq, bl::par.threads(2)}) {
    for (const int n : {8, 100, 512}) {
      const auto a = counted(n), b = counted(n);
      check(a / bl::sum(a), {rows(in_place)}, how);
      check(a / bl::sum(a * b), {rows(terms)}, how);
      check(a / bl::amax(a * b - a), {rows(first)}, how);
      check(a / bl::sum(bl::exp(a)), {rows(first)}, how);
      check(counted(n, 2) / bl::sum(counted(n, 2)), {rows(in_place)}, how);
    }
    for (const int n : {600, 8192, 20000, 65536}) {
      const auto a = counted(n), b = counted(n);
      check(a / bl::sum(a), {rows(in_place)}, how);
      check(a / bl::sum(a * b), {rows(n > 8192 ? same_loop : terms)}, how);
      check(a / bl::amax(a * b - a), {rows(same_loop)}, how);
      check(a / bl::sum(bl::exp(a)), {rows(n > 16384 ? first : ", computed by the function that adds them up")}, how);
    }
    const auto large = counted(500000);
    check(large / bl::sum(large), {rows(in_place)}, how);
    check(large / bl::sum(large * large), {rows(same_loop)}, how);
    check(large - bl::mean(bl::square(large - bl::mean(large))), {rows(in_place), rows(same_loop)}, how);
    check(large + bl::cast<float>(bl::argmax(large)), {"indices, read in place"}, how);
    check(bl::sum(counted(300, 1) * counted(1, 300)) + large, {rows(first)}, how);
  }
}

BOOST_AUTO_TEST_CASE(it_prints) {
  const auto a = counted(300, 700);
  const std::string s = bl::to_string(bl::explain(bl::sum(a, bl::axes<1>), bl::seq));
  BOOST_TEST(s.find("rows, read in place: 300 results of 700 elements") != std::string::npos, s);
}

BOOST_AUTO_TEST_SUITE_END()
