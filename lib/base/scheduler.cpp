// Which scheduler runs parallel loops.
#include <broadloom/eval/scheduler.hpp>

#include <atomic>

#include "scheduler_work.hpp"

namespace broadloom {

namespace {
constinit std::atomic<scheduler> in_force{scheduler::tbb};
}

void set_scheduler(scheduler which) noexcept { in_force.store(which, std::memory_order_relaxed); }

namespace runtime {

scheduler active_scheduler() noexcept { return in_force.load(std::memory_order_relaxed); }

void parallel_for(index blocks, int threads, block_fn body, void* context) {
  if (blocks <= 0) return;
  if (blocks == 1 || threads == 1) return body(context, 0, blocks);
  if (active_scheduler() == scheduler::tbb)
    parallel_for_tbb(blocks, threads, body, context);
  else
    parallel_for_threads(blocks, threads, body, context);
}

int max_threads() noexcept { return active_scheduler() == scheduler::tbb ? max_threads_tbb() : max_threads_threads(); }

}  // namespace runtime
}  // namespace broadloom
