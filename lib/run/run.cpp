// Where the interpreter runs: on one thread or many, and for boxes and rows that are planned once.
#include "run.hpp"

#include <chrono>
#include <cstdint>

#include "../base/for_each.hpp"
#include "../base/frame.hpp"
#include "../base/tuned.hpp"
#include "../move/copy.hpp"
#include "../plan/bound.hpp"
#include "../plan/row_strides.hpp"
#include "../plan/work.hpp"
#include "alias_copies.hpp"

namespace broadloom::runtime {

int choose_threads(const nest& n, const blocks& b, const program& code, const options& how) {
  if (how.threads == 1 || b.count < 2) return 1;
  const double elements = static_cast<double>(n.size());
  double per_element = 0;  // nanoseconds on one thread
  const auto number = [&n](int k) { return n.list[k].scalar ? n.list[k].base : nullptr; };
  for (int k = 0; k < n.arrays; ++k)
    per_element += n.list[k].scalar || n.list[k].ramp ? 0 : static_cast<double>(n.list[k].size) * limits::work::of_byte;
  for (int s = 0; s < code.stage_count; ++s) per_element += stage_ns(code.stages[s], number);
  if (how.threads == 0 && stays_serial(elements * per_element)) return 1;
  const int most = how.threads == 0 ? max_threads() : how.threads;
  return b.count < most ? static_cast<int>(b.count) : most;
}

namespace {

// Whether the first block is timed, as nothing else tells how long the others take. Of fewer blocks two threads would
// have too little.
constexpr index timed_blocks = 4;
bool times_first_block(const blocks& b, const program& code, const options& how) {
  if (how.threads != 0 || b.count < timed_blocks || control_here != nullptr) return false;
  for (int s = 0; s < code.stage_count; ++s)
    if (takes_unknown_time(code.stages[s])) return max_threads() > 1;
  return false;
}

}  // namespace

void execute_as_is(const problem& p) {
  const planned_program x(p, false);
  const blocks& b = x.nest.cutting;
  const auto run = [&](index first, index last) {
    const frame f(x.runs.frame_bytes());
    x.runs.start(f.data());
    x.runs.run(f.data(), first, last);
    if (b.streamed) fence();
  };
  int threads = choose_threads(x.nest.loops, b, p.code, p.how);
  index begun = 0;
  if (threads == 1 && times_first_block(b, p.code, p.how)) {
    using clock = std::chrono::steady_clock;
    const clock::time_point start = clock::now();
    run(0, 1);
    begun = 1;
    const std::chrono::duration<double, std::nano> took = clock::now() - start;
    if (!stays_serial(took.count() * static_cast<double>(b.count - 1))) threads = 0;
  }
  for_ranges(b.count - begun, threads, [&](index first, index last) { run(first + begun, last + begun); });
}

namespace {

struct executed_steps {
  void shared(int) const {}
  void hoisted(const hoisting& h) { plan_without_sharing(h.part(), *this); }
  void copied(const problem& p, const alias_decision& d) const {
    const alias_copies copies(p, d);
    copies.before();
    execute_as_is(copies.inner());
    copies.after();
  }
  void run(const problem& p) const { execute_as_is(p); }
};

}  // namespace

void execute(const problem& p) {
  executed_steps steps;
  plan_steps(p, steps);
}

box_runner::box_runner(const problem& p)
    : boxes_(p, true),
      memory_(static_cast<index>(boxes_.runs.frame_bytes())),
      shifts_(static_cast<std::size_t>(p.operand_count + 1)) {
  const nest& n = boxes_.nest.loops;
  for (int k = 0; k < n.arrays; ++k)
    shifts_[k] = static_cast<index>(reinterpret_cast<std::uintptr_t>(n.list[k].base) -
                                    reinterpret_cast<std::uintptr_t>(k == n.output() ? p.out : p.operands[k].data));
  boxes_.runs.start(memory_.data());
}

void box_runner::operator()(const std::byte* const* operands, std::byte* out) const {
  const int last = boxes_.nest.loops.output();
  for (int k = 0; k < last; ++k) boxes_.runs.move(memory_.data(), k, moved(operands[k], shifts_[k]));
  boxes_.runs.move(memory_.data(), last, moved(out, shifts_[last]));
  boxes_.runs.run(memory_.data(), 0, boxes_.nest.cutting.count);
}

namespace {

// Whether a stage before the last gives the same elements for all rows: these are computed once, by others.
bool repeats_stages(const problem& p, int axis) {
  const int last = p.code.stage_count - 1;
  small_array<bool, 16> moves(static_cast<std::size_t>(last));
  find_dependent(p, axis, last, moves.data());
  for (int s = 0; s < last; ++s)
    if (!moves[s]) return true;
  return false;
}

// Whether rows along `axis` are the outermost loop, which runs upwards, and each lies along memory or is one element
// again and again.
bool are_plain_rows(const problem& p, int axis, const row_strides& where) {
  const row_stride out = where[p.operand_count];
  const index n = where.n();
  const auto in_one = [n](const row_stride& x) { return n == 1 ? x.across == 1 : x.along == 1 && x.across == n; };
  bool flat = in_one(out);
  for (int k = 0; k < p.operand_count; ++k) flat = flat && (p.operands[k].is_scalar || in_one(where[k]));
  return where.works() && (flat || (n >= limits::blocks::short_row && out.along == 1 && out.across >= n)) &&
         !repeats_stages(p, axis);
}

}  // namespace

row_runner::row_runner(const problem& p, int axis, index most, bool streamed) : most_(most) {
  const row_strides where(p, axis, true);
  elements_ = where.side() * where.n();
  if (!are_plain_rows(p, axis, where)) return;
  part_of_problem rows(p, axis, 0, most);
  if (!streamed) rows.problem.how.whole_bytes = 0;
  rows_.emplace(rows.problem, false, most);
}

void row_runner::operator()(const std::byte* const* operands, std::byte* out, index rows, std::byte* scratch,
                            row_prefetcher* prefetcher) const {
  const nest& n = rows_->nest.loops;
  const index leading = n.rank == 0 ? 1 : n.extents[0] / most_ * rows;
  rows_->runs.run_rows(scratch, operands, out, leading, prefetcher);
}

}  // namespace broadloom::runtime
