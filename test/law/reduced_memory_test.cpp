// Reductions into an existing output take no memory that grows with what they reduce. This program counts every block
// that it or the library asks for.
// Build: unoptimised, gcc-alone
#include <broadloom/broadloom.hpp>
#include <broadloom/eval/scheduler.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

#include <boost/test/unit_test.hpp>

#include "law/counted_memory.hpp"

namespace bl = broadloom;
using namespace bl::literals;

namespace {

bl::dtensor<float, 2> noise(bl::index rows, bl::index columns) {
  bl::generator g(1);
  return bl::rand<float>(g, bl::dshape<2>(rows, columns));
}

constexpr long fixed = 4 << 20;  // scratch of every thread, whatever the arrays' size

}  // namespace

BOOST_AUTO_TEST_SUITE(law_reduced_memory)

BOOST_AUTO_TEST_CASE(peaks_are_seen) {
  BOOST_TEST(peak_of([] {
               bl::dtensor<float, 1> x(100);
               bl::dtensor<float, 1> y(100);
             }) >= 800);
  const long one_after_another = peak_of([] {
    for (int i = 0; i < 100; ++i) bl::dtensor<float, 1> x(1000);
  });
  BOOST_TEST(one_after_another >= 4000);
  BOOST_TEST(one_after_another < 40000);
}

BOOST_AUTO_TEST_CASE(pairwise_distances_need_no_array_of_differences) {
  const auto run = [](bl::index n, bl::index d, const bl::policy& p) {
    const auto x = noise(n, d), y = noise(n, d);
    auto o = noise(n, n);
    return peak_of(
        [&] { bl::assign(o, bl::sum(bl::square(bl::unsqueeze(x, 1_c) - bl::unsqueeze(y, 0_c)), bl::axes<2>), p); });
  };
  for (const bl::policy& p : {bl::seq, bl::par.threads(2), bl::par.threads(8)}) {
    run(100, 16, p);
    // n*m*d is 4 MB, 64 MB and 128 MB
    for (const auto& [n, d] : {std::pair{256, 16}, {512, 64}, {256, 512}}) BOOST_TEST(run(n, d, p) < fixed);
  }
}

BOOST_AUTO_TEST_CASE(an_embedding_bag_needs_no_array_of_rows) {
  const bl::index rows = 5000, columns = 64, bags = 2048, each = 32;  // the rows of all bags are 17 MB
  const auto table = noise(rows, columns), weights = noise(bags, each);
  bl::dtensor<std::int64_t, 2> ids(bags, each);
  for (bl::index i = 0; i < ids.size(); ++i) ids.data()[i] = i * 7919 % rows;
  auto o = noise(bags, columns);
  for (const bl::policy& p : {bl::seq, bl::par.threads(2)}) {
    const auto bag = bl::sum(bl::take(table, ids, 0) * bl::unsqueeze(weights, 2_c), bl::axes<1>);
    BOOST_TEST(peak_of([&] { bl::assign(o, bag, p); }) < fixed);
    float largest = 0;
    for (bl::index b = 0; b < bags; b += 97)
      for (bl::index c = 0; c < columns; ++c) {
        double sum = 0;
        for (bl::index k = 0; k < each; ++k)
          sum += static_cast<double>(table(ids(b, k), c)) * static_cast<double>(weights(b, k));
        largest = std::max(largest, std::abs(o(b, c) - static_cast<float>(sum)));
      }
    BOOST_TEST(largest < 1e-5f);
  }
}

BOOST_AUTO_TEST_CASE(a_join_needs_no_array_for_its_parts) {
  const auto x = noise(1000, 1000), y = noise(1000, 1000);  // 4 MB each
  auto o = noise(1000, 3000), tall = noise(2001, 1000);
  for (const bl::policy& p : {bl::seq, bl::par.threads(2)}) {
    BOOST_TEST(peak_of([&] { bl::assign(o, bl::cat(1, x + y, x * y, x - bl::mean(x, 1_c, bl::keepdim)), p); }) <
               fixed / 2);
    BOOST_TEST((o(3, 1005) == x(3, 5) * y(3, 5)));
    BOOST_TEST(peak_of([&] { bl::assign(tall, bl::cat(0, x * 2.f, bl::sum(x, bl::axes<0>, bl::keepdim), y), p); }) <
               fixed / 2);
    BOOST_TEST((tall(999, 7) == x(999, 7) * 2.f && tall(2000, 7) == y(999, 7)));
  }
}

BOOST_AUTO_TEST_CASE(reductions_fused_with_what_reads_them_keep_blocks_of_rows) {
  const auto run = [](bl::index rows, bl::index columns, const bl::policy& p) {
    const auto x = noise(rows, columns), y = noise(rows, columns);
    auto o = noise(rows, columns);
    auto of_rows = bl::dtensor<float, 1>(rows);
    auto of_columns = bl::dtensor<float, 1>(columns);
    auto one = bl::dtensor<float, 1>(1);
    return of([&] {
             bl::assign(o, bl::softmax(x, 1_c), p);
             bl::assign(o, bl::log_softmax(x, 1_c), p);
             const auto mean = bl::mean(x, 1_c, bl::keepdim);
             bl::assign(o, (x - mean) / bl::sqrt(bl::var(x, 1_c, bl::keepdim) + 1e-5), p);
             bl::assign(o, o / bl::sum(o, bl::axes<1>, bl::keepdim), p);
             bl::assign(o, x / bl::sum(x * y), p);
             bl::assign(o, (x - bl::mean(x, 0_c)) / bl::std(x, 0_c), p);
             bl::assign(of_rows, bl::sum(bl::square(x - y), bl::axes<1>), p);
             bl::assign(of_columns, bl::sum(bl::square(x - y), bl::axes<0>), p);
             bl::assign(of_rows, bl::norm(x, 3.5, 1), p);
             bl::assign(one, bl::sum(x * y), p);
             bl::assign(o, bl::cumsum(x, 1), p);
           })
        .bytes;
  };
  for (const auto runs : {bl::scheduler::tbb, bl::scheduler::threads}) {
    bl::set_scheduler(runs);
    for (const bl::policy& p : {bl::seq, bl::par.threads(2), bl::par.threads(8)}) {
      run(100, 300, p);
      BOOST_TEST(run(500, 500, p) < fixed);
      BOOST_TEST(run(1500, 1500, p) < fixed);  // arrays of 9 MB
    }
  }
  bl::set_scheduler(bl::scheduler::tbb);
}

BOOST_AUTO_TEST_SUITE_END()
