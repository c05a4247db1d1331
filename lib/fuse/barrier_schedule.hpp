// Barriers, each once, in the order of their dependencies, and then the tree that reads them. A barrier is computed row
// block by row block if rows [i, j) of every reader read only rows [i, j) of it.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "fused_step.hpp"

namespace broadloom::runtime {

struct scheduled_step {
  const source* from;
  bool by_rows;
  int readers = 0;         // leaves of different programs
  bool contracts;          // computed by tiles
  index size, row, leads;  // elements of the result, in all and for one index of its leading axis; its extent
  std::size_t place = 0;   // by rows: of its block, in the thread's scratch; else: in the memory for whole results
  std::unique_ptr<fused_step> program;  // of the tree, and of programs that are computed by rows
};

class barrier_schedule {
 public:
  barrier_schedule() = default;
  barrier_schedule(const barrier_schedule&) = delete;
  barrier_schedule& operator=(const barrier_schedule&) = delete;

  // Lists what is to be computed.
  void collect(const target_array& out, const leaf_array* leaves, int count, const program& code, const options& how);
  // Decides what is computed by rows, and how many at a time.
  void decide(const target_array& out, const options& how);

  std::span<scheduled_step> barriers() { return {steps.data(), steps.size() - 1}; }
  std::span<const scheduled_step> barriers() const { return {steps.data(), steps.size() - 1}; }
  const scheduled_step& of(const source& s) const { return steps[find(s)]; }

  std::vector<scheduled_step> steps;
  bool any_rows = false, selects = false;   // selects: there is a gather that its reader may do itself
  int row_axis = -1;                        // of the output
  index rows_at_once = 1, cached_rows = 1;  // in a block, and in the first-level cache
  int threads = 1;
  index bytes = 0;  // of all that blocks of rows read and write, each array once

 private:
  std::size_t find(const source& s) const;
  void add(const source& s, const options& how);

  source tree_;
};

}  // namespace broadloom::runtime
