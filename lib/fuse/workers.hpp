// Threads that compute blocks of rows, and what each of them has planned.
#pragma once

#include <deque>
#include <mutex>

#include "fused_step.hpp"

namespace broadloom::runtime {

// What a thread plans, and asks for, while it computes blocks; kept for the next blocks that a thread takes.
struct worker {
  std::deque<fused_step::block_plan> plans;
  row_prefetcher prefetcher;
  worker* next;
};
class workers {
 public:
  // `too_few`: so few blocks that planning is not worth it.
  workers(const std::deque<fused_step>& steps, const fused_step& consumer, bool too_few)
      : steps_(steps), consumer_(consumer), too_few_(too_few) {}

  worker& take() {
    const std::lock_guard lock(mutex_);
    if (idle_ != nullptr) {
      worker& x = *idle_;
      idle_ = x.next;
      return x;
    }
    worker& x =
        all_.emplace_back(worker{std::deque<fused_step::block_plan>(steps_.size() + 1), row_prefetcher(), nullptr});
    if (too_few_)
      for (fused_step::block_plan& plan : x.plans) plan.rows = -1;
    for (const fused_step& u : steps_) u.list_rows(x.prefetcher);
    consumer_.list_rows(x.prefetcher);
    return x;
  }
  void put_back(worker& x) {
    const std::lock_guard lock(mutex_);
    x.next = idle_;
    idle_ = &x;
  }

 private:
  const std::deque<fused_step>& steps_;
  const fused_step& consumer_;
  bool too_few_;
  std::mutex mutex_;
  std::deque<worker> all_;
  worker* idle_ = nullptr;
};

}  // namespace broadloom::runtime
