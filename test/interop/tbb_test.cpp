// Evaluations in an arena of oneTBB.
#include <boost/test/unit_test.hpp>
#include <broadloom/broadloom.hpp>
#include <broadloom/eval/async.hpp>
#include <broadloom/eval/scheduler.hpp>
#include <broadloom/eval/stop.hpp>
#include <broadloom/interop/tbb.hpp>
#include <mutex>
#include <set>
#include <support/thrown.hpp>
#include <thread>

namespace bl = broadloom;

namespace {

// The threads that evaluate something large.
template <class Policy>
std::set<int> arena_sizes(const Policy& how) {
  std::set<int> sizes;
  std::mutex mutex;
  const auto noted = [&](float v) {
    const std::lock_guard lock(mutex);
    sizes.insert(oneapi::tbb::this_task_arena::max_concurrency());
    return v;
  };
  bl::dtensor<float, 1> x = bl::ones<float>(1 << 20);
  bl::assign(x, bl::pointwise(noted, x), how);
  return sizes;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(interop_tbb)

BOOST_AUTO_TEST_CASE(an_evaluation_runs_in_the_arena) {
  if (bl::runtime::active_scheduler() != bl::scheduler::tbb) return;
  oneapi::tbb::task_arena three(3), one(1);
  const bl::in_arena in_three(three), in_one(one);
  BOOST_TEST((arena_sizes(bl::par | in_three) == std::set{3}));
  BOOST_TEST((arena_sizes(bl::par | in_one) == std::set{1}));
}

BOOST_AUTO_TEST_CASE(with_what_stops_it_beside_other_work_and_with_errors) {
  oneapi::tbb::task_arena arena(2);
  const bl::in_arena here(arena);
  bl::dtensor<float, 1> x = bl::ones<float>(1000), out(1000);
  bl::async(out, x + 1, bl::par | here).get();
  BOOST_TEST(out(999) == 2);
  std::stop_source source;
  source.request_stop();
  const bl::stop_when token(source.get_token());
  BOOST_CHECK_THROW(bl::assign(out, x, bl::par | token | here), bl::stopped);
  BOOST_CHECK_THROW(bl::assign(out, bl::ones<float>(7), bl::par | here), bl::shape_error);
}

BOOST_AUTO_TEST_SUITE_END()
