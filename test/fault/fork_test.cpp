// A process that evaluated on several threads forks: the child evaluates as a fresh process does. No child may wait for
// threads that it does not have; the alarm only ends one that does, so that it counts as wrong.
// Build: not-sanitized (its child may wait for a lock of AddressSanitizer for ever)
#include <broadloom/eval/scheduler.hpp>

#include <boost/test/unit_test.hpp>

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <thread>
#include <vector>

#include "fault/families.hpp"

namespace fork_test {

namespace bl = broadloom;

// What f() says in a child, as its exit status.
template <class F>
int in_a_child(const F& f) {
  const pid_t process = fork();
  BOOST_REQUIRE(process >= 0);
  if (process == 0) {
    signal(SIGALRM, SIG_DFL);
    alarm(250);
    _exit(f());
  }
  int status = 0;
  BOOST_REQUIRE(waitpid(process, &status, 0) == process);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

// All families on all schedulers: what they gave.
std::vector<float> evaluate_all(bl::index n) {
  std::vector<float> all;
  for (const auto by : {bl::scheduler::tbb, bl::scheduler::threads}) {
    bl::set_scheduler(by);
    for (const fault::family& f : fault::all_families()) {
      fault::arrays a(n);
      f.run(a, bl::par.threads(3));
      for (const float x : a.results()) all.push_back(x);
      all.push_back(static_cast<float>(a.result));
    }
  }
  bl::set_scheduler(bl::scheduler::tbb);
  return all;
}

// Large enough for huge pages and for several threads by itself, sorting included.
double large_sum(bl::index n) {
  bl::dtensor<float, 1> x = bl::sin(bl::arange<float>(static_cast<float>(n)));
  bl::dtensor<float, 1> y = x * x + bl::exp(x);
  return bl::sum(y).item() + bl::sort(y).values(n / 2);
}

struct put_back {
  bl::scheduler former = bl::runtime::active_scheduler();
  ~put_back() { bl::set_scheduler(former); }
};

}  // namespace fork_test

using namespace fork_test;

BOOST_FIXTURE_TEST_SUITE(fault_fork, put_back)

BOOST_AUTO_TEST_CASE(a_child_of_a_process_that_evaluated_on_threads_gives_the_same) {
  const std::vector<float> wanted = evaluate_all(32);
  const double sum = large_sum(300000);
  const auto same = [&] { return evaluate_all(32) == wanted && large_sum(300000) == sum ? 0 : 1; };
  BOOST_TEST(in_a_child(same) == 0);
  // Its own children, and its threads.
  BOOST_TEST(in_a_child([&] {
               if (same() != 0) return 1;
               std::atomic<int> wrong{0};
               std::vector<std::thread> callers;
               for (int t = 0; t < 3; ++t) callers.emplace_back([&] { wrong += large_sum(300000) != sum; });
               for (std::thread& t : callers) t.join();
               return wrong != 0 ? 2 : in_a_child(same);
             }) == 0);
  // And the parent goes on.
  BOOST_TEST((evaluate_all(32) == wanted));
  BOOST_TEST(large_sum(300000) == sum);
}

BOOST_AUTO_TEST_CASE(a_child_does_not_wait_for_what_other_threads_held) {
  for (const auto by : {bl::scheduler::tbb, bl::scheduler::threads}) {
    bl::set_scheduler(by);
    const double sum = large_sum(300000);
    std::atomic<bool> stop{false};
    std::atomic<int> wrong{0};
    std::vector<std::thread> busy;
    for (int t = 0; t < 2; ++t)
      busy.emplace_back([&] {
        while (!stop) wrong += large_sum(300000) != sum;
      });
    // Many forks, for the moment at which a thread holds a lock; the child takes and gives back large blocks.
    for (int repeat = 0; repeat < 20; ++repeat)
      BOOST_TEST(in_a_child([&] { return large_sum(300000) == sum ? 0 : 1; }) == 0, "fork number " << repeat);
    stop = true;
    for (std::thread& t : busy) t.join();
    BOOST_TEST(wrong == 0);
  }
}

BOOST_AUTO_TEST_CASE(a_function_that_forks_inside_of_an_evaluation_may_exec_or_exit_in_the_child) {
  bl::dtensor<float, 1> x = bl::arange<float>(200000);
  for (const auto by : {bl::scheduler::tbb, bl::scheduler::threads}) {
    bl::set_scheduler(by);
    std::atomic<int> status{-1};
    const auto forks = [&](float v) {
      if (v == 150000)
        status = in_a_child([] {
          // Evaluations of its own are all right.
          return large_sum(100000) != 0 ? 42 : 1;
        });
      return v + 1;
    };
    bl::dtensor<float, 1> r = bl::eval(bl::pointwise(forks, x), bl::par.threads(3));
    BOOST_TEST(status == 42);
    BOOST_TEST((r(0) == 1 && r(150000) == 150001 && r(199999) == 200000));
  }
}

BOOST_AUTO_TEST_CASE(a_child_that_returns_into_an_evaluation_on_several_threads_is_ended) {
  bl::dtensor<float, 1> x = bl::arange<float>(200000);
  for (const auto by : {bl::scheduler::tbb, bl::scheduler::threads}) {
    bl::set_scheduler(by);
    for (const bool throws : {false, true}) {
      std::atomic<pid_t> process{0};
      const auto forks = [&](float v) {
        if (v == 150000) {
          const pid_t p = fork();
          if (p != 0)
            process = p;
          else {
            signal(SIGALRM, SIG_DFL);
            signal(SIGABRT, SIG_DFL);
            alarm(250);
            dup2(open("/dev/null", O_WRONLY), STDERR_FILENO);  // what it says there is no error of this test
            if (throws) throw v;
          }
        }
        return v + 1;
      };
      bl::dtensor<float, 1> r = bl::eval(bl::pointwise(forks, x), bl::par.threads(3));
      BOOST_TEST(r(199999) == 200000);
      int status = 0;
      BOOST_REQUIRE(process > 0);
      BOOST_REQUIRE(waitpid(process, &status, 0) == process);
      BOOST_TEST((WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT));
    }
  }
}

BOOST_AUTO_TEST_CASE(on_one_thread_both_go_on) {
  const bl::dtensor<float, 1> x = bl::arange<float>(200000);
  pid_t process = -1;
  const auto forks = [&](float v) {
    if (v == 150000) {
      process = fork();
      if (process == 0) alarm(250);
    }
    return v + 1;
  };
  const bl::dtensor<float, 1> r = bl::eval(bl::pointwise(forks, x), bl::seq);
  const bool right = r(0) == 1 && r(150000) == 150001 && r(199999) == 200000;
  if (process == 0) _exit(right ? 0 : 1);
  int status = 0;
  BOOST_REQUIRE(waitpid(process, &status, 0) == process);
  BOOST_TEST((WIFEXITED(status) && WEXITSTATUS(status) == 0));
  BOOST_TEST(right);
}

BOOST_AUTO_TEST_SUITE_END()
