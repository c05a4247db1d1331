// Several assignments at once. Those that would disturb each other write to temporaries; then blocks small enough for
// the second-level cache go through one assignment after the other.
#include <cstdint>
#include <deque>
#include <vector>

#include <broadloom/core/storage.hpp>
#include <broadloom/plan/problem.hpp>

#include "../base/extents.hpp"
#include "../base/for_each.hpp"
#include "../base/memory_block.hpp"
#include "../base/smaller.hpp"
#include "../base/tuned.hpp"
#include "../plan/alias.hpp"
#include "../plan/bound.hpp"
#include "../plan/hoist.hpp"
#include "../plan/work.hpp"
#include "../reduce/kernels.hpp"
#include "../run/alias_copies.hpp"
#include "../run/run.hpp"
#include "interleaved.hpp"

namespace broadloom::runtime {

namespace {

constexpr index least_pieces = 4;  // of an array that is reduced more than once: fewer stay in a cache anyway

bool same_shape(const target_array& a, const target_array& b) {
  if (a.rank != b.rank) return false;
  for (int i = 0; i < a.rank; ++i)
    if (a.extents[i] != b.extents[i]) return false;
  return true;
}

index size_of_shape(const target_array& x) { return product(x.extents, x.rank); }

bool has_barriers(const intention& x) {
  for (int k = 0; k < x.leaf_count; ++k)
    if (x.leaves[k].from != nullptr) return true;
  return false;
}

// Problem p as if it wrote to the output of q, which has the same extents.
problem with_output_of(problem p, const problem& q) {
  p.out = q.out;
  p.out_strides = q.out_strides;
  p.out_type = q.out_type;
  return p;
}

// Whether q's writing its output at once, in blocks, before or after p's block, would change what another block of p
// reads.
bool disturbs(const problem& q, bool q_first, const problem& p) {
  const problem x = with_output_of(p, q);
  for (int k = 0; k < p.operand_count; ++k)
    if (conflicts(x, k) || (q_first && coincides(x, k))) return true;
  return false;
}

bool outputs_disturb(const problem& a, const problem& b) {
  problem x = a;
  const operand other{b.out, b.out_strides, b.out_type, false, false, nullptr};
  x.operands = &other;
  x.operand_count = 1;
  return conflicts(x, 0);
}

// A result that waits until every other is there.
struct waiting {
  memory_block memory;
  target_array out;
  std::vector<index> strides;  // of the memory: row-major

  explicit waiting(const target_array& o)
      : memory(size_of_shape(o) * size_of(o.type)), out(o), strides(static_cast<std::size_t>(o.rank)) {
    write_row_major(o.extents, o.rank, strides.data());
  }
  void deliver(const options& how) const {
    small_array<index, 16> to(static_cast<std::size_t>(out.rank));
    bind_strides(as_leaf(out), to.data(), out.rank);
    copy_array(out.type, memory.data(), strides.data(), out.data, to.data(), out.rank, out.extents, how);
  }
};

// ---------------------------------------------------------------- one after the other
// Sources that were looked at are remembered: many may read one.
bool reads(const leaf_array& x, std::uintptr_t low, std::uintptr_t high, std::vector<const source*>& seen) {
  if (x.from == nullptr) return may_overlap(x, low, high);
  const source& s = *x.from;
  if (s.evaluate != nullptr)
    return s.reads == nullptr ||
           s.reads(s.node, reinterpret_cast<const void*>(low), reinterpret_cast<const void*>(high));
  for (const source* known : seen)
    if (known == &s) return false;
  seen.push_back(&s);
  for (int k = 0; k < s.leaf_count; ++k)
    if (reads(s.leaves[k], low, high, seen)) return true;
  return false;
}

void one_after_the_other(const intention* all, int count, const options& how) {
  std::deque<waiting> results;
  for (int i = 0; i < count; ++i) {
    const target_array& out = all[i].out;
    if (size_of_shape(out) == 0) continue;
    const auto [low, high] = memory_of(as_leaf(out));
    bool waits = !results.empty();  // so that overlapping outputs are written in order
    std::vector<const source*> seen;
    for (int j = i + 1; j < count && !waits; ++j)
      for (int k = 0; k < all[j].leaf_count && !waits; ++k) waits = reads(all[j].leaves[k], low, high, seen);
    target_array to = out;
    if (waits) {
      to.data = results.emplace_back(out).memory.data();
      to.strides = nullptr;
    }
    assign(to, all[i].leaves, all[i].leaf_count, *all[i].code, how);
  }
  for (const waiting& w : results) w.deliver(how);
}

// ---------------------------------------------------------------- one array, reduced as a whole more than once
// The source that an assignment copies to one element, if it is one array's, in memory in row-major order; else null.
const source* whole_array(const intention& x) {
  const auto copies_one = [](const program& code, int leaves) {
    return leaves == 1 && code.stage_count == 1 && code.stages->copies;
  };
  if (!copies_one(*x.code, x.leaf_count) || size_of_shape(x.out) != 1) return nullptr;
  const source* const s = x.leaves->from;
  if (s == nullptr || s->evaluate != nullptr || s->type != x.out.type || !copies_one(*s->code, s->leaf_count))
    return nullptr;
  const leaf_array& of = *s->leaves;
  const unsigned axes = s->in_rank >= 32 ? ~0U : (1U << s->in_rank) - 1;
  if (of.from != nullptr || of.is_scalar || of.strides != nullptr || of.rank != s->in_rank || of.type != s->type ||
      s->reduced != axes || s->at != nullptr)
    return nullptr;
  for (int i = 0; i < of.rank; ++i)
    if (of.extents[i] != s->in_extents[i]) return nullptr;
  const reduce_kernels* const k = find_kernels(s->how, s->type, active_isa());
  return k != nullptr && k->one != nullptr && k->position == nullptr && k->finish == nullptr ? s : nullptr;
}

// What finds the smallest and the largest element of such an array together; null where something else is asked for.
min_max_of_one* both_of(const source& a, const source& b) {
  const bool min_first = a.how == reduction::amin && b.how == reduction::amax;
  return min_first || (a.how == reduction::amax && b.how == reduction::amin) ? find_min_max(a.type, active_isa())
                                                                             : nullptr;
}

// Pieces of the array that stay in the second-level cache go through one reduction after the other, or through one loop
// for both. As each is a power of two of strips, results are those of the whole.
bool reduce_by_pieces(const intention* all, int count, const options& how) {
  const source* const first = whole_array(all[0]);
  if (first == nullptr) return false;
  const leaf_array& x = *first->leaves;
  for (int i = 1; i < count; ++i)
    if (const source* const s = whole_array(all[i]);
        s == nullptr || s->leaves->data != x.data || s->type != first->type ||
        product(s->in_extents, s->in_rank) != product(first->in_extents, first->in_rank))
      return false;
  const index n = product(x.extents, x.rank), size = size_of(x.type);
  min_max_of_one* const both = count == 2 && n > 0 ? both_of(*first, *all[1].leaves->from) : nullptr;
  const int least = both != nullptr && first->how == reduction::amax ? 1 : 0;  // which of the two is that
  index piece = limits::strip;
  while (2 * piece * size <= tuned_size(tuned::block_bytes)) piece *= 2;
  const index pieces = divide_up(n, piece);
  if (both != nullptr && pieces == 1) {
    alignas(16) std::byte found[2][16];
    both(x.data, n, found[least], found[1 - least]);
    for (int i = 0; i < 2; ++i) __builtin_memcpy(all[i].out.data, found[i], static_cast<std::size_t>(size));
    return true;
  }
  if (both == nullptr && pieces < least_pieces) return false;
  const memory_block partial(count * pieces * size);
  const auto kernels = [&](int i) { return find_kernels(all[i].leaves->from->how, x.type, active_isa()); };
  const double ns = static_cast<double>(size) * limits::work::of_byte + count * limits::work::of_reduction;
  for_each(pieces, threads_for(how.threads, static_cast<double>(n) * ns), [&](index k) {
    const std::byte* const from = static_cast<const std::byte*>(x.data) + k * piece * size;
    const index here = smaller(piece, n - k * piece);
    const auto to = [&](int i) { return partial.data() + (i * pieces + k) * size; };
    if (both != nullptr) return both(from, here, to(least), to(1 - least));
    for (int i = 0; i < count; ++i) kernels(i)->one(from, here, to(i));
  });
  for (int i = 0; i < count; ++i) kernels(i)->tree(partial.data() + i * pieces * size, pieces, 1, all[i].out.data);
  return true;
}

// ---------------------------------------------------------------- block by block
class blocks_of_all {
 public:
  blocks_of_all(const problem* all, int count) : all_(all), count_(count), axis_(0) {
    const problem& p = all[0];
    const index block_bytes = tuned_size(tuned::block_bytes);
    const auto serial_bytes = 4 * static_cast<double>(tuned_size(tuned::serial_bytes));
    const index n = product(p.extents, p.rank);
    index bytes = 0, whole = 0;
    for (int s = 0; s < count; ++s) {
      bytes += size_of(all[s].out_type);
      for (int k = 0; k < all[s].operand_count; ++k)
        if (!all[s].operands[k].is_scalar && !read_before(s, k)) bytes += size_of(all[s].operands[k].type);
    }
    whole = bytes * n;
    index most = block_bytes / bytes < 4096 ? 4096 : block_bytes / bytes;  // elements
    if (static_cast<double>(whole) < serial_bytes) most = n;               // all of it stays in the caches anyway
    // the axis that is cut: what lies inside of one of its steps is no more than a block
    index inner = n;
    for (; axis_ < p.rank; ++axis_) {
      inner /= p.extents[axis_];
      if (inner <= most) break;
      outer_ *= p.extents[axis_];
    }
    if (axis_ == p.rank) {  // rank 0
      length_ = extent_ = 1;
    } else {
      extent_ = p.extents[axis_];
      length_ = most / inner < 1 ? 1 : most / inner;
    }
    pieces_ = divide_up(extent_, length_);
    how_ = p.how;
    threads_ = how_.threads == 1 || static_cast<double>(whole) < serial_bytes ? 1
               : how_.threads == 0                                            ? max_threads()
                                                                              : how_.threads;
    how_.threads = 1;
    if (how_.whole_bytes < whole) how_.whole_bytes = whole;
  }

  void run() const {
    for_ranges(outer_ * pieces_, threads_, [this](index first, index last) { range(first, last); });
  }

 private:
  // Whether an operand begins where an earlier one does: as a rule the two are one array.
  bool read_before(int s, int k) const {
    for (int t = 0; t <= s; ++t)
      for (int j = 0; j < (t == s ? k : all_[t].operand_count); ++j)
        if (all_[t].operands[j].data == all_[s].operands[k].data) return true;
    return false;
  }

  void range(index first, index last) const {
    const index rank = all_[0].rank;
    small_array<index, 16> extents(static_cast<std::size_t>(rank));
    int most = 0;
    for (int s = 0; s < count_; ++s) most = all_[s].operand_count > most ? all_[s].operand_count : most;
    small_array<operand, 16> operands(static_cast<std::size_t>(most));
    for (index b = first; b < last; ++b) {
      const index at = b % pieces_ * length_;
      for (index i = 0; i < rank; ++i) extents[i] = i < axis_ ? 1 : all_[0].extents[i];
      if (axis_ < rank) extents[axis_] = extent_ - at < length_ ? extent_ - at : length_;
      const auto moved = [&](const index* strides) {
        index offset = axis_ < rank ? at * strides[axis_] : 0, rest = b / pieces_;
        for (index i = axis_; i-- > 0;) {
          offset += rest % all_[0].extents[i] * strides[i];
          rest /= all_[0].extents[i];
        }
        return offset;
      };
      for (int s = 0; s < count_; ++s) {
        problem p = all_[s];
        for (int k = 0; k < p.operand_count; ++k) {
          operands[k] = p.operands[k];
          if (!operands[k].is_scalar)
            operands[k].data = static_cast<const std::byte*>(operands[k].data) +
                               moved(operands[k].strides) * size_of(operands[k].type);
        }
        p.out = static_cast<std::byte*>(p.out) + moved(p.out_strides) * size_of(p.out_type);
        p.extents = extents.data();
        p.operands = operands.data();
        p.how = how_;
        execute_as_is(p);
      }
    }
  }

  const problem* all_;
  int count_;
  index axis_;
  index outer_ = 1, pieces_ = 1, extent_ = 1, length_ = 1;
  int threads_ = 1;
  options how_;
};

// Parts that are evaluated once are taken out of every problem first; their memory lives until the last block is done.
void run_hoisted(problem* all, int count) {
  for (int i = 0; i < count; ++i)
    if (const int s = hoistable_stage(all[i]); s >= 0) {
      const hoisting h(all[i], s);
      execute(h.part());
      all[i] = h.rest();
      return run_hoisted(all, count);
    }
  blocks_of_all(all, count).run();
}

}  // namespace

void assign_all(const intention* all, int count, const options& how) {
  if (count == 0) return;
  if (all[0].code == nullptr) {
    const std::byte* from[4] = {};
    for (int c = 0; c < count; ++c) from[c] = static_cast<const std::byte*>(all[c].leaves[0].data);
    return copy_by_turns(all[0].out.data, from, size_of(all[0].out.type), all[0].out.extents[0], count, how);
  }
  bool together = true;
  for (int i = 0; i < count; ++i) together = together && same_shape(all[0].out, all[i].out) && !has_barriers(all[i]);
  if (!together && reduce_by_pieces(all, count, how)) return;
  if (!together) return one_after_the_other(all, count, how);
  if (size_of_shape(all[0].out) == 0) return;

  std::deque<bound_problem> bound;
  std::vector<problem> problems;
  for (int i = 0; i < count; ++i)
    problems.push_back(bound.emplace_back(all[i].out, all[i].leaves, all[i].leaf_count, *all[i].code, how).problem);
  std::deque<waiting> results;
  std::vector<char> waits(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i)
    for (int j = 0; j < count; ++j) {
      const problem &a = problems[static_cast<std::size_t>(i)], &b = problems[static_cast<std::size_t>(j)];
      if (disturbs(a, i < j, b)) waits[static_cast<std::size_t>(i)] = 1;
      if (i != j && outputs_disturb(a, b)) waits[static_cast<std::size_t>(i)] = 1;
    }
  // Of outputs that coincide the last one remains: it must not be delivered before another.
  for (int i = 0; i < count; ++i)
    for (int j = i + 1; j < count; ++j)
      if (waits[static_cast<std::size_t>(i)] && all[i].out.data == all[j].out.data)
        waits[static_cast<std::size_t>(j)] = 1;
  for (int i = 0; i < count; ++i)
    if (waits[static_cast<std::size_t>(i)]) {
      problem& p = problems[static_cast<std::size_t>(i)];
      const waiting& w = results.emplace_back(all[i].out);
      p.out = w.memory.data();
      p.out_strides = w.strides.data();
    }
  if (results.empty() && assign_interleaved(problems.data(), count)) return;
  run_hoisted(problems.data(), count);
  for (const waiting& w : results) w.deliver(how);
}

}  // namespace broadloom::runtime
