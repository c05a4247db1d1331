// Stopping evaluations: at the next part of the work, on every route, thread count and scheduler, with outputs that are
// old or new everywhere.
// Build: sanitizers-alone
#include <broadloom/eval/stop.hpp>

#include <atomic>
#include <boost/test/unit_test.hpp>
#include <stop_token>

#include <broadloom/broadloom.hpp>
#include <broadloom/eval/scheduler.hpp>
#include <broadloom/linalg.hpp>

namespace bl = broadloom;

namespace {

// Asks for a stop when it has been called so often, and counts on.
struct counting {
  std::atomic<bl::index>* calls;
  bl::index limit;
  const std::stop_source* source;
  float operator()(float x) const {
    if (++*calls == limit) const_cast<std::stop_source*>(source)->request_stop();
    return x + 1;
  }
};

// How often it is asked whether to stop.
struct asked : bl::runtime::stop_check {
  mutable std::atomic<int> times{0};
  asked() : stop_check{[](const stop_check* self) { return ++static_cast<const asked*>(self)->times < 0; }} {}
};

template <class F>
void on_all_threads(const F& f) {
  for (const bl::scheduler s : {bl::scheduler::tbb, bl::scheduler::threads}) {
    bl::set_scheduler(s);
    for (int threads = 1; threads <= 3; ++threads) f(bl::par.threads(threads));
  }
  bl::set_scheduler(bl::scheduler::tbb);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(eval_stop)

BOOST_AUTO_TEST_CASE(asked_before_nothing_is_written) {
  std::stop_source source;
  source.request_stop();
  bl::dtensor<float, 1> x = bl::ones<float>(100000), o = x;
  on_all_threads([&](const bl::policy& p) {
    BOOST_CHECK_THROW(bl::assign(o, x * 2, p | bl::stop_when(source.get_token())), bl::stopped);
    BOOST_CHECK_THROW(static_cast<void>(bl::eval(bl::sum(x), p | bl::stop_when(source.get_token()))), bl::stopped);
    BOOST_CHECK_THROW(bl::assign_all(bl::to(o, x * 2), p | bl::stop_when(source.get_token())), bl::stopped);
    bl::dtensor<float, 1> small{1, 2, 3}, to = small;
    BOOST_CHECK_THROW(bl::assign(to, small * 2, p | bl::stop_when(source.get_token())), bl::stopped);
    BOOST_TEST(to(2) == 3);
  });
  BOOST_TEST(bl::all(o == 1.0f).item());
}

BOOST_AUTO_TEST_CASE(asked_meanwhile_it_ends_soon_and_every_element_is_old_or_new) {
  const bl::index n = 4000000;
  const bl::dtensor<float, 1> x = bl::zeros<float>(n);
  on_all_threads([&](const bl::policy& p) {
    std::stop_source source;
    std::atomic<bl::index> calls{0};
    bl::dtensor<float, 1> o = bl::full<float>(bl::dshape<1>(n), -1);
    const auto e = bl::pointwise(counting{&calls, 10000, &source}, x);
    BOOST_CHECK_THROW(bl::assign(o, e, p | bl::stop_when(source.get_token())), bl::stopped);
    // A part of each thread is finished.
    BOOST_TEST(calls.load() >= 10000);
    BOOST_TEST(calls.load() < n / 4);
    BOOST_TEST(bl::all(o == -1.0f || o == 1.0f).item());
    BOOST_TEST(bl::count_nonzero(o == 1.0f).item() > 0);
  });
}

BOOST_AUTO_TEST_CASE(a_long_sequence_on_one_thread_sees_a_stop_on_the_way) {
  const bl::index n = 32 << 20;
  const bl::dtensor<unsigned char, 1> x = bl::ones<unsigned char>(n);
  const auto count = [&](const auto& f) {
    const asked check;
    bl::runtime::run_controlled(
        &check, nullptr, [](const void* context) { (*static_cast<decltype(&f)>(context))(); }, &f);
    return check.times.load();
  };
  BOOST_TEST(count([&] { BOOST_TEST(bl::eval(bl::amax(x), bl::par.threads(1)).item() == 1); }) >= 4);
  BOOST_TEST(count([&] { BOOST_TEST(bl::eval(bl::amax(x * x), bl::par.threads(1)).item() == 1); }) >= 4);
}

BOOST_AUTO_TEST_CASE(a_stop_that_is_never_asked_for_changes_nothing) {
  std::stop_source source;
  bl::generator g(5);
  const auto x = bl::randn<float>(g, bl::dshape<2>(700, 900));
  const auto a = bl::randn<float>(g, bl::dshape<3>(40, 17, 17)), b = bl::randn<float>(g, bl::dshape<3>(40, 17, 17));
  const bl::tensor soft = bl::softmax(x, 1);
  const bl::tensor sums = bl::sum(x, 0);
  const bl::tensor product = bl::matmul(a, b);
  on_all_threads([&](const bl::policy& p) {
    const bl::stop_when when(source.get_token());
    BOOST_TEST(bl::all(bl::eval(bl::softmax(x, 1), p | when) == soft).item());
    BOOST_TEST(bl::all(bl::eval(bl::sum(x, 0), p | when) == sums).item());
    BOOST_TEST(bl::all(bl::eval(bl::matmul(a, b), p | when) == product).item());
  });
}

BOOST_AUTO_TEST_SUITE_END()
