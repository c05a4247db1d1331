// Trees with barriers, that is reductions, products and `let`: a barrier is computed row block by row block if rows
// [i, j) of every reader read only rows [i, j) of it, so that it is still in cache when they do. The others are
// computed whole, before.
#pragma once

#include <optional>

#include <broadloom/plan/problem.hpp>

#include "../base/memory_block.hpp"
#include "fused_gather.hpp"
#include "row_executor.hpp"

namespace broadloom::runtime {

// Whether the tree is a barrier's result, as it is, and the output has no gaps and no memory that the barrier reads.
bool fits_in_output(const target_array& out, const leaf_array* leaves, int count, const program& code);
// Then the barrier is computed there; or, where `plan` is not null, that gets how it is reduced.
void compute_in_output(const target_array& out, const source& s, const options& how, reduction_plan* plan = nullptr);

// An assignment some of whose leaves are deferred: what is computed whole, what by rows, and how. Nothing is computed
// before run(). Throws std::bad_alloc.
class barrier_plan {
 public:
  barrier_plan(const target_array& out, const leaf_array* leaves, int count, const program& code, const options& how);
  barrier_plan(const barrier_plan&) = delete;
  barrier_plan& operator=(const barrier_plan&) = delete;

  // Whether selected rows are read where they are; and the barrier that then is the output, or null: then there are no
  // others.
  bool gathers() const { return gathers_ && gathers_->any(); }
  const source* in_output() const { return in_output_; }
  // The barrier that is the output, after others that it reads, or null.
  const scheduled_step* last_in_output() const { return last_; }
  // After `whole` the consumer takes a way of its own.
  barrier_way way() const { return executor_ ? executor_->way() : barrier_way::whole; }
  const barrier_schedule& schedule() const { return schedule_; }
  const problem& consumer() const { return schedule_.steps.back().program->whole(); }
  // How a barrier is reduced; no plan where it is not.
  reduction_plan reduced(const scheduled_step& p) const;
  void run();

 private:
  void compute_whole(const scheduled_step& p, std::byte* memory, reduction_plan* plan) const;

  const target_array& out_;
  const options& how_;
  std::optional<fused_gathers> gathers_;
  const source* in_output_ = nullptr;
  barrier_schedule schedule_;
  const scheduled_step* last_ = nullptr;
  std::optional<memory_block> whole_;     // results that are computed whole
  std::optional<row_executor> executor_;  // empty unless barriers are computed by rows
};

void assign_with_barriers(const target_array& out, const leaf_array* leaves, int count, const program& code,
                          const options& how);

}  // namespace broadloom::runtime
