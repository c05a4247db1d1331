// Chooses the scheduler that runs parallel loops.
#include <broadloom/eval/scheduler.hpp>
#include <broadloom/eval/threads.hpp>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <stdexcept>
#include <string>

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

// The most threads of an evaluation; 0 without a limit, and -1 before BROADLOOM_THREADS is read.
constinit std::atomic<int> thread_limit{-1};

[[gnu::cold]] int read_thread_limit() noexcept {
  const char* const text = std::getenv("BROADLOOM_THREADS");
  char* end = nullptr;
  const long n = text == nullptr ? 0 : std::strtol(text, &end, 10);
  // Text that is no number of threads is ignored, as BROADLOOM_TUNING's is.
  const bool valid = text != nullptr && end != text && *end == '\0' && n > 0;
  int before = -1;
  const int limit = valid ? static_cast<int>(std::min(n, 1L << 16)) : 0;
  return thread_limit.compare_exchange_strong(before, limit, std::memory_order_relaxed) ? limit : before;
}
int threads_allowed() noexcept {
  const int limit = thread_limit.load(std::memory_order_relaxed);
  return limit < 0 ? read_thread_limit() : limit;
}
}  // namespace

void set_max_threads(int n) {
  if (n < 0)
    throw std::invalid_argument("a number of threads must not be negative, not " + std::to_string(n) +
                                "\n  in set_max_threads");
  thread_limit.store(n, std::memory_order_relaxed);
}

int max_threads() noexcept { return runtime::max_threads(); }

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
  if (const int limit = threads_allowed(); limit > 0 && (threads <= 0 || threads > limit)) threads = limit;
  if (blocks == 1 || threads == 1) return body(context, 0, blocks);
  if constexpr (has_tbb)
    if (active_scheduler() == scheduler::tbb) return parallel_for_tbb(blocks, threads, body, context);
  parallel_for_threads(blocks, threads, body, context);
}

int max_threads() noexcept {
  const int limit = threads_allowed();
  if (limit == 1) return 1;
  const int most = has_tbb && active_scheduler() == scheduler::tbb ? max_threads_tbb() : max_threads_threads();
  return limit > 0 ? std::min(limit, most) : most;
}

}  // namespace runtime
}  // namespace broadloom
