// Parallel loops on oneTBB, inside the caller's arena or one of a given size.
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_group.h>

#include <algorithm>
#include <mutex>

#include "scheduler_work.hpp"

namespace broadloom::runtime {

namespace {

// An arena is costly to make, so a used one waits here for the next loop of its size. One serves one loop at a time:
// a second caller in it would find its places taken and run on somebody else's thread.
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

// Never destroyed: TBB's own state may be gone by the time static objects are.
constinit spare_arenas arenas;

class arena_lease {
 public:
  explicit arena_lease(int threads) : node_(arenas.take(threads)) {}
  arena_lease(const arena_lease&) = delete;
  arena_lease& operator=(const arena_lease&) = delete;
  ~arena_lease() { arenas.put_back(node_); }
  oneapi::tbb::task_arena& operator*() const noexcept { return node_->arena; }

 private:
  spare_arenas::node* node_;
};

// As many threads as TBB will ever run: it warns on stderr when an arena asks for more.
int allowed_threads() noexcept {
  const auto allowed = oneapi::tbb::global_control::active_value(oneapi::tbb::global_control::max_allowed_parallelism);
  return static_cast<int>(std::min<std::size_t>(allowed, shared_work::most_participants));
}

int place_here() noexcept {
  const int place = oneapi::tbb::this_task_arena::current_thread_index();
  return place < 0 ? 0 : place;
}

void run_here(shared_work& work) {
  // The isolated context keeps a cancellation in the caller's own task group from skipping tasks here. While it waits,
  // a thread takes up nothing but this loop's tasks.
  oneapi::tbb::this_task_arena::isolate([&work] {
    oneapi::tbb::task_group_context context(oneapi::tbb::task_group_context::isolated);
    oneapi::tbb::task_group helpers(context);
    const auto help = [&work] { work.take_part(place_here()); };
    try {
      for (int i = 1; i < work.participants(); ++i) helpers.run(help);
    } catch (...) {
      // Too little memory for another task: the loop runs with fewer helpers.
    }
    // The caller works until nothing is left to take, so that no block depends on TBB starting a task.
    work.take_part(place_here());
    helpers.wait();
  });
}

}  // namespace

int max_threads_tbb() noexcept { return std::min(oneapi::tbb::this_task_arena::max_concurrency(), allowed_threads()); }

void parallel_for_tbb(index blocks, int threads, block_fn body, void* context) {
  const int here = max_threads_tbb();
  const int wanted = threads > 0 ? std::min(threads, allowed_threads()) : here;
  const int participants = static_cast<int>(std::min<index>(wanted, blocks));
  if (participants <= 1) return body(context, 0, blocks);
  shared_work work(blocks, participants, body, context);
  if (wanted == here) {
    run_here(work);
  } else {
    const arena_lease arena(wanted);
    (*arena).execute([&work] { run_here(work); });
  }
  work.rethrow_if_failed();
}

}  // namespace broadloom::runtime
