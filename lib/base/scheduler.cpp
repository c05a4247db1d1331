// Chooses the scheduler that runs parallel loops.
#include <broadloom/eval/scheduler.hpp>

#include <atomic>

#include "control.hpp"
#include "scheduler_work.hpp"

namespace broadloom {

namespace {
#ifdef BROADLOOM_WITHOUT_TBB
constexpr bool has_tbb = false;
#else
constexpr bool has_tbb = true;
#endif
// ThreadSanitizer follows the synchronisation of plain threads. It does not follow TBB, which is rarely built for it.
#ifdef BROADLOOM_THREAD_SANITIZER
constexpr scheduler usual = scheduler::threads;
#else
constexpr scheduler usual = has_tbb ? scheduler::tbb : scheduler::threads;
#endif
constinit std::atomic<scheduler> in_force{usual};
}  // namespace

void set_scheduler(scheduler which) noexcept {
  in_force.store(has_tbb ? which : scheduler::threads, std::memory_order_relaxed);
}

namespace runtime {

scheduler active_scheduler() noexcept { return in_force.load(std::memory_order_relaxed); }

namespace {

struct controlled_body {
  evaluation_control* control;
  index part;
  block_fn body;
  void* context;
};
void run_controlled_body(void* of, index first, index last) {
  const auto& x = *static_cast<const controlled_body*>(of);
  in_parts(*x.control, first, last, x.part, [&x](index from, index to) { x.body(x.context, from, to); });
}

}  // namespace

void parallel_for(index blocks, int threads, block_fn body, void* context) {
  if (blocks <= 0) return;
  if (blocks > 1 && control_here != nullptr) [[unlikely]]
    return as_pass(*control_here, blocks, [=, c = control_here](index part) {
      controlled_body x{c, part, body, context};
      parallel_for(blocks, threads, &run_controlled_body, &x);
    });
  if (blocks == 1 || threads == 1) return body(context, 0, blocks);
  if constexpr (has_tbb)
    if (active_scheduler() == scheduler::tbb) return parallel_for_tbb(blocks, threads, body, context);
  parallel_for_threads(blocks, threads, body, context);
}

int max_threads() noexcept {
  if constexpr (has_tbb)
    if (active_scheduler() == scheduler::tbb) return max_threads_tbb();
  return max_threads_threads();
}

}  // namespace runtime
}  // namespace broadloom
