// Parallel loops on a pool of plain threads: for race detectors, which cannot follow TBB, and to compare with TBB.
#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <new>
#include <thread>

#include "scheduler_work.hpp"

namespace broadloom::runtime {

namespace {

// A loop that workers may join. It lives on its caller's stack until the last worker has left.
struct open_loop {
  shared_work& work;
  int places_taken = 1;
  int helpers = 0;
  open_loop* next = nullptr;
};

class thread_pool {
 public:
  void run(open_loop& loop) {
    const int helpers = loop.work.participants() - 1;
    {
      std::unique_lock lock(mutex_);
      grow(helpers);
      loop.next = first_;
      first_ = &loop;
    }
    if (helpers == 1)
      opened_.notify_one();
    else
      opened_.notify_all();
    loop.work.take_part(0);
    std::unique_lock lock(mutex_);
    close(loop);
    left_.wait(lock, [&loop] { return loop.helpers == 0; });
  }

 private:
  // Workers are started when first needed and sleep between loops. If the system refuses another, the loop runs with
  // those that exist.
  void grow(int wanted) {
    for (; workers_ < wanted; ++workers_) {
      try {
        std::thread([this] { run_worker(); }).detach();
      } catch (const std::exception&) {
        return;
      }
    }
  }

  void close(open_loop& loop) noexcept {
    for (open_loop** link = &first_; *link != nullptr; link = &(*link)->next)
      if (*link == &loop) {
        *link = loop.next;
        return;
      }
  }

  void run_worker() {
    std::unique_lock lock(mutex_);
    for (;;) {
      opened_.wait(lock, [this] { return first_ != nullptr; });
      open_loop& loop = *first_;
      const int place = loop.places_taken++;
      ++loop.helpers;
      if (loop.places_taken == loop.work.participants()) close(loop);
      lock.unlock();
      loop.work.take_part(place);
      lock.lock();
      if (--loop.helpers == 0) left_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable opened_;
  std::condition_variable left_;
  open_loop* first_ = nullptr;
  int workers_ = 0;
};

alignas(thread_pool) std::byte room[sizeof(thread_pool)];

// Never destroyed, because its threads are never joined.
thread_pool& pool() {
  static thread_pool* const the_pool = new (room) thread_pool;
  return *the_pool;
}

// Made when the library is loaded: a fork while another thread made it would leave it half made in the child.
[[maybe_unused]] thread_pool& made_early = pool();

}  // namespace

// The child has none of the threads, and a lock may have been held by one of them.
void forget_workers() noexcept { new (room) thread_pool; }

int max_threads_threads() noexcept {
  static constinit std::atomic<int> known{0};
  int threads = known.load(std::memory_order_relaxed);
  if (threads == 0) {
    threads = std::clamp(static_cast<int>(std::thread::hardware_concurrency()), 1, shared_work::max_participants);
    known.store(threads, std::memory_order_relaxed);
  }
  return threads;
}

void parallel_for_threads(index blocks, int threads, block_fn body, void* context) {
  const int wanted = std::min(threads > 0 ? threads : max_threads_threads(), shared_work::max_participants);
  const int participants = static_cast<int>(std::min<index>(wanted, blocks));
  if (participants <= 1) return body(context, 0, blocks);
  shared_work work(blocks, participants, body, context);
  open_loop loop{work};
  pool().run(loop);
  work.rethrow_if_failed();
}

}  // namespace broadloom::runtime
