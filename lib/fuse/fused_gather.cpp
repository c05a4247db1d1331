// Which reductions read selected rows where they are: those whose rows lie along memory, each of which is read once,
// and that have a loop for it. Elsewhere it takes longer than to gather the rows block by block, 1.0 to 3 times.
#include "fused_gather.hpp"

#include "../base/extents.hpp"
#include "../base/limits.hpp"

#include <cstdint>
#include <vector>

#include <broadloom/index/problem.hpp>

#include "../plan/bound.hpp"
#include "../reduce/reduce.hpp"
#include "barrier_schedule.hpp"

namespace broadloom::runtime {

namespace {

using limits::fusing::least_row;
constexpr int max_leaves = first_stage - 16;

// Whether this is a reduction whose sequences are interleaved in its input's last axis, and there is a loop that
// reduces them together. Others read memory in short chunks: for them it is faster to gather the rows first.
bool may_read_rows(const source& s) {
  int inner = s.in_rank - 1;
  while (inner >= 0 && s.in_extents[inner] == 1) --inner;
  return s.lines != nullptr && inner >= 0 && (s.reduced >> inner & 1) == 0;
}

}  // namespace

fused_gathers::fused_gathers(const target_array& out, const leaf_array* leaves, int count, const barrier_schedule& all)
    : all_(all) {
  const address_range written = memory_of(as_leaf(out));
  low_ = reinterpret_cast<const void*>(written.low);
  high_ = reinterpret_cast<const void*>(written.high);
  fused_ = rewrite({leaves, count, nullptr}, nullptr);
}

// `reduction`: whose leaves these are, if it may read selected rows.
fused_gathers::list fused_gathers::rewrite(const list& x, const source* reduction) {
  new_list& to = lists_.emplace_back();
  to.leaves.assign(x.leaves, x.leaves + x.count);
  to.at.assign(static_cast<std::size_t>(x.count), nullptr);
  for (std::size_t k = 0; k < static_cast<std::size_t>(x.count); ++k) {
    const source* const s = x.leaves[k].from;
    if (s == nullptr || s->is_ramp) continue;
    if (s->elements == nullptr) {
      if (s->evaluate == nullptr) to.leaves[k].from = rewritten(*s);
    } else if (reduction != nullptr) {
      fuse(x.leaves[k], reduction->in_extents, reduction->in_rank, to, k);
    }
  }
  const int all = static_cast<int>(to.leaves.size());
  return {to.leaves.data(), all, all == x.count ? nullptr : to.at.data()};
}

// Once, however many read it.
const source* fused_gathers::rewritten(const source& s) {
  for (const rewriting& x : rewritten_)
    if (x.from == &s) return x.to;
  const list given{s.leaves, s.leaf_count, nullptr};
  list own = rewrite(given, s.how != reduction::none && may_read_rows(s) ? &s : nullptr);
  if (own.count != given.count) {
    const bound_problem whole({nullptr, s.in_extents, nullptr, s.in_rank, s.type}, own.leaves, own.count, *s.code, {1},
                              own.at);
    const bool works = reads_selected_rows(whole.problem, s.reduced, s.how, {s.tile, s.lines, s.rows});
    if (!works) own = rewrite(given, nullptr);
    any_ = any_ || works;
  }
  source& copy = sources_.emplace_back(s);
  copy.leaves = own.leaves;
  copy.leaf_count = own.count;
  copy.at = own.at;
  rewritten_.push_back({&s, &copy});
  return &copy;
}

// The leaf is a view of the selection's result in row-major order: each of the reader's axes must be one of the
// result's.
bool fused_gathers::fuse(const leaf_array& x, const index* extents, int rank, new_list& to, std::size_t k) {
  const source& s = *x.from;
  const selection& e = *s.elements;
  const position_term& t = e.terms[0];
  if (e.term_count != 1 || e.size != size_of(x.type) || static_cast<int>(to.leaves.size()) >= max_leaves ||
      t.step % e.size != 0 || all_.of(s).readers > 1 || s.reads(s.node, low_, high_))
    return false;
  int inner = rank - 1;
  while (inner >= 0 && extents[inner] == 1) --inner;
  if (inner < 0 || extents[inner] < least_row) return false;

  small_array<index, 16> steps(static_cast<std::size_t>(rank));
  small_array<index, 48> own(static_cast<std::size_t>(3 * e.rank));
  bind_strides(x, steps.data(), rank);
  index* const row = own.data();  // strides of the result, and the lowest and highest index that is read
  index* const low = row + e.rank;
  index* const high = low + e.rank;
  index offset = x.offset;
  if (write_row_major(e.extents, e.rank, row) == 0) return false;
  for (int a = 0; a < e.rank; ++a) {
    low[a] = high[a] = offset / row[a];
    offset %= row[a];
  }
  std::vector<index> strides(static_cast<std::size_t>(2 * rank));
  index at = 0, first = 0;
  for (int a = 0; a < e.rank; ++a) {
    if (e.strides[a] % e.size != 0) return false;
    at += low[a] * e.strides[a];
    first += low[a] * t.strides[a];
  }
  for (int i = 0; i < rank; ++i) {
    if (extents[i] == 1) continue;
    if (steps[i] == 0) return false;  // what is read several times is gathered first
    const index size = steps[i] < 0 ? -steps[i] : steps[i];
    int a = 0;
    while (a < e.rank && (e.extents[a] == 1 || size < row[a])) ++a;
    if (a == e.rank || size % row[a] != 0) return false;
    const index by = steps[i] / row[a], span = by * (extents[i] - 1);
    (span < 0 ? low : high)[a] += span;
    const auto own_axis = static_cast<std::size_t>(i), all_axes = static_cast<std::size_t>(rank);
    strides[own_axis] = by * e.strides[a] / e.size;
    strides[all_axes + own_axis] = by * t.strides[a];
  }
  for (int a = 0; a < e.rank; ++a)
    if (low[a] < 0 || high[a] >= e.extents[a]) return false;
  const auto last = static_cast<std::size_t>(inner), axes = static_cast<std::size_t>(rank);
  if (strides[last] != 1 || strides[axes + last] != 0) return false;

  const std::vector<index>& kept = strides_.emplace_back(static_cast<std::vector<index>&&>(strides));
  const dtype type = t.narrow ? dtype::u16 : t.wide ? dtype::i64 : dtype::i32;
  to.leaves[k] = {static_cast<const std::byte*>(e.data) + at, extents, kept.data(), rank, x.type, false, nullptr, 0};
  to.at[k] = &positions_.emplace_back(positioned{static_cast<int>(to.leaves.size()), t.step / e.size, t.extent});
  to.leaves.push_back({static_cast<const std::byte*>(t.data) + first * size_of(type), extents, kept.data() + rank, rank,
                       type, false, nullptr, 0});
  to.at.push_back(nullptr);
  return true;
}

}  // namespace broadloom::runtime
