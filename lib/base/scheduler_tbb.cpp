// Parallel loops on oneTBB, inside the caller's arena or one of a given size.
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_group.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <new>

#include "scheduler_work.hpp"
#include "unseen.hpp"

namespace broadloom::runtime {

namespace {

// An arena is costly to make, so a used one is kept for the next loop of its size. It runs one loop at a time: a second
// caller would find its slots taken and would run on another thread.
class spare_arenas {
 public:
  struct node {
    explicit node(int size) : arena(size), threads(size) {}
    oneapi::tbb::task_arena arena;
    int threads;
    node* next = nullptr;
  };

  node* take(int threads) {
    {
      const std::lock_guard lock(mutex_);
      for (node** link = &first_; *link != nullptr; link = &(*link)->next)
        if ((*link)->threads == threads) {
          node* const found = *link;
          *link = found->next;
          return found;
        }
    }
    return new node(threads);
  }

  void put_back(node* used) noexcept {
    const std::lock_guard lock(mutex_);
    used->next = first_;
    first_ = used;
  }

 private:
  std::mutex mutex_;
  node* first_ = nullptr;
};

// Never destroyed: TBB's own state may be destroyed before static objects are.
constinit spare_arenas arenas;

class arena_lease {
 public:
  explicit arena_lease(int threads) : node_(arenas.take(threads)) {}
  arena_lease(const arena_lease&) = delete;
  arena_lease& operator=(const arena_lease&) = delete;
  // A TBB that could not start for lack of memory blocks whoever calls it again.
  ~arena_lease() { started_ ? arenas.put_back(node_) : delete node_; }

  template <class F>
  void execute(const F& f) {
    node_->arena.initialize();
    started_ = true;
    node_->arena.execute(f);
  }

 private:
  spare_arenas::node* node_;
  bool started_ = false;
};

// The largest number of threads TBB will run. It warns on stderr if an arena asks for more.
int allowed_threads() {
  const auto allowed = oneapi::tbb::global_control::active_value(oneapi::tbb::global_control::max_allowed_parallelism);
  return static_cast<int>(std::min<std::size_t>(allowed, shared_work::max_participants));
}
// If TBB runs out of memory while it starts, it may keep a lock, and the next call waits for ever. From then on plain
// threads are used.
std::atomic<bool> failed_to_start{false};

// One more than the count of forks in the process that called TBB first. In a child TBB does not know that its threads
// are gone.
constinit std::atomic<std::uint32_t> called_in{0};

// The number of threads that f() returns. TBB allocates when a thread calls it for the first time.
template <class F>
int or_alone(const F& f) noexcept {
  try {
    return f();
  } catch (...) {
    failed_to_start = true;
    return 1;
  }
}

int place_here() noexcept {
  const int place = oneapi::tbb::this_task_arena::current_thread_index();
  return place < 0 ? 0 : place;
}

// What comes before run() happens before the task, and the task happens before what follows wait().
void run_here(shared_work& work) {
  // In an isolated context, a cancellation of the caller's own task group does not skip tasks of this loop. A thread
  // that waits takes up no other tasks than this loop's.
  oneapi::tbb::this_task_arena::isolate([&work] {
    oneapi::tbb::task_group_context context(oneapi::tbb::task_group_context::isolated);
    oneapi::tbb::task_group helpers(context);
    const auto help = [&work]() BROADLOOM_UNSEEN {
      takes_over(&work);
      work.take_part(place_here());
      hands_over(&work);
    };
    hands_over(&work);
    try {
      for (int i = 1; i < work.participants(); ++i) helpers.run(help);
    } catch (...) {
      // Too little memory for another task: the loop runs with fewer helpers.
    }
    // The caller works until no block is left, so no block depends on TBB starting a task.
    work.take_part(place_here());
    helpers.wait();
    takes_over(&work);
  });
}
#undef BROADLOOM_UNSEEN

// Once the library's static objects are being destroyed, TBB's are next: later loops do without it.
struct until_exit {
  ~until_exit() { failed_to_start = true; }
} until_static_objects_are_destroyed;

}  // namespace

bool tbb_runs() noexcept {
  if (failed_to_start.load(std::memory_order_relaxed)) return false;
  const std::uint32_t here = fork_count() + 1;
  std::uint32_t first = called_in.load(std::memory_order_relaxed);
  if (first == 0 && called_in.compare_exchange_strong(first, here, std::memory_order_relaxed)) return true;
  return first == here;
}

int max_threads_tbb() noexcept {
  if (!tbb_runs()) return max_threads_threads();
  return or_alone([] { return std::min(oneapi::tbb::this_task_arena::max_concurrency(), allowed_threads()); });
}

void parallel_for_tbb(index blocks, int threads, block_fn body, void* context) {
  const int here = max_threads_tbb();
  if (!tbb_runs()) return parallel_for_threads(blocks, threads, body, context);
  const int wanted = threads > 0 ? std::min(threads, or_alone(allowed_threads)) : here;
  const int participants = static_cast<int>(std::min<index>(wanted, blocks));
  if (participants <= 1) return body(context, 0, blocks);
  shared_work work(blocks, participants, body, context);
  try {
    if (wanted == here) {
      run_here(work);
    } else {
      arena_lease arena(wanted);
      arena.execute([&work] { run_here(work); });
    }
  } catch (const std::bad_alloc&) {
    // Thrown by TBB itself, as exceptions of bodies are kept in `work`. The caller runs the blocks that are left.
    failed_to_start = true;
    work.take_part(0);
  }
  work.rethrow_if_failed();
}

}  // namespace broadloom::runtime
