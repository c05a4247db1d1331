// Evaluating into an existing output allocates nothing that grows with it, and small arrays nothing at all. This
// program counts every block that it or the library asks for.
#include <broadloom/broadloom.hpp>
#include <broadloom/eval/scheduler.hpp>

#include <boost/test/unit_test.hpp>

#include "law/counted_memory.hpp"

namespace bl = broadloom;

namespace {

bl::dtensor<float, 2> noise(bl::index rows, bl::index columns) {
  bl::generator g(1);
  return bl::rand<float>(g, bl::dshape<2>(rows, columns));
}

constexpr long fixed = 4 << 20;  // scratch of every thread, whatever the arrays' size

}  // namespace

BOOST_AUTO_TEST_SUITE(law_allocation)

BOOST_AUTO_TEST_CASE(the_counting_counts) {
  BOOST_TEST(of([] { bl::dtensor<float, 1> x(100); }).bytes >= 400);
#if defined(BROADLOOM_COUNTS_MAPPINGS)
  bl::runtime::trim();
  BOOST_TEST(of([] { bl::dtensor<float, 1> x(10000000); }).bytes >= 40000000);
  bl::runtime::trim();
#endif
}

BOOST_AUTO_TEST_CASE(small_dynamic_arrays_allocate_nothing_at_all) {
  const auto a = noise(4, 4), b = noise(4, 4), c = noise(4, 4);
  auto o = noise(4, 4);
  const bl::dtensor<float, 1> row = bl::arange<float>(4.f);
  const auto expressions = [&] {
    o = a + b * c;
    o += a;
    o = bl::where(a < b, a, row);
    o = a.T() + b * 2.f;
    o = bl::sqrt(bl::maximum(a, row));
  };
  expressions();  // a thread's scratch comes with the first evaluation that needs it
  const cost first = of(expressions);
  BOOST_TEST(first.blocks == 0);
  BOOST_TEST(of([&] { o = bl::exp(a) * b; }).blocks == 0);
}

BOOST_AUTO_TEST_CASE(static_arrays_allocate_nothing_at_all) {
  bl::tensor<float, bl::shape<4, 4>> a, b, o;
  a = 2;
  b = 3;
  BOOST_TEST(of([&] {
               o = a + b * o;
               o = o.T() - a;
               bl::tensor<float, bl::shape<4, 4>> r = a * b;
               o += r;
             }).blocks == 0);
  bl::tensor<float, bl::shape<40, 30>> x, y;
  BOOST_TEST(of([&] { y = x * 2 + y; }).blocks == 0);
}

BOOST_AUTO_TEST_CASE(building_a_tree_allocates_nothing) {
  const auto a = noise(40, 40);
  BOOST_TEST(of([&] {
               const auto e = bl::flip(bl::exp(a + a.T() * 2), 0);
               static_cast<void>(e(3, 4));
             }).blocks == 0);
}

BOOST_AUTO_TEST_CASE(large_evaluations_into_an_existing_output_allocate_nothing_that_grows) {
  const auto run = [](bl::index n, const bl::policy& p) {
    const auto a = noise(n, n), b = noise(n, n);
    const auto row = noise(1, n), column = noise(n, 1);
    auto o = noise(n, n);
    return of([&] {
             bl::assign(o, a + b * row, p);
             bl::assign(o, a.T() * column + b, p);
             bl::assign(o, bl::exp(a) * bl::tanh(b + column), p);
             bl::assign(o, o + a, p);
             bl::assign(o.T(), bl::where(a > b, column, row), p);
             bl::assign(bl::slice(o, bl::all, bl::range(0, bl::end, 2)),
                        bl::slice(a, bl::all, bl::range(1, bl::end, 2)), p);
           })
        .bytes;
  };
  for (const auto runs : {bl::scheduler::tbb, bl::scheduler::threads}) {
    bl::set_scheduler(runs);
    for (const bl::policy& p : {bl::seq, bl::par.threads(2), bl::par.threads(8)}) {
      run(300, p);
      BOOST_TEST(run(500, p) < fixed);
      BOOST_TEST(run(2000, p) < fixed);  // arrays of 16 MB
    }
  }
  bl::set_scheduler(bl::scheduler::tbb);
}

BOOST_AUTO_TEST_CASE(an_overlap_costs_no_more_than_what_overlaps) {
  auto x = noise(2000, 2000);
  const long row = 8000;
  bl::assign(x, x + 1, bl::seq);
  BOOST_TEST(of([&] { bl::assign(x, x * 2, bl::seq); }).bytes < fixed);                              // the same place
  BOOST_TEST(of([&] { bl::assign(x, x + bl::select(x, 0, 5), bl::seq); }).bytes < row + fixed / 4);  // one row
#if defined(BROADLOOM_COUNTS_MAPPINGS)
  bl::runtime::trim();
  const long copied = of([&] { bl::assign(x, x + x.T(), bl::seq); }).bytes;
  const long whole = 16000000;
  BOOST_TEST(copied >= whole);
  BOOST_TEST(copied < 2 * whole);
#endif
}

BOOST_AUTO_TEST_SUITE_END()
