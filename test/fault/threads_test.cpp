// Threads that come and go: each evaluates, ends, and leaves nothing behind.
// Build: sanitizers-alone
#include <broadloom/eval/scheduler.hpp>

#include <boost/test/unit_test.hpp>

#include <pthread.h>

#include <atomic>
#include <thread>
#include <vector>

#include "fault/failing_memory.hpp"
#include "fault/families.hpp"

namespace threads_test {

namespace bl = broadloom;

struct put_back {
  bl::scheduler former = bl::runtime::active_scheduler();
  ~put_back() { bl::set_scheduler(former); }
};

// Each family once; the results must be these where there are some.
void evaluate(bl::index n, const bl::policy& p, std::vector<float>& results, std::atomic<int>& wrong) {
  std::vector<float> all;
  for (const fault::family& f : fault::all_families()) {
    fault::arrays a(n);
    f.run(a, p);
    for (const float x : a.results()) all.push_back(x);
    all.push_back(static_cast<float>(a.result));
  }
  if (results.empty())
    results = all;
  else
    wrong += results != all;
}

// What is evaluated when a thread's own objects are destroyed, of which some come after the library's.
struct last_wish {
  std::atomic<int>* done = nullptr;
  ~last_wish() {
    if (done == nullptr) return;
    const bl::dtensor<float, 2> x = bl::zeros<float>(70, 900);
    const bl::dtensor<float, 1> sums = bl::sum(bl::exp(x) + 1, bl::axes<1>);
    if (sums(69) == 1800) ++*done;
  }
};
thread_local last_wish wish;

}  // namespace threads_test

using namespace threads_test;

BOOST_FIXTURE_TEST_SUITE(fault_threads, put_back)

BOOST_AUTO_TEST_CASE(memory_of_a_thread_is_given_back_when_it_ends) {
  std::vector<float> results;
  std::atomic<int> wrong{0};
  const auto threads = [&](int count) {
    for (int t = 0; t < count; ++t) std::thread([&] { evaluate(24, bl::seq, results, wrong); }).join();
  };
  threads(3);  // what the C library and Boost keep for good
  const long before = fault::live;
  threads(15);
  BOOST_TEST(fault::live - before == 0);
  BOOST_TEST(wrong == 0);
}

BOOST_AUTO_TEST_CASE(callers_of_parallel_loops_come_and_go) {
  for (const auto by : {bl::scheduler::tbb, bl::scheduler::threads}) {
    bl::set_scheduler(by);
    std::vector<float> results;
    std::atomic<int> wrong{0};
    evaluate(24, bl::par.threads(2), results, wrong);
    const auto rounds = [&](int count) {
      for (int round = 0; round < count; ++round) {
        std::vector<std::thread> callers;
        for (int t = 0; t < 3; ++t)
          callers.emplace_back(
              [&, t] { evaluate(24, t == 0 ? bl::policy(bl::par) : bl::par.threads(1 + t), results, wrong); });
        for (std::thread& t : callers) t.join();
      }
    };
    rounds(3);
    const long before = fault::live;
    rounds(6);
    // TBB and the workers keep memory for as many threads as ever were there at once, not for as many as there were.
    BOOST_TEST(fault::live - before < 18, "18 more callers, and as many blocks or more: " << fault::live - before);
    BOOST_TEST(wrong == 0);
  }
}

BOOST_AUTO_TEST_CASE(what_a_thread_destroys_at_its_end_may_evaluate) {
  std::atomic<int> done{0};
  for (int t = 0; t < 10; ++t)
    std::thread([&] {
      wish.done = &done;
      const bl::dtensor<float, 2> x = bl::zeros<float>(70, 900);
      done += bl::eval(bl::exp(x))(69, 899) == 1 ? 100 : 0;
    }).join();
  BOOST_TEST(done == 10 * 101);
}

BOOST_AUTO_TEST_CASE(a_key_s_destructor_may_evaluate) {
  // It runs after the destructors of thread_local objects, before or after the library's own keys.
  static pthread_key_t key;
  BOOST_REQUIRE(pthread_key_create(&key, [](void* given) {
                  last_wish last;
                  last.done = static_cast<std::atomic<int>*>(given);
                }) == 0);
  std::vector<float> results;
  std::atomic<int> wrong{0}, done{0};
  const auto threads = [&](int count) {
    for (int t = 0; t < count; ++t)
      std::thread([&] {
        pthread_setspecific(key, &done);
        evaluate(8, bl::seq, results, wrong);
      }).join();
  };
  threads(2);
  const long before = fault::live;
  threads(8);
  // TBB's workers of the case before may still be taking memory of their own.
  BOOST_TEST(fault::live - before < 8, "8 more threads, and as many blocks or more: " << fault::live - before);
  BOOST_TEST(done == 10);
  BOOST_TEST(wrong == 0);
  pthread_key_delete(key);
}

BOOST_AUTO_TEST_SUITE_END()
