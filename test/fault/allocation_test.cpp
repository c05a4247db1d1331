// Memory that runs out at any allocation: a call succeeds or throws std::bad_alloc, then nothing was written where the
// guarantee says so, nothing is lost, and the library can be used on. Also in a fresh process, where threads start for
// the first time.
// Build: not-by-thread-sanitizer (its allocations do not fail there)
#include <sys/wait.h>
#include <unistd.h>
#include <boost/test/unit_test.hpp>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "fault/failing_memory.hpp"
#include "fault/families.hpp"

namespace {

namespace bl = broadloom;

constexpr long max_allocations = 4000;

// Walks the failing allocation from the first to beyond the last.
void walk(const fault::family& f, bl::index n, const bl::policy& p, bool exact) {
  fault::arrays a(n);
  // Twice, so that what is kept for the next time is there.
  f.run(a, p);
  a.reset();
  f.run(a, p);
  const std::vector<float> wanted = a.results();
  const double number = a.result;

  long which = 1;
  for (; which < max_allocations; ++which) {
    a.reset();
    const long before = fault::live;
    bool threw = false;
    {
      const fault::armed now(which);
      try {
        f.run(a, p);
      } catch (const std::bad_alloc&) {
        threw = true;
      }
    }
    const bool reached = fault::failed;
    if (exact) BOOST_TEST(fault::live - before == 0, f.name << ", allocation " << which << ": blocks were lost");
    if (threw)
      BOOST_TEST((f.one_by_one ? a.whole_or_untouched(wanted) : a.untouched()),
                 f.name << ", n = " << n << ", allocation " << which << ": the output was written");
    else
      BOOST_TEST((a.results() == wanted && a.result == number),
                 f.name << ", n = " << n << ", allocation " << which << ": another result");
    if (!reached) break;
  }
  BOOST_TEST(which < max_allocations, f.name << ": too many allocations");
  a.reset();
  f.run(a, p);
  BOOST_TEST((a.results() == wanted && a.result == number), f.name << ": another result afterwards");
}

}  // namespace

BOOST_AUTO_TEST_SUITE(fault_allocation)

BOOST_AUTO_TEST_CASE(each_allocation_of_each_family_may_fail_on_one_thread) {
  for (const fault::family& f : fault::all_families()) walk(f, 17, bl::seq, true);
}

BOOST_AUTO_TEST_CASE(each_allocation_of_each_family_may_fail_on_two_threads) {
  // Threads keep memory of their own, so blocks are not counted.
  for (const fault::family& f : fault::all_families()) walk(f, 40, bl::par.threads(2), false);
}

// Large enough to be shared out: panels and packed parts are there before the first element is written, or are shared.
BOOST_AUTO_TEST_CASE(each_allocation_of_large_products_may_fail) {
  for (const fault::family& f : fault::all_families())
    for (const char* name : {"matmul", "transposed product", "matrix and vector", "matmul and bias"})
      if (f.name == std::string(name))
        for (const int threads : {1, 2, 3}) walk(f, 230, bl::par.threads(threads), false);
}

// In another process, which ends with 0 when all is well: the family's first evaluation of all.
BOOST_AUTO_TEST_CASE(memory_may_run_out_when_threads_start) {
  // What TBB allocates for the thread that calls it first, and for its own.
  const struct {
    const char *family, *which;
  } starts[] = {{"pointwise", "1"}, {"pointwise", "3"}, {"softmax", "27"}, {"matmul", "1"}};
  for (const auto& [name, which] : starts) {
    const pid_t process = fork();
    BOOST_REQUIRE(process >= 0);
    if (process == 0) {
      setenv("BROADLOOM_FAULT_FAMILY", name, 1);
      setenv("BROADLOOM_FAULT_AT", which, 1);
      setenv("BROADLOOM_FAULT_MORE", "0", 1);
      execl("/proc/self/exe", "child", static_cast<char*>(nullptr));
      _exit(99);
    }
    int status = 0;
    BOOST_REQUIRE(waitpid(process, &status, 0) == process);
    BOOST_TEST(WIFEXITED(status), name << ", allocation " << which << ": ended by signal "
                                       << (WIFSIGNALED(status) ? WTERMSIG(status) : 0));
    if (WIFEXITED(status))
      BOOST_TEST((WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == 10),
                 name << ", allocation " << which << ": " << WEXITSTATUS(status));
  }
}

BOOST_AUTO_TEST_SUITE_END()

namespace {

// The other process: 0 the allocation failed and all was well, 10 there are fewer allocations, 1 and 2 not well.
[[maybe_unused]] const bool child = [] {
  const char* const name = std::getenv("BROADLOOM_FAULT_FAMILY");
  if (name == nullptr) return false;
  alarm(250);  // it must not wait for ever
  const long which = std::atol(std::getenv("BROADLOOM_FAULT_AT"));
  const bool more = std::getenv("BROADLOOM_FAULT_MORE")[0] == '1';
  for (const fault::family& f : fault::all_families()) {
    if (std::string(f.name) != name) continue;
    fault::arrays a(700);
    bool threw = false;
    {
      const fault::armed now(which, more);
      try {
        f.run(a, bl::par.threads(2));
      } catch (const std::bad_alloc&) {
        threw = true;
      }
    }
    const bool reached = fault::failed;
    if (threw && !a.untouched()) _exit(1);
    const std::vector<float> first = a.results();
    a.reset();
    f.run(a, bl::par.threads(2));
    if (!threw && a.results() != first) _exit(2);
    _exit(reached ? 0 : 10);
  }
  _exit(3);
}();

}  // namespace
