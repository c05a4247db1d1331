// Evaluations beside other work: results, exceptions, stops, and lifetimes of what they hold, on both schedulers.
// Build: sanitizers-alone
#include <broadloom/eval/async.hpp>

#include <atomic>
#include <boost/test/unit_test.hpp>
#include <stdexcept>
#include <utility>
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

bl::dtensor<float, 1> numbers(bl::index n) { return bl::arange<float>(static_cast<float>(n)); }

}  // namespace

BOOST_AUTO_TEST_SUITE(eval_async)

BOOST_AUTO_TEST_CASE(the_output_is_what_assign_gives) {
  on_both_schedulers([] {
    const auto x = numbers(100000);
    bl::dtensor<float, 1> o(100000), part(100000);
    auto e = bl::async(o, bl::sqrt(x) * 2 + bl::sum(x));
    e.get();
    BOOST_TEST(bl::all(o == bl::sqrt(x) * 2 + bl::sum(x)).item());
    // into a view; a tree that owns its array
    auto f = bl::async(bl::slice(part, bl::range(10, 20)), numbers(10) + 1);
    f.wait();
    BOOST_TEST(f.ready());
    f.get();
    BOOST_TEST(part(19) == 10);
    BOOST_TEST(part(20) == 0);
  });
}

BOOST_AUTO_TEST_CASE(many_at_once_each_to_its_row) {
  on_both_schedulers([] {
    const auto x = numbers(300);
    bl::dtensor<float, 2> o(64, 300);
    std::vector<bl::evaluation> all;
    for (bl::index i = 0; i < 64; ++i)
      all.push_back(bl::async(bl::select(o, 0, i), x * static_cast<float>(i), bl::seq));
    for (auto& e : all) e.get();
    for (bl::index i = 0; i < 64; ++i) BOOST_TEST(o(i, 299) == 299 * static_cast<float>(i));
  });
}

BOOST_AUTO_TEST_CASE(shapes_are_refused_at_once_and_other_exceptions_by_get) {
  on_both_schedulers([] {
    bl::dtensor<float, 1> o(3);
    BOOST_CHECK_THROW(static_cast<void>(bl::async(o, numbers(4) + 1)), bl::shape_error);
    auto e = bl::async(o, bl::pointwise([](float) -> float { throw std::runtime_error("callable"); }, numbers(3)));
    BOOST_CHECK_THROW(e.get(), std::runtime_error);
    BOOST_TEST(e.ready());
    e.get();  // nothing any more
    // An exception that nobody asks for is lost with the handle.
    static_cast<void>(
        bl::async(o, bl::pointwise([](float) -> float { throw std::runtime_error("lost"); }, numbers(3))));
  });
}

BOOST_AUTO_TEST_CASE(a_stop_ends_it) {
  on_both_schedulers([] {
    std::atomic<bl::index> calls{0};
    std::atomic<bool> go{false};
    bl::dtensor<float, 1> o(2000000);
    auto e = bl::async(o, bl::pointwise(
                              [&](float x) {
                                ++calls;
                                while (!go) {
                                }
                                return x;
                              },
                              numbers(2000000)));
    while (calls == 0) {
    }
    e.stop();
    go = true;
    BOOST_CHECK_THROW(e.get(), bl::stopped);
    BOOST_TEST(calls < 2000000);
  });
}

BOOST_AUTO_TEST_CASE(handles_move_and_wait_when_they_end) {
  on_both_schedulers([] {
    bl::dtensor<float, 1> o(1000), p(1000);
    {
      auto e = bl::async(o, numbers(1000) + 1);
      bl::evaluation moved = std::move(e);
      BOOST_TEST(e.ready());
      moved = bl::async(p, numbers(1000) + 2);
    }
    BOOST_TEST(o(999) == 1000);
    BOOST_TEST(p(999) == 1001);
  });
}

BOOST_AUTO_TEST_SUITE_END()
