// Chooses the scheduler that runs parallel loops.
#include <broadloom/eval/scheduler.hpp>
#include <broadloom/eval/threads.hpp>
#include <broadloom/eval/with.hpp>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <stdexcept>
#include <string>

#include "control.hpp"
#include "scheduler_work.hpp"
#include "scope.hpp"

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
int lower_limit(int a, int b) noexcept { return a == 0 ? b : b == 0 ? a : std::min(a, b); }
int threads_allowed() noexcept {
  const int limit = thread_limit.load(std::memory_order_relaxed);
  return lower_limit(limit < 0 ? read_thread_limit() : limit, runtime::scope_here.threads);
}

// A scope within those around it, whose limits and promises hold on.
struct inner_scope {
  runtime::evaluation_scope before = runtime::scope_here;
  explicit inner_scope(const runtime::evaluation_scope& s) {
    runtime::evaluation_scope& here = runtime::scope_here;
    here.threads = lower_limit(here.threads, s.threads);
    if (s.maths == runtime::accuracy::fast) here.maths = s.maths;
    if (s.products == runtime::product_order::fixed) here.products = s.products;
  }
  ~inner_scope() { runtime::scope_here = before; }
  inner_scope(const inner_scope&) = delete;
  inner_scope& operator=(const inner_scope&) = delete;
};
}  // namespace

constinit thread_local runtime::evaluation_scope runtime::scope_here __attribute__((tls_model("initial-exec"))) = {};
constinit unsigned char runtime::any_ordered_scope = 0;

void set_max_threads(int n) {
  if (n < 0)
    throw std::invalid_argument("a number of threads must not be negative, not " + std::to_string(n) +
                                "\n  in set_max_threads");
  thread_limit.store(n, std::memory_order_relaxed);
}

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

void run_in_scope(const options& how, void (*f)(const void*), const void* context) {
  if (how.products == product_order::fixed) __atomic_store_n(&any_ordered_scope, 1, __ATOMIC_RELAXED);
  const inner_scope here({how.threads < 0 ? 0 : how.threads, how.maths, how.products});
  f(context);
}

bool in_ordered_scope() noexcept { return scope_here.products == product_order::fixed; }

namespace {

// A loop of a scope: what other threads evaluate within it is in the scope, too.
struct scoped_body {
  evaluation_scope scope;
  block_fn body;
  void* context;
};
void run_scoped_body(void* of, index first, index last) {
  const auto& x = *static_cast<const scoped_body*>(of);
  const inner_scope here(x.scope);
  x.body(x.context, first, last);
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
  scoped_body scoped{scope_here, body, context};
  if (!scoped.scope.says_nothing()) [[unlikely]] {
    body = &run_scoped_body;
    context = &scoped;
  }
  if constexpr (has_tbb)
    if (active_scheduler() == scheduler::tbb) return parallel_for_tbb(blocks, threads, body, context);
  parallel_for_threads(blocks, threads, body, context);
}

}  // namespace runtime

int max_threads() noexcept {
  const int limit = threads_allowed();
  if (limit == 1) return 1;
  const int most = has_tbb && runtime::active_scheduler() == scheduler::tbb ? runtime::max_threads_tbb()
                                                                            : runtime::max_threads_threads();
  return limit > 0 ? std::min(limit, most) : most;
}

}  // namespace broadloom
