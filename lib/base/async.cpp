// Evaluations that run by themselves, and pipelines of batches: on oneTBB, or plain threads where it does not run.
#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include <broadloom/eval/async.hpp>
#include <broadloom/tensor/batches.hpp>

#include "scheduler_work.hpp"
#include "unseen.hpp"

#ifndef BROADLOOM_WITHOUT_TBB
#include <oneapi/tbb/parallel_pipeline.h>
#include <oneapi/tbb/task_arena.h>
#endif

namespace broadloom::runtime {

#ifndef BROADLOOM_WITHOUT_TBB
namespace {

bool with_tbb() noexcept { return active_scheduler() == scheduler::tbb && tbb_runs(); }

}  // namespace
#endif

struct async_state : stop_check {
  async_state(void* s, void (*r)(void*, const stop_check*), void (*d)(void*))
      : stop_check{[](const stop_check* of) {
          return static_cast<const async_state*>(of)->asked.load(std::memory_order_relaxed);
        }},
        self(s),
        run(r),
        destroy(d) {}

  void* self;
  void (*run)(void*, const stop_check*);
  void (*destroy)(void*);
  std::atomic<bool> asked{false};
  std::atomic<int> owners{2};  // the handle and the task
  std::mutex mutex;
  std::condition_variable ended;
  bool done = false;
  std::exception_ptr error;

  void work() noexcept {
    std::exception_ptr thrown;
    try {
      run(self, this);
    } catch (...) {
      thrown = std::current_exception();
    }
    destroy(self);
    {
      const std::lock_guard lock(mutex);
      error = thrown;
      done = true;
      ended.notify_all();
    }
    release();
  }
  void release() noexcept {
    if (owners.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
  }
};

async_state* start_async(void* self, void (*run)(void*, const stop_check*), void (*destroy)(void*)) {
  async_state* s = nullptr;
  try {
    s = new async_state(self, run, destroy);
  } catch (...) {
    destroy(self);
    throw;
  }
#ifndef BROADLOOM_WITHOUT_TBB
  if (with_tbb()) try {
      oneapi::tbb::task_arena here{oneapi::tbb::task_arena::attach{}};
      hands_over(s);
      here.enqueue([s]() BROADLOOM_UNSEEN {
        takes_over(s);
        s->work();
      });
      return s;
    } catch (...) {
      // oneTBB has no memory for a task: a thread may still start.
    }
#endif
  try {
    std::thread([s] { s->work(); }).detach();
  } catch (...) {
    destroy(self);
    delete s;
    throw;
  }
  return s;
}

void wait_async(async_state* s) noexcept {
  std::unique_lock lock(s->mutex);
  s->ended.wait(lock, [s] { return s->done; });
}
bool is_ready(async_state* s) noexcept {
  const std::lock_guard lock(s->mutex);
  return s->done;
}
void stop_async(async_state* s) noexcept { s->asked.store(true, std::memory_order_relaxed); }
void rethrow_async(async_state* s) {
  std::exception_ptr error;
  {
    const std::lock_guard lock(s->mutex);
    error = s->error;
  }
  if (error) std::rethrow_exception(error);
}
void release_async(async_state* s) noexcept { s->release(); }

int pipeline_slots() noexcept { return max_threads() + 2; }

void run_pipeline(int slots, bool (*read)(void*, int), void (*compute)(void*, int), void (*write)(void*, int),
                  void* context) {
  if (slots < 1) slots = 1;
#ifndef BROADLOOM_WITHOUT_TBB
  if (with_tbb() && slots > 1 && max_threads() > 1) {
    namespace tbb = oneapi::tbb;
    std::mutex mutex;
    std::vector<int> free(static_cast<std::size_t>(slots));
    for (int i = 0; i < slots; ++i) free[static_cast<std::size_t>(i)] = i;
    tbb::task_group_context isolated(tbb::task_group_context::isolated);
    std::exception_ptr error;
    std::atomic<bool> failed{false};
    // Exceptions are kept here: what oneTBB does with tasks that have not begun is its own affair.
    const auto guarded = [&](const auto& f) {
      try {
        f();
      } catch (...) {
        if (!failed.exchange(true)) error = std::current_exception();
      }
    };
    // A slot is handed from filter to filter, and its next reader takes it under the mutex.
    std::vector<char> handed(static_cast<std::size_t>(slots));
    char reading = 0, writing = 0, *const handed_at = handed.data();
    const auto read_next = [&](tbb::flow_control& flow) {
      int slot = -1;
      bool any = false;
      if (!failed) {
        {
          const std::lock_guard lock(mutex);
          slot = free.back();
          free.pop_back();
        }
        guarded([&] { any = read(context, slot); });
      }
      if (any)
        hands_over(handed_at + slot);
      else
        flow.stop();
      hands_over(&reading);
      return slot;
    };
    const auto compute_one = [&](int slot) {
      if (!failed) guarded([&] { compute(context, slot); });
      hands_over(handed_at + slot);
      return slot;
    };
    const auto write_one = [&](int slot) {
      if (!failed) guarded([&] { write(context, slot); });
      {
        const std::lock_guard lock(mutex);
        free.push_back(slot);
      }
      hands_over(&writing);
    };
    hands_over(&reading);
    // What is handed over is taken before a watched function is entered: entering it reads what it refers to.
    const auto first = [&](tbb::flow_control& flow) BROADLOOM_UNSEEN {
      takes_over(&reading);
      return read_next(flow);
    };
    const auto second = [&](int slot) BROADLOOM_UNSEEN {
      takes_over(handed_at + slot);
      return compute_one(slot);
    };
    const auto third = [&](int slot) BROADLOOM_UNSEEN {
      takes_over(handed_at + slot);
      takes_over(&writing);
      write_one(slot);
    };
    tbb::parallel_pipeline(static_cast<std::size_t>(slots),
                           tbb::make_filter<void, int>(tbb::filter_mode::serial_in_order, first) &
                               tbb::make_filter<int, int>(tbb::filter_mode::parallel, second) &
                               tbb::make_filter<int, void>(tbb::filter_mode::serial_in_order, third),
                           isolated);
    takes_over(&reading);
    takes_over(&writing);
    if (error) std::rethrow_exception(error);
    return;
  }
#endif
  while (read(context, 0)) {
    compute(context, 0);
    write(context, 0);
  }
}

}  // namespace broadloom::runtime
