// Evaluations when a program ends: in destructors of static objects, and on threads that nobody waits for. Each program
// is this one, started anew; it ends with 0 when all is well.
// Build: sanitizers-alone
#include <broadloom/eval/scheduler.hpp>

#include <boost/test/unit_test.hpp>

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <optional>
#include <string>
#include <thread>

#include "fault/families.hpp"

#if defined(BROADLOOM_ADDRESS_SANITIZER)
// Threads still evaluate when these programs end: what they hold then is no leak.
extern "C" const char* __asan_default_options() { return "detect_leaks=0"; }
#endif

namespace after_main_test {

namespace bl = broadloom;

// Set in the other program: what it is to do.
const char* to_do() { return std::getenv("BROADLOOM_AFTER_MAIN"); }

// Gives all families and a large evaluation another go; the process ends with `status` where something is wrong.
void evaluate(int status) {
  for (const fault::family& f : fault::all_families()) {
    fault::arrays a(40), b(40);
    f.run(a, bl::par.threads(3));
    f.run(b, bl::seq);
    if (a.results() != b.results() || a.result != b.result) _exit(status);
  }
  const bl::dtensor<float, 2> x = bl::ones<float>(700, 900);
  const bl::dtensor<float, 1> sums = bl::sum(x + x, bl::axes<1>);
  if (sums(699) != 1800) _exit(status + 1);
}

// Made before anything was evaluated, so it is destroyed after whatever the library and TBB made for evaluations.
struct first_made {
  bool active = to_do() != nullptr;
  bl::dtensor<float, 2> a;
  bl::dtensor<float, 1> b;
  std::optional<bl::dtensor<float, 2>> result;

  ~first_made() {
    if (!active) return;
    evaluate(10);
    // Its own arrays are whole, and an expression over them is.
    const auto e = a * 2 + b;
    result = bl::eval(e, bl::par);
    if ((*result)(511, 1023) != 2 * 511 + 1) _exit(12);
  }
};
first_made first;

// As large as threads share out, and an expression that holds what it reads.
auto& kept_expression() {
  static auto e =
      bl::exp(bl::dtensor<float, 2>(bl::zeros<float>(300, 2000))) + bl::dtensor<float, 1>(bl::ones<float>(2000));
  return e;
}

struct evaluates_kept {
  ~evaluates_kept() {
    const bl::dtensor<float, 2> r = kept_expression();
    if (r(299, 1999) != 2) _exit(13);
  }
};

std::atomic<long> rounds{0};

void run_and_end(const std::string& what) {
  bl::set_scheduler(what.ends_with("threads") ? bl::scheduler::threads : bl::scheduler::tbb);
  first.a = bl::reshape(bl::arange<float>(512), 512, 1) + bl::zeros<float>(512, 1024);
  first.b = bl::ones<float>(1024);
  kept_expression();
  static const evaluates_kept last;  // destroyed before the expression
  if (what.starts_with("busy")) {
    for (int t = 0; t < 2; ++t)
      std::thread([] {
        for (;;) {
          evaluate(20);
          ++rounds;
        }
      }).detach();
    while (rounds < 2) std::this_thread::yield();
  } else if (what.starts_with("used")) {
    evaluate(30);
  } else if (what.starts_with("forked")) {
    evaluate(30);
    // Both end by exit.
    if (const pid_t child = fork(); child != 0) {
      int status = 0;
      if (child < 0 || waitpid(child, &status, 0) != child || status != 0) _exit(14);
    } else {
      evaluate(40);
    }
  }
  std::exit(0);
}

int outcome_of(const char* what) {
  const pid_t process = fork();
  BOOST_REQUIRE(process >= 0);
  if (process == 0) {
    setenv("BROADLOOM_AFTER_MAIN", what, 1);
    execl("/proc/self/exe", "program", static_cast<char*>(nullptr));
    _exit(99);
  }
  int status = 0;
  BOOST_REQUIRE(waitpid(process, &status, 0) == process);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

}  // namespace after_main_test

using namespace after_main_test;

BOOST_AUTO_TEST_SUITE(fault_after_main)

BOOST_AUTO_TEST_CASE(static_objects_may_evaluate_when_they_are_destroyed) {
  for (const char* what : {"used, tbb", "used, threads"}) BOOST_TEST(outcome_of(what) == 0, what);
}

// ThreadSanitizer lets no child of a process with threads start one.
#if !defined(BROADLOOM_THREAD_SANITIZER)
BOOST_AUTO_TEST_CASE(a_forked_child_may_end_by_exit) {
  for (const char* what : {"forked, tbb", "forked, threads"}) BOOST_TEST(outcome_of(what) == 0, what);
}
#endif

BOOST_AUTO_TEST_CASE(the_first_evaluation_of_all_may_come_after_main) {
  for (const char* what : {"nothing, tbb", "nothing, threads"}) BOOST_TEST(outcome_of(what) == 0, what);
}

// oneTBB destroys its state at exit, whoever is in it.
BOOST_AUTO_TEST_CASE(a_program_may_end_while_its_threads_evaluate_on_plain_threads) {
  for (int repeat = 0; repeat < 3; ++repeat) BOOST_TEST(outcome_of("busy, threads") == 0, repeat);
}

BOOST_AUTO_TEST_SUITE_END()

namespace {

// After `first` was made: the other program ends here, as if main returned.
[[maybe_unused]] const bool program = [] {
  if (to_do() == nullptr) return false;
  signal(SIGALRM, SIG_DFL);
  alarm(100);  // one that waits for ever counts as wrong
  run_and_end(to_do());
  return true;
}();

}  // namespace
