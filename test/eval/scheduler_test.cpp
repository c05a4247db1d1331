// Both schedulers: every block once, exceptions once, nesting, the caller's floating-point environment, cancellation.
#include <broadloom/eval/scheduler.hpp>

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_group.h>

#include <algorithm>
#include <atomic>
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>
#include <cfenv>
#include <chrono>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace bl = broadloom;
namespace rt = broadloom::runtime;
namespace data = boost::unit_test::data;

BOOST_TEST_DONT_PRINT_LOG_VALUE(bl::scheduler)

// Named, because the test cases below are templates with external linkage.
namespace scheduler_test {

// Calls any callable over blocks.
template <class Body>
void run(bl::index blocks, int threads, Body body) {
  rt::parallel_for(
      blocks, threads, [](void* b, bl::index first, bl::index last) { (*static_cast<Body*>(b))(first, last); }, &body);
}

using counts = std::vector<std::atomic<int>>;

// Counts how often each block is run; a range outside the blocks counts as damage.
struct counted {
  explicit counted(bl::index n) : times(static_cast<std::size_t>(n)) {}
  void add(bl::index first, bl::index last) {
    if (first < 0 || first >= last || last > static_cast<bl::index>(times.size())) {
      ++damage;
      return;
    }
    for (bl::index i = first; i < last; ++i) ++times[static_cast<std::size_t>(i)];
  }
  bool each_once() const {
    return damage == 0 && std::all_of(times.begin(), times.end(), [](const std::atomic<int>& t) { return t == 1; });
  }
  counts times;
  std::atomic<int> damage{0};
};

// Waits until `n` threads are here at once; false if they do not come within a while.
class meeting {
 public:
  explicit meeting(int n) : wanted_(n) {}
  bool arrive() {
    ++here_;
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (here_ < wanted_) {
      if (std::chrono::steady_clock::now() > end) return false;
      std::this_thread::yield();
    }
    return true;
  }

 private:
  int wanted_;
  std::atomic<int> here_{0};
};

// TBB may use eight threads, however few processors there are.
struct eight_threads {
  oneapi::tbb::global_control control{oneapi::tbb::global_control::max_allowed_parallelism, 8};
  bl::scheduler before = rt::active_scheduler();
  ~eight_threads() { bl::set_scheduler(before); }
};

// Something that takes a while, with every other thread free to go on meanwhile.
void work(int steps) {
  for (int i = 0; i < steps; ++i) std::this_thread::yield();
}

const auto schedulers = data::make({bl::scheduler::tbb, bl::scheduler::threads});

}  // namespace scheduler_test

using namespace scheduler_test;

BOOST_FIXTURE_TEST_SUITE(eval_scheduler, eight_threads)

BOOST_DATA_TEST_CASE(every_block_is_run_once, schedulers, which) {
  bl::set_scheduler(which);
  BOOST_TEST((rt::active_scheduler() == which));
  for (const int threads : {0, 1, 2, 3, 4, 5, 6, 7, 8})
    for (const bl::index blocks : {0, 1, 2, 3, 5, 8, 9, 64, 1000, 4099}) {
      counted c(blocks);
      run(blocks, threads, [&c](bl::index first, bl::index last) { c.add(first, last); });
      BOOST_TEST(c.each_once(), blocks << " blocks on " << threads << " threads");
    }
}

BOOST_DATA_TEST_CASE(blocks_of_very_different_cost_are_run_once, schedulers, which) {
  bl::set_scheduler(which);
  for (int repeat = 0; repeat < 20; ++repeat) {
    counted c(500);
    run(500, 4, [&c](bl::index first, bl::index last) {
      if (first < 20) work(100);
      c.add(first, last);
    });
    BOOST_TEST(c.each_once());
  }
}

BOOST_DATA_TEST_CASE(very_many_blocks_are_covered, schedulers, which) {
  bl::set_scheduler(which);
  constexpr bl::index blocks = (bl::index(1) << 40) + 12345;
  std::atomic<bl::index> done{0};
  std::atomic<bl::index> sum_of_firsts_and_lasts{0};
  run(blocks, 3, [&](bl::index first, bl::index last) {
    done += last - first;
    sum_of_firsts_and_lasts += last - first > 0 ? last - first : -blocks;
  });
  BOOST_TEST(done == blocks);
  BOOST_TEST(sum_of_firsts_and_lasts == blocks);
}

BOOST_DATA_TEST_CASE(threads_really_run_at_once_and_the_caller_is_one, schedulers, which) {
  bl::set_scheduler(which);
  for (const int threads : {2, 4}) {
    meeting all(threads);
    std::atomic<bool> met{true};
    std::mutex m;
    std::set<std::thread::id> who;
    run(threads, threads, [&](bl::index, bl::index) {
      {
        const std::lock_guard lock(m);
        who.insert(std::this_thread::get_id());
      }
      if (!all.arrive()) met = false;
    });
    BOOST_TEST(met.load());
    BOOST_TEST(who.size() == static_cast<std::size_t>(threads));
    BOOST_TEST(who.count(std::this_thread::get_id()) == 1u);
  }
}

BOOST_DATA_TEST_CASE(no_more_threads_than_asked_for_take_part, schedulers, which) {
  bl::set_scheduler(which);
  for (const int threads : {1, 2, 3}) {
    std::mutex m;
    std::set<std::thread::id> who;
    meeting all(threads);  // the first blocks go on when all that may take part do
    std::atomic<bool> met{true};
    run(200, threads, [&](bl::index, bl::index) {
      bool is_new = false;
      {
        const std::lock_guard lock(m);
        is_new = who.insert(std::this_thread::get_id()).second;
      }
      if (is_new && !all.arrive()) met = false;
      work(10);
    });
    BOOST_TEST(met.load());
    BOOST_TEST(who.size() == static_cast<std::size_t>(threads));
    if (threads == 1) BOOST_TEST(*who.begin() == std::this_thread::get_id());
  }
}

BOOST_DATA_TEST_CASE(an_exception_arrives_once_after_all_bodies_and_the_library_goes_on, schedulers, which) {
  bl::set_scheduler(which);
  for (int repeat = 0; repeat < 60; ++repeat) {
    const int threads = 1 + repeat % 8;
    std::atomic<int> running{0};
    std::atomic<int> thrown{0};
    int caught = 0;
    try {
      run(100, threads, [&](bl::index first, bl::index last) {
        struct on_duty {
          std::atomic<int>& n;
          explicit on_duty(std::atomic<int>& r) : n(r) { ++n; }
          ~on_duty() { --n; }
        } duty(running);
        // From the third on, several bodies throw.
        const bl::index bad = repeat % 2 == 0 ? 57 : first;
        if (first <= bad && bad < last) {
          ++thrown;
          throw std::runtime_error("block " + std::to_string(bad));
        }
        std::this_thread::yield();
      });
    } catch (const std::runtime_error& e) {
      ++caught;
      BOOST_TEST(running == 0);
      BOOST_TEST(std::string(e.what()).substr(0, 6) == "block ");
    }
    BOOST_TEST(caught == 1);
    BOOST_TEST(thrown >= 1);
    counted c(100);
    run(100, threads, [&c](bl::index first, bl::index last) { c.add(first, last); });
    BOOST_TEST(c.each_once());
  }
}

BOOST_DATA_TEST_CASE(anything_can_be_thrown, schedulers, which) {
  bl::set_scheduler(which);
  BOOST_CHECK_EXCEPTION(run(50, 4, [](bl::index, bl::index) { throw 42; }), int, [](int i) { return i == 42; });
}

BOOST_DATA_TEST_CASE(bodies_may_call_parallel_for, schedulers, which) {
  bl::set_scheduler(which);
  for (const int inner_threads : {0, 1, 2, 3}) {
    counted c(40 * 50);
    run(40, 4, [&](bl::index first, bl::index last) {
      for (bl::index i = first; i < last; ++i)
        run(50, inner_threads, [&c, i](bl::index f, bl::index l) {
          run(l - f, 2, [&c, i, f](bl::index ff, bl::index ll) { c.add(i * 50 + f + ff, i * 50 + f + ll); });
        });
    });
    BOOST_TEST(c.each_once(), inner_threads << " threads inside");
  }
}

BOOST_DATA_TEST_CASE(a_thread_waiting_for_an_inner_loop_does_not_start_another_outer_block, schedulers, which) {
  bl::set_scheduler(which);
  static thread_local int depth = 0;
  std::atomic<int> entered_again{0};
  run(64, 4, [&](bl::index first, bl::index last) {
    for (bl::index i = first; i < last; ++i) {
      if (depth != 0) ++entered_again;
      ++depth;
      // What others do of the inner loop lasts until the caller has done its part and waits for them.
      std::atomic<int> own{0}, others{0};
      const auto caller = std::this_thread::get_id();
      run(8, 4, [&](bl::index f, bl::index l) {
        const auto n = static_cast<int>(l - f);
        if (std::this_thread::get_id() == caller) {
          own += n;
          return;
        }
        others += n;
        for (int turn = 0; turn < 1000 && own + others < 8; ++turn) std::this_thread::yield();
        work(10);
      });
      --depth;
    }
  });
  BOOST_TEST(entered_again == 0);
}

BOOST_DATA_TEST_CASE(an_exception_from_an_inner_loop_can_be_handled_outside_it, schedulers, which) {
  bl::set_scheduler(which);
  std::atomic<int> handled{0};
  run(32, 4, [&](bl::index first, bl::index last) {
    for (bl::index i = first; i < last; ++i) try {
        run(16, 2, [](bl::index, bl::index) { throw std::logic_error("inner"); });
      } catch (const std::logic_error&) {
        ++handled;
      }
  });
  BOOST_TEST(handled == 32);
}

BOOST_DATA_TEST_CASE(many_callers_at_once, schedulers, which) {
  bl::set_scheduler(which);
  std::atomic<int> wrong{0};
  std::vector<std::thread> callers;
  for (int t = 0; t < 4; ++t)
    callers.emplace_back([&wrong, t] {
      for (int repeat = 0; repeat < 100; ++repeat) {
        counted c(64 + t);
        run(64 + t, repeat % 5, [&c](bl::index first, bl::index last) { c.add(first, last); });
        if (!c.each_once()) ++wrong;
      }
    });
  for (std::thread& t : callers) t.join();
  BOOST_TEST(wrong == 0);
}

BOOST_DATA_TEST_CASE(workers_use_the_callers_rounding_mode, schedulers, which) {
  bl::set_scheduler(which);
  for (const int mode : {FE_UPWARD, FE_TONEAREST, FE_DOWNWARD, FE_TONEAREST}) {
    meeting all(3);
    std::atomic<int> others{0};
    std::fesetround(mode);
    run(3, 3, [&](bl::index, bl::index) {
      all.arrive();
      if (std::fegetround() != mode) ++others;
    });
    const int after = std::fegetround();
    std::fesetround(FE_TONEAREST);
    BOOST_TEST(others == 0);
    BOOST_TEST(after == mode);
  }
}

#if defined(__x86_64__)
BOOST_DATA_TEST_CASE(workers_flush_subnormals_when_the_caller_does, schedulers, which) {
  bl::set_scheduler(which);
  constexpr unsigned ftz_daz = 0x8040;
  const unsigned usual = _mm_getcsr();
  for (const unsigned wanted : {ftz_daz, 0u, ftz_daz, 0u}) {
    meeting all(3);
    std::atomic<int> others{0};
    _mm_setcsr((usual & ~ftz_daz) | wanted);
    run(3, 3, [&](bl::index, bl::index) {
      all.arrive();
      volatile float tiny = 1e-40f;
      if ((_mm_getcsr() & ftz_daz) != wanted || (tiny * 1.0f == 0.0f) != (wanted != 0)) ++others;
    });
    const unsigned after = _mm_getcsr() & ftz_daz;
    _mm_setcsr(usual);
    BOOST_TEST(others == 0);
    BOOST_TEST(after == wanted);
  }
}
#endif

// Inside a task of the user's whose sibling has thrown, TBB cancels what is bound to that group.
BOOST_DATA_TEST_CASE(all_blocks_are_run_in_a_task_whose_sibling_has_thrown, schedulers, which) {
  bl::set_scheduler(which);
  for (const int threads : {0, 2, 3, 8}) {
    std::atomic<int> checked{0};
    std::atomic<bool> complete{true};
    oneapi::tbb::task_arena arena(4);
    arena.execute([&] {
      oneapi::tbb::task_group_context context;
      oneapi::tbb::task_group group(context);
      std::atomic<bool> started{false};
      group.run([&] {
        started = true;
        const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
        while (!context.is_group_execution_cancelled() && std::chrono::steady_clock::now() < end)
          std::this_thread::yield();
        counted c(2000);
        run(2000, threads, [&c](bl::index first, bl::index last) { c.add(first, last); });
        if (!c.each_once()) complete = false;
        if (context.is_group_execution_cancelled()) ++checked;
      });
      group.run([&] {
        while (!started) std::this_thread::yield();
        throw std::runtime_error("sibling");
      });
      BOOST_CHECK_THROW(group.wait(), std::runtime_error);
    });
    BOOST_TEST(checked == 1, "the group was cancelled while the loop ran");
    BOOST_TEST(complete.load(), threads << " threads");
  }
}

BOOST_AUTO_TEST_CASE(in_an_arena_of_one_the_caller_runs_everything) {
  bl::set_scheduler(bl::scheduler::tbb);
  oneapi::tbb::task_arena one(1);
  one.execute([] {
    BOOST_TEST(rt::max_threads() == 1);
    const auto caller = std::this_thread::get_id();
    std::atomic<int> elsewhere{0};
    counted c(300);
    run(300, 0, [&](bl::index first, bl::index last) {
      if (std::this_thread::get_id() != caller) ++elsewhere;
      c.add(first, last);
    });
    BOOST_TEST(elsewhere == 0);
    BOOST_TEST(c.each_once());
  });
}

BOOST_DATA_TEST_CASE(there_is_at_least_one_thread, schedulers, which) {
  bl::set_scheduler(which);
  BOOST_TEST(rt::max_threads() >= 1);
}

BOOST_AUTO_TEST_SUITE_END()
