// Batches: every row once and in order, from arrays and callables to arrays and callables, however many are in flight.
#include <broadloom/tensor/batches.hpp>

#include <boost/test/unit_test.hpp>
#include <optional>
#include <stdexcept>
#include <vector>

#include <broadloom/broadloom.hpp>
#include <broadloom/eval/scheduler.hpp>

namespace bl = broadloom;

namespace {

template <class F>
void on_both_schedulers(const F& f) {
  for (const bl::scheduler s : {bl::scheduler::tbb, bl::scheduler::threads}) {
    bl::set_scheduler(s);
    f();
  }
  bl::set_scheduler(bl::scheduler::tbb);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(tensor_batches)

BOOST_AUTO_TEST_CASE(from_an_array_to_an_array) {
  on_both_schedulers([] {
    for (const bl::index n : {0, 1, 7, 100})
      for (const bl::index rows : {0, 1, 3, 100, 1000})
        for (const int in_flight : {0, 1, 2, 5}) {
          bl::dtensor<float, 2> x(n, 4), o(n, 4);
          for (bl::index i = 0; i < x.size(); ++i) x.data()[i] = static_cast<float>(i);
          bl::for_each_batch(x, [](const auto& b) { return b * 2 + bl::sum(b, bl::axes<1>, bl::keepdim); }, o,
                             {rows, in_flight});
          BOOST_TEST(bl::all(o == x * 2 + bl::sum(x, bl::axes<1>, bl::keepdim)).item());
        }
  });
}

BOOST_AUTO_TEST_CASE(from_a_callable_to_a_callable_in_order) {
  on_both_schedulers([] {
    int made = 0;
    std::vector<float> got;
    bl::for_each_batch(
        [&]() -> std::optional<bl::dtensor<float, 1>> {
          if (made == 50) return std::nullopt;
          return bl::dtensor<float, 1>(bl::full<float>(bl::dshape<1>(100), static_cast<float>(made++)));
        },
        [](const auto& b) { return bl::sum(b); }, [&](const auto& r) { got.push_back(r.item()); }, {.in_flight = 4});
    BOOST_TEST(got.size() == 50u);
    for (std::size_t i = 0; i < got.size(); ++i) BOOST_TEST(got[i] == 100 * static_cast<float>(i));
  });
}

BOOST_AUTO_TEST_CASE(an_exception_of_any_part_ends_it) {
  on_both_schedulers([] {
    const bl::dtensor<float, 2> x = bl::ones<float>(100, 3);
    bl::dtensor<float, 2> o(100, 3);
    const auto throws_at = [&](int part) {
      int batches = 0;
      bl::index next = 0;
      bl::for_each_batch(
          [&]() -> std::optional<bl::dtensor<float, 2>> {
            if (part == 0 && next >= 40) throw std::runtime_error("read");
            if (next >= 100) return std::nullopt;
            next += 10;
            return bl::dtensor<float, 2>(bl::ones<float>(10, 3));
          },
          [&](const auto& b) {
            if (part == 1) throw std::runtime_error("compute");
            return b + 1;
          },
          [&](const auto&) {
            if (part == 2 && ++batches == 3) throw std::runtime_error("write");
          });
    };
    for (int part = 0; part < 3; ++part) BOOST_CHECK_THROW(throws_at(part), std::runtime_error);
    throws_at(3);
    // a result that does not fit
    BOOST_CHECK_THROW(bl::for_each_batch(
                          x, [](const auto& b) { return bl::slice(b, bl::all, bl::range(0, 2)); }, o),
                      bl::shape_error);
  });
}

BOOST_AUTO_TEST_SUITE_END()
