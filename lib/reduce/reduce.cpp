// The driver of reductions: cuts the work into tasks, evaluates the program into scratch a piece at a time (or reads a
// plain operand where it lies), and combines.
#include "reduce.hpp"

#include <cstdint>
#include <cstring>
#include <optional>
#include <vector>

#include <broadloom/core/isa.hpp>
#include <broadloom/eval/scheduler.hpp>

#include "../eval/copy.hpp"
#include "../eval/frame.hpp"
#include "../eval/run.hpp"
#include "../for_each.hpp"
#include "../memory_block.hpp"
#include "../plan/hoist.hpp"
#include "../plan/nest.hpp"
#include "../plan/small_array.hpp"
#include "kernels.hpp"

namespace broadloom::runtime {

namespace {

constexpr index segment_strips = 32;
constexpr index segment_length = segment_strips * strip_length;  // one task's share of a long sequence
constexpr index scratch_elements = 4096;
constexpr index direct_elements = 65536;  // that a task reads where they lie
constexpr index asked_bytes = 4096;       // ahead of what a box reads
constexpr int most_axes = 33;
constexpr index tile_bytes = 4096;  // columns reduced side by side

index smaller(index a, index b) { return a < b ? a : b; }
index divide_up(index a, index b) { return (a + b - 1) / b; }

// One axis of the loops: its extent, and what a step along it is in every operand, in elements.
struct loop_axis {
  index extent;
  std::vector<index> steps;
};

// A range of an axis.
struct range {
  int axis;
  index first, count;
};

// The plans of the boxes that were evaluated last: most boxes are alike, and what is left over at the end often, too.
struct box_plan {
  static constexpr int most = 8;  // of ranges; boxes with more are planned each time
  range ranges[most];
  int count = -1;
  std::optional<box_runner> run;

  bool is_for(const range* r, int n) const {
    bool same = count == n && n <= most;
    for (int i = 0; i < n && same; ++i) same = ranges[i].axis == r[i].axis && ranges[i].count == r[i].count;
    return same;
  }
};
struct box_plans {
  box_plan two[2];
  int last = 0;
};

class reducer {
 public:
  reducer(const problem& p, unsigned reduced, reduction op, const side_by_side& several)
      : p_(p),
        operands_(static_cast<std::size_t>(p.operand_count)),
        tile_(several.tile),
        lines_(several.lines),
        rows_(several.rows) {
    for (int k = 0; k < p.operand_count; ++k) operands_[k] = p.operands[k];
    p_.operands = operands_.data();
    for (index i = 0; i < p.rank; ++i) {
      if (p.extents[i] == 1) continue;
      auto& list = (reduced >> i & 1) != 0 ? sequence_ : kept_;
      loop_axis a{p.extents[i], {}};
      for (int k = 0; k < p.operand_count; ++k)
        a.steps.push_back(p.operands[k].is_number ? 0 : p.operands[k].strides[i]);
      if (!list.empty() && behind(list.back(), a)) {
        list.back().extent *= a.extent;
        list.back().steps = a.steps;
      } else
        list.push_back(a);
    }
    for (const loop_axis& a : kept_) results_ *= a.extent;
    for (const loop_axis& a : sequence_) length_ *= a.extent;
    type_ = p.code.stages[p.code.stage_count - 1].type;
    size_ = size_of(type_);
    out_size_ = size_of(p.out_type);
    kernels_ = find_kernels(op, type_, active_isa());
    part_ = size_ * kernels_->parts;
    const stage& only = p.code.stages[0];
    plain_ = p.code.stage_count == 1 && only.copies && !p.operands[only.inputs[0]].is_number &&
             p.operands[only.inputs[0]].at == nullptr;
    positions_ = op == reduction::arg_maximum || op == reduction::arg_minimum;
    threads_ = choose();
    if (sequence_.empty()) sequence_.push_back({1, std::vector<index>(static_cast<std::size_t>(p_.operand_count), 0)});
  }

  // The operands and the output lie elsewhere now, or have other elements.
  void move(const operand* operands, void* out) {
    ahead_ = false;  // near, as a rule
    for (int k = 0; k < p_.operand_count; ++k) operands_[k].data = operands[k].data;
    p_.out = out;
    for (box_plan& x : plan_.two)
      if (x.run) x.run->forget();
  }

  void run() const {
    if (positions_)
      run_positions();
    else if (const pairing p = pairs_up(); p != pairing::none)
      run_tiles(p == pairing::turned);
    else if (!along_kept()) {
      if (goes_by_rows())
        run_whole_rows();
      else
        run_rows();
    } else if (lines_ != nullptr && goes_by_lines())
      run_lines();
    else
      run_columns();
  }

 private:
  // b comes directly after a in every operand.
  bool behind(const loop_axis& a, const loop_axis& b) const {
    for (int k = 0; k < p_.operand_count; ++k)
      if (a.steps[static_cast<std::size_t>(k)] != b.extent * b.steps[static_cast<std::size_t>(k)]) return false;
    return true;
  }

  int choose() const {
    if (p_.how.threads == 1) return 1;
    double per_element = 0.1;
    for (int k = 0; k < p_.operand_count; ++k)
      per_element += p_.operands[k].is_number ? 0 : size_of(p_.operands[k].type) * 0.03;
    for (int s = 0; s < p_.code.stage_count; ++s)
      per_element += p_.code.stages[s].kind == stage_kind::compute ? 0.1 : 1.0;
    if (p_.how.threads == 0 && static_cast<double>(results_ * length_) * per_element < 20000) return 1;
    return p_.how.threads == 0 ? max_threads() : p_.how.threads;
  }

  // Whether memory runs along the last axis that is kept rather than along the last one that is reduced.
  bool along_kept() const {
    if (kept_.empty()) return false;
    double kept = 0, reduced = 0;  // bytes that are read: an operand that lacks an axis weighs less
    for (int k = 0; k < p_.operand_count; ++k) {
      if (p_.operands[k].is_number || is_positions(k)) continue;
      const auto at = static_cast<std::size_t>(k);
      const positioned* const positions = p_.operands[k].at;
      double size = size_of(p_.operands[k].type);
      for (const auto* list : {&kept_, &sequence_})
        for (const loop_axis& a : *list)
          if (a.steps[at] != 0 ||
              (positions != nullptr && a.steps[static_cast<std::size_t>(positions->positions)] != 0))
            size *= static_cast<double>(a.extent);
      if (kept_.back().steps[at] == 1) kept += size;
      if (sequence_.back().steps[at] == 1) reduced += size;
    }
    return kept > reduced;
  }

  // Whether operand k says where another one's elements are.
  bool is_positions(int k) const {
    for (int i = 0; i < k; ++i)
      if (p_.operands[i].at != nullptr && p_.operands[i].at->positions == k) return true;
    return false;
  }

  // body(i, plan) for each task, with a plan that the tasks of one thread share.
  template <class Body>
  void each_task(index tasks, const Body& body) const {
    if (threads_ <= 1) {
      for (index i = 0; i < tasks; ++i) body(i, plan_);
      return;
    }
    for_ranges(tasks, threads_, [&body](index first, index last) {
      box_plans plan;
      for (index i = first; i < last; ++i) body(i, plan);
    });
  }

  // Evaluates the program over a box: `kept` fixes or ranges over axes that are kept, then ranges of the reduced axes,
  // then perhaps of one kept axis. The elements are written one behind the other, the last range fastest.
  void evaluate(const index* origin, const range* ranges, int count, std::byte* to, box_plans& plan) const {
    operand operands[first_stage];
    for (int k = 0; k < p_.operand_count; ++k) {
      operand& x = operands[k] = p_.operands[k];
      if (x.is_number) continue;
      index at = origin[k];
      for (int i = 0; i < count; ++i) at += ranges[i].first * axis(ranges[i].axis).steps[static_cast<std::size_t>(k)];
      x.data = static_cast<const std::byte*>(x.data) + at * size_of(x.type);
    }
    if (!plan.two[plan.last].is_for(ranges, count)) {
      plan.last = 1 - plan.last;
      box_plan& other = plan.two[plan.last];
      if (!other.is_for(ranges, count)) make_plan(operands, ranges, count, to, other);
    }
    (*plan.two[plan.last].run)(operands, to);
  }

  void make_plan(operand* operands, const range* ranges, int count, std::byte* to, box_plan& plan) const {
    index extents[most_axes], strides[most_axes];
    small_array<index, 128> steps(static_cast<std::size_t>(p_.operand_count * count + 1));
    index n = 1;
    for (int i = count - 1; i >= 0; --i) {
      if (i < box_plan::most) plan.ranges[i] = ranges[i];
      extents[i] = ranges[i].count;
      strides[i] = n;
      n *= ranges[i].count;
    }
    for (int k = 0; k < p_.operand_count; ++k) {
      index* const s = steps.data() + k * count;
      for (int i = 0; i < count && !operands[k].is_number; ++i)
        s[i] = axis(ranges[i].axis).steps[static_cast<std::size_t>(k)];
      operands[k].strides = s;
    }
    plan.count = count;
    plan.run.emplace(
        problem{count, extents, to, strides, type_, operands, p_.operand_count, p_.code, {1, p_.how.maths}}, ahead_);
  }

  // Axes are numbered: kept ones from 0, reduced ones from -1 downwards.
  const loop_axis& axis(int i) const {
    return i >= 0 ? kept_[static_cast<std::size_t>(i)] : sequence_[static_cast<std::size_t>(-1 - i)];
  }

  // Elements [first, first + n) of the sequence, each with `columns` elements along the last kept axis from `column`
  // (none when columns is 0).
  void evaluate_part(const index* origin, index first, index n, index column, index columns, std::byte* to,
                     box_plans& plan) const {
    const int last = static_cast<int>(sequence_.size()) - 1;
    const index inner = sequence_.back().extent, step = (columns == 0 ? 1 : columns) * size_;
    while (n > 0) {
      range r[most_axes];
      const index within = first % inner;
      index rest = first / inner, rows = 1;
      for (int i = last - 1; i >= 0; --i) {
        const index extent = sequence_[static_cast<std::size_t>(i)].extent, at = rest % extent;
        rest /= extent;
        if (i == last - 1 && within == 0 && n >= inner) rows = smaller(extent - at, n / inner);
        r[i] = {-1 - i, at, i == last - 1 ? rows : 1};
      }
      r[last] = {-1 - last, within, smaller(n, inner - within)};
      const index done = rows * r[last].count;
      int count = last + 1;
      if (columns > 0) r[count++] = {static_cast<int>(kept_.size()) - 1, column, columns};
      evaluate(origin, r, count, to, plan);
      to += done * step;
      first += done;
      n -= done;
    }
  }

  // Where result number `i` over the first `axes` kept axes begins in every operand.
  void origin_of(index i, std::size_t axes, index* origin) const {
    for (int k = 0; k < p_.operand_count; ++k) origin[k] = 0;
    for (std::size_t a = axes; a-- > 0;) {
      const index at = i % kept_[a].extent;
      i /= kept_[a].extent;
      for (int k = 0; k < p_.operand_count; ++k) origin[k] += at * kept_[a].steps[static_cast<std::size_t>(k)];
    }
  }

  const std::byte* plain_at(const index* origin) const {
    const int k = p_.code.stages[0].inputs[0];
    return static_cast<const std::byte*>(p_.operands[k].data) + origin[k] * size_;
  }
  index plain_step(const loop_axis& a) const { return a.steps[p_.code.stages[0].inputs[0]]; }

  // The sequences lie along memory, or nothing does.
  void run_rows() const {
    const bool direct = plain_ && sequence_.size() == 1 && (plain_step(sequence_[0]) == 1 || length_ == 1);
    if (length_ > segment_length) return run_long_rows(direct);
    // a task: a range of one kept axis, and all of those after it
    std::size_t cut = kept_.size();
    index inside = 1;
    const bool long_enough = direct && length_ >= 64;  // to be read where they lie
    while (cut > 1 && !long_enough && inside * kept_[cut - 1].extent * length_ <= scratch_elements)
      inside *= kept_[--cut].extent;
    if (kept_.empty()) return task_of_rows(direct, 0, 0, 1, 1, plan_);
    const loop_axis& a = kept_[cut - 1];
    // where they lie they need no scratch, and are combined many at a time
    const bool in_place = direct && inside == 1 && kernels_->finish == nullptr;
    index most = (in_place ? direct_elements : scratch_elements) / (inside * length_);
    if (in_place && threads_ > 1) most = smaller(most, divide_up(results_, 8 * threads_));
    if (most < 1) most = 1;
    const index parts = divide_up(a.extent, most);
    index outer = 1;
    for (std::size_t i = 0; i + 1 < cut; ++i) outer *= kept_[i].extent;
    each_task(outer * parts, [&](index t, box_plans& plan) {
      const index part = t % parts, first = part * most;
      task_of_rows(direct, t / parts, first, smaller(most, a.extent - first), cut, plan);
    });
  }

  // Results [first, first + n) along kept axis cut - 1, at number `outer` of those before it.
  void task_of_rows(bool direct, index outer, index first, index n, std::size_t cut, box_plans& plan) const {
    index origin[first_stage];
    origin_of(outer, kept_.empty() ? 0 : cut - 1, origin);
    index inside = 1;
    for (std::size_t i = cut; i < kept_.size(); ++i) inside *= kept_[i].extent;
    const index extent = kept_.empty() ? 1 : kept_[cut - 1].extent;
    std::byte* const to = static_cast<std::byte*>(p_.out) + (outer * extent + first) * inside * out_size_;
    if (direct && inside == 1) {
      const index pitch = kept_.empty() ? 0 : plain_step(kept_[cut - 1]);
      rows_to_results(plain_at(origin) + first * pitch * size_, n, pitch * size_, to, nullptr);
      return;
    }
    const frame f(static_cast<std::size_t>(n * inside * length_ * size_));
    range r[most_axes];
    int count = 0;
    if (!kept_.empty()) r[count++] = {static_cast<int>(cut) - 1, first, n};
    for (std::size_t i = cut; i < kept_.size(); ++i) r[count++] = {static_cast<int>(i), 0, kept_[i].extent};
    for (std::size_t i = 0; i < sequence_.size(); ++i) r[count++] = {-1 - static_cast<int>(i), 0, sequence_[i].extent};
    evaluate(origin, r, count, f.data(), plan);
    rows_to_results(f.data(), n * inside, length_ * size_, to,
                    next_read(origin, cut == 0 || kept_.empty() ? nullptr : &kept_[cut - 1], first + n, f.data()));
  }

  // Whole sequences that lie `pitch` bytes apart.
  void rows_to_results(const std::byte* x, index rows, index pitch, std::byte* to, const void* next) const {
    if (kernels_->finish == nullptr) return kernels_->sequences(x, rows, length_, pitch, to, next);
    const frame f(static_cast<std::size_t>(rows * part_));
    kernels_->sequences(x, rows, length_, pitch, f.data(), next);
    kernels_->finish(f.data(), rows, 1, to);
  }

  // `count` partial results of n elements, which are used up, to n results.
  void tree_to_results(std::byte* partial, index count, index n, std::byte* to) const {
    if (kernels_->finish == nullptr) return kernels_->tree(partial, count, n, to);
    kernels_->tree(partial, count, n, partial);
    kernels_->finish(partial, 1, n, to);
  }

  // What is read, after what was asked for while the last elements were computed, by the task that begins at this place
  // of an axis; something in a cache, where nobody is known to.
  const void* next_read(const index* origin, const loop_axis* along, index first, const void* in_cache) const {
    if (!ahead_ || along == nullptr) return in_cache;
    for (int k = 0; k < p_.operand_count; ++k) {
      const operand& x = p_.operands[k];
      const index step = along->steps[static_cast<std::size_t>(k)];
      if (x.is_number || x.at != nullptr || step == 0 || sequence_.back().steps[static_cast<std::size_t>(k)] != 1)
        continue;
      return static_cast<const std::byte*>(x.data) + (origin[k] + first * step) * size_of(x.type) + asked_bytes;
    }
    return in_cache;
  }

  // Sequences of several segments: each segment by itself, then the segments of a result together.
  void run_long_rows(bool direct) const {
    const index segments = divide_up(length_, segment_length);
    const memory_block partial(results_ * segments * part_);
    each_task(results_ * segments, [&](index t, box_plans& plan) {
      const index result = t / segments, first = t % segments * segment_length,
                  n = smaller(segment_length, length_ - first);
      index origin[first_stage];
      origin_of(result, kept_.size(), origin);
      std::byte* const to = partial.data() + t * part_;
      if (direct) return kernels_->sequences(plain_at(origin) + first * size_, 1, n, 0, to, nullptr);
      // a piece in the first-level cache at a time, each a power of two of strips
      const frame f(static_cast<std::size_t>(scratch_elements * size_ + segment_length / scratch_elements * part_));
      std::byte* const pieces = f.data() + scratch_elements * size_;
      index count = 0;
      for (index i = 0; i < n; i += scratch_elements, ++count) {
        const index m = smaller(scratch_elements, n - i);
        evaluate_part(origin, first + i, m, 0, 0, f.data(), plan);
        const loop_axis* const along = sequence_.size() == 1 ? &sequence_[0] : nullptr;
        kernels_->sequences(f.data(), 1, m, 0, pieces + count * part_,
                            next_read(origin, along, first + i + m, f.data()));
      }
      kernels_->tree(pieces, count, 1, to);
    });
    for (index i = 0; i < results_; ++i)
      tree_to_results(partial.data() + i * segments * part_, segments, 1,
                      static_cast<std::byte*>(p_.out) + i * out_size_);
  }

  // Memory lies along the last kept axis: tiles of columns side by side, lanes below each other.
  void run_columns() const {
    const loop_axis& across = kept_.back();
    const index segments = divide_up(length_, segment_length);
    index outer = 1;
    for (std::size_t i = 0; i + 1 < kept_.size(); ++i) outer *= kept_[i].extent;
    const bool direct = plain_ && sequence_.size() == 1 && plain_step(across) == 1;
    const index most = (direct ? tile_bytes : tile_bytes / 4) / size_;
    index width = smaller(most, across.extent);
    const index wanted = 2 * threads_;
    if (threads_ > 1 && outer * segments * divide_up(across.extent, width) < wanted) {
      width = divide_up(divide_up(across.extent, divide_up(wanted, outer * segments)), 64) * 64;
      width = smaller(width, smaller(most, across.extent));
    }
    const index tiles = divide_up(across.extent, width);
    if (segments == 1) {
      each_task(outer * tiles, [&](index t, box_plans& plan) {
        const index column = t % tiles * width;
        task_of_columns(direct, t / tiles, column, smaller(width, across.extent - column), 0, length_,
                        static_cast<std::byte*>(p_.out) + (t / tiles * across.extent + column) * out_size_, true, plan);
      });
      return;
    }
    const index row = across.extent * part_;  // bytes of a partial result
    const memory_block partial(outer * segments * row);
    each_task(outer * segments * tiles, [&](index t, box_plans& plan) {
      const index column = t % tiles * width, s = t / tiles;
      const index first = s % segments * segment_length;
      task_of_columns(direct, s / segments, column, smaller(width, across.extent - column), first,
                      smaller(segment_length, length_ - first), partial.data() + s * row + column * size_, false, plan);
    });
    for (index i = 0; i < outer; ++i)
      tree_to_results(partial.data() + i * segments * row, segments, across.extent,
                      static_cast<std::byte*>(p_.out) + i * across.extent * out_size_);
  }

  // Elements [first, first + n) of each column. `finished`: `to` is for results, else for a part of a partial result of
  // all columns.
  void task_of_columns(bool direct, index outer, index column, index columns, index first, index n, std::byte* to,
                       bool finished, box_plans& plan) const {
    index origin[first_stage];
    origin_of(outer, kept_.size() - 1, origin);
    const index lanes = 64 / size_, row = columns * part_, scratch_row = columns * size_;
    const index strips = divide_up(n, strip_length);
    const index group =
        direct ? 0 : lanes * (scratch_elements / (lanes * columns) > 1 ? scratch_elements / (lanes * columns) : 1);
    // lanes, the strips' results in a row each, scratch
    const frame f(static_cast<std::size_t>((lanes + strips) * row + group * scratch_row));
    std::byte* const sums = f.data();
    std::byte* const partial = sums + lanes * row;
    std::byte* const scratch = partial + strips * row;
    for (index s = 0; s < strips; ++s) {
      const index begin = s * strip_length, count = smaller(strip_length, n - begin);
      if (part_ == size_)
        kernels_->neutral(sums, lanes * columns);
      else
        for (index l = 0; l < lanes; ++l) kernels_->neutral(sums + l * row, columns);
      if (direct) {
        const index pitch = plain_step(sequence_[0]) * size_;
        const std::byte* const x = plain_at(origin) + column * size_ + (first + begin) * pitch;
        add_rows(sums, x, count, pitch, columns, lanes);
      } else {
        for (index i = 0; i < count; i += group) {
          const index m = smaller(group, count - i);
          evaluate_part(origin, first + begin + i, m, column, columns, scratch, plan);
          add_rows(sums, scratch, m, scratch_row, columns, lanes);
        }
      }
      for (index half = lanes / 2; half >= 1; half /= 2) {
        if (part_ == size_)
          kernels_->join(sums, sums + half * row, half * columns);
        else
          for (index l = 0; l < half; ++l) kernels_->join(sums + l * row, sums + (l + half) * row, columns);
      }
      std::memcpy(partial + s * row, sums, static_cast<std::size_t>(row));
    }
    if (finished || part_ == size_) return tree_to_results(partial, strips, columns, to);
    kernels_->tree(partial, strips, columns, partial);
    std::memcpy(to, partial, static_cast<std::size_t>(scratch_row));
    std::memcpy(to + kept_.back().extent * size_, partial + scratch_row, static_cast<std::size_t>(scratch_row));
  }

  // Row r to the sums of lane r modulo `lanes`, rows of one lane in their order.
  void add_rows(std::byte* sums, const std::byte* x, index count, index pitch, index columns, index lanes) const {
    const bool dense = pitch == columns * size_;
    const index height = dense && part_ == size_ ? lanes : 1;  // rows that are added as one
    for (index r = 0; r < count;) {
      const index left = count - r;
      const void* rows[8];
      if (left >= lanes) {
        const int groups = static_cast<int>(smaller(8, left / lanes));
        for (index l = 0; l < lanes; l += height) {
          for (int g = 0; g < groups; ++g) rows[g] = x + (r + l + g * lanes) * pitch;
          kernels_->rows(sums + l * columns * part_, rows, groups, height * columns);
        }
        r += groups * lanes;
      } else {
        for (index l = 0; l < left; ++l) {
          rows[0] = x + (r + l) * pitch;
          kernels_->rows(sums + l * columns * part_, rows, 1, columns);
        }
        r = count;
      }
    }
  }

  // Whether every operand lies along the sequences, or does not move along them, and is worth a vector.
  bool goes_by_rows() const {
    if (rows_ == nullptr || rows_->run[static_cast<int>(active_isa())] == nullptr) return false;
    if (sequence_.size() != 1 || p_.code.stage_count != 1 || length_ < 64 / size_) return false;
    for (int k = 0; k < p_.operand_count; ++k) {
      const operand& x = p_.operands[k];
      const index along = sequence_[0].steps[static_cast<std::size_t>(k)];
      if (x.at != nullptr || (!x.is_number && along != 0 && along != 1)) return false;
    }
    return true;
  }

  // Sequences reduced as they are computed: a task has some of those along the last kept axis, or a segment of one.
  void run_whole_rows() const {
    const bool is_long = length_ > segment_length;
    const index segments = divide_up(length_, segment_length);
    const index strips = divide_up(is_long ? segment_length : length_, strip_length);
    index side = kept_.empty() || is_long ? 1 : kept_.back().extent;
    index most = 256 / strips;  // sequences of a task: their lanes stay in the first-level cache
    if (threads_ > 1 && most > divide_up(results_, 4 * threads_)) most = divide_up(results_, 4 * threads_);
    const index parts = divide_up(side, most);
    std::optional<memory_block> partial;
    if (is_long) partial.emplace(results_ * segments * size_);
    each_task(results_ / side * segments * parts, [&](index t, box_plans&) {
      const index segment = t % segments, part = t / segments % parts, outer = t / segments / parts;
      const index first = part * most, count = smaller(most, side - first);
      const index n = smaller(is_long ? segment_length : length_, length_ - segment * segment_length);
      index origin[first_stage];
      origin_of(outer, kept_.size() - (side > 1 ? 1 : 0), origin);
      std::byte* const to = is_long ? partial->data() + (outer * segments + segment) * size_
                                    : static_cast<std::byte*>(p_.out) + (outer * side + first) * out_size_;
      sum_rows(origin, first, count, segment * segment_length, n, to);
    });
    for (index i = 0; i < results_ && is_long; ++i)
      kernels_->tree(partial->data() + i * segments * size_, segments, 1,
                     static_cast<std::byte*>(p_.out) + i * out_size_);
  }

  // Elements [begin, begin + n), at most a segment, of rows [first, first + count) along the last kept axis.
  void sum_rows(const index* origin, index first, index count, index begin, index n, std::byte* to) const {
    const stage& only = p_.code.stages[0];
    const auto inputs = static_cast<std::size_t>(only.input_count);
    const index strips = divide_up(n, strip_length), lanes = 64 / size_;
    const frame f(inputs * row_room + static_cast<std::size_t>(count * strips * 64 + count * strips * size_ + 64));
    std::byte* const found = f.data() + inputs * row_room;
    std::byte* const partial = found + count * strips * 64;
    alignas(64) std::byte unchanged[64];
    kernels_->neutral(unchanged, lanes);
    small_array<slot, 16> slots(inputs);
    small_array<index, 16> pitch(inputs);
    for (int j = 0; j < only.input_count; ++j) {
      const int id = only.inputs[j];
      const auto k = static_cast<std::size_t>(id);
      const operand& x = p_.operands[id];
      if (x.is_number) {
        slots[j] = {x.data, 0};
        pitch[j] = 0;
        continue;
      }
      const index size = size_of(x.type), along = sequence_[0].steps[k];
      const index across = count == 1 ? 0 : kept_.back().steps[k];
      const index at = origin[id] + (count == 1 && first == 0 ? 0 : first * kept_.back().steps[k]) + begin * along;
      slots[j] = {static_cast<const std::byte*>(x.data) + at * size, -along};
      pitch[j] = across * size;
    }
    rows_->run[static_cast<int>(active_isa())](slots.data(), pitch.data(), count, n, unchanged, f.data(), found);
    kernels_->sequences(found, count * strips, lanes, 64, strips == 1 ? to : partial, found);
    for (index i = 0; i < count && strips > 1; ++i)
      kernels_->tree(partial + i * strips * size_, strips, 1, to + i * out_size_);
  }

  // Whether the last two kept axes are, one way or the other, the columns and the rows of tiles: what lies along the
  // rows lacks the columns, what lies along the columns the rows, and there is something of each.
  enum class pairing : unsigned char { none, upright, turned };
  pairing pairs_up() const {
    if (tile_ == nullptr || tile_->run[static_cast<int>(active_isa())] == nullptr) return pairing::none;
    if (kept_.size() < 2 || sequence_.size() != 1 || length_ < 64 / size_ || length_ > strip_length)
      return pairing::none;
    const loop_axis &first = kept_[kept_.size() - 2], &last = kept_.back();
    const auto fits = [this](const loop_axis& rows, const loop_axis& columns) {
      if (rows.extent < tile_height || columns.extent < 32) return false;
      bool along_rows = false, along_columns = false;
      const stage& only = p_.code.stages[0];
      for (int j = 0; j < only.input_count; ++j) {
        const auto k = static_cast<std::size_t>(only.inputs[j]);
        if (p_.operands[k].at != nullptr) return false;
        if (p_.operands[k].is_number) continue;
        const bool is_row = (tile_->rows >> j & 1) != 0;
        if ((is_row ? columns : rows).steps[k] != 0) return false;
        (is_row ? along_rows : along_columns) |= (is_row ? rows : columns).steps[k] != 0;
      }
      return along_rows && along_columns;
    };
    return fits(first, last) ? pairing::upright : fits(last, first) ? pairing::turned : pairing::none;
  }

  // A task: some rows of tiles for some columns, whose operands are packed first, the reduced axis slowest. Some of
  // these rows at a time are packed, too, and stay in the first-level cache with the columns of a tile.
  void run_tiles(bool turned) const {
    const loop_axis &rows = kept_[kept_.size() - (turned ? 1 : 2)], &columns = kept_[kept_.size() - (turned ? 2 : 1)];
    const stage& only = p_.code.stages[0];
    const int level = static_cast<int>(active_isa());
    const index lanes = tile_->lanes[level], width = tile_vectors * lanes;
    const index fits = (index{1} << 17) / (length_ * size_ * width);  // packed columns stay in the second-level cache
    const index most = width * (fits < 1 ? 1 : smaller(fits, divide_up(columns.extent, width)));
    const index parts = divide_up(columns.extent, most);
    index outer = 1;
    for (std::size_t i = 0; i + 2 < kept_.size(); ++i) outer *= kept_[i].extent;
    index bands = divide_up(rows.extent, 256);
    if (const index wanted = 4 * threads_; threads_ > 1 && outer * parts * bands < wanted)
      bands = smaller(divide_up(wanted, outer * parts), divide_up(rows.extent, 4 * tile_height));
    const index band = divide_up(divide_up(rows.extent, bands), tile_height) * tile_height;
    bands = divide_up(rows.extent, band);
    index at_once = 16384 / (length_ * size_) / tile_height * tile_height;
    at_once = smaller(at_once < tile_height ? tile_height : at_once, band);
    const auto is_row = [&](int j) { return (tile_->rows >> j & 1) != 0; };
    const auto input_bytes = [&](int j) {  // of one operand's packed elements
      const auto k = static_cast<std::size_t>(only.inputs[j]);
      const index bytes =
          p_.operands[k].is_number ? 0 : length_ * size_of(only.input_types[j]) * (is_row(j) ? at_once : most);
      return (bytes + 63) & ~index{63};
    };
    index bytes = 0;
    for (int j = 0; j < only.input_count; ++j) bytes += input_bytes(j);
    const index sums = tile_height * width * size_ * 6;
    each_task(outer * parts * bands, [&](index t, box_plans&) {
      const index first_row = t % bands * band, first_column = t / bands % parts * most;
      const index last_row = smaller(first_row + band, rows.extent),
                  count = smaller(most, columns.extent - first_column);
      index origin[first_stage];
      origin_of(t / bands / parts, kept_.size() - 2, origin);
      std::byte* const out =
          static_cast<std::byte*>(p_.out) + t / bands / parts * rows.extent * columns.extent * out_size_;
      const frame f(static_cast<std::size_t>(bytes + sums));
      small_array<tile_slot, 16> slots(static_cast<std::size_t>(only.input_count));
      small_array<tile_slot, 16> moved(static_cast<std::size_t>(only.input_count));
      std::byte* at = f.data() + sums;
      for (int j = 0; j < only.input_count; ++j) {
        const operand& x = p_.operands[only.inputs[j]];
        slots[j] = {x.is_number ? x.data : at, 0};
        if (!x.is_number && !is_row(j))
          pack_columns(at, x, origin, only.inputs[j], columns, first_column, count, width);
        at += input_bytes(j);
      }
      for (index r = first_row; r < last_row; r += at_once) {
        const index here = smaller(at_once, last_row - r);
        for (int j = 0; j < only.input_count; ++j)
          if (is_row(j) && !p_.operands[only.inputs[j]].is_number)
            slots[j].row = pack_rows(static_cast<std::byte*>(const_cast<void*>(slots[j].data)), origin, only.inputs[j],
                                     rows, r, here);
        for (index c = 0; c < count; c += width)
          for (index i = 0; i < here; i += tile_height) {
            for (int j = 0; j < only.input_count; ++j) {
              const bool number = p_.operands[only.inputs[j]].is_number;
              const index by = number ? 0 : is_row(j) ? i * slots[j].row : c * length_;
              moved[j] = {static_cast<const std::byte*>(slots[j].data) + by * size_of(only.input_types[j]),
                          slots[j].row};
            }
            tile_->run[level](moved.data(), length_, f.data());
            const index high = smaller(tile_height, here - i), wide = smaller(width, count - c);
            if (turned)
              scatter(out + ((first_column + c) * rows.extent + r + i) * out_size_, f.data(), size_, high, wide, width);
            else
              for (index k = 0; k < high; ++k)
                std::memcpy(out + ((r + i + k) * columns.extent + first_column + c) * out_size_,
                            f.data() + k * width * size_, static_cast<std::size_t>(wide * size_));
          }
      }
    });
  }

  // A panel for each tile: along the reduced axis its elements are neighbours, and no two compete for a place in the
  // cache.
  void pack_columns(std::byte* to, const operand& x, const index* origin, int k, const loop_axis& columns, index first,
                    index count, index width) const {
    const index size = size_of(x.type);
    const index step = columns.steps[static_cast<std::size_t>(k)] * size,
                along = sequence_[0].steps[static_cast<std::size_t>(k)] * size;
    const std::byte* const from = static_cast<const std::byte*>(x.data) + origin[k] * size + first * step;
    for (index c = 0; c < count; c += width) {
      std::byte* const panel = to + c * length_ * size;
      const index filled = smaller(width, count - c);
      if (filled == width) {
        gather(panel, from + c * step, size_of(x.type), length_, width, along, step);
        continue;
      }
      for (index s = 0; s < length_; ++s) {
        std::byte* const row = panel + s * width * size;
        gather(row, from + c * step + s * along, size_of(x.type), 1, filled, 0, step);
        splat(row + filled * size, row + (filled - 1) * size, size_of(x.type), width - filled);
      }
    }
  }

  // Rows one behind the other, the last one again where the last tile has more. Gives the elements from row to row.
  index pack_rows(std::byte* to, const index* origin, int k, const loop_axis& rows, index first, index count) const {
    const operand& x = p_.operands[k];
    const index size = size_of(x.type), across = rows.steps[static_cast<std::size_t>(k)] * size,
                along = sequence_[0].steps[static_cast<std::size_t>(k)] * size;
    const std::byte* const from = static_cast<const std::byte*>(x.data) + origin[k] * size + first * across;
    if (across == 0) {
      gather(to, from, size_of(x.type), 1, length_, 0, along);
      return 0;
    }
    gather(to, from, size_of(x.type), count, length_, across, along);
    for (index i = count; i % tile_height != 0; ++i)
      std::memcpy(to + i * length_ * size, to + (count - 1) * length_ * size, static_cast<std::size_t>(length_ * size));
    return length_;
  }

  // A tile whose rows run along the last axis of the result.
  void scatter(std::byte* to, const std::byte* from, int size, index high, index wide, index width) const {
    const loop_axis& rows = kept_.back();
    for (index c = 0; c < wide; ++c)
      gather(to + c * rows.extent * size, from + c * size, size, 1, high, 0, width * size);
  }

  // Whether every operand has its columns side by side, or one element for all of them, in each element of one
  // sequence.
  bool goes_by_lines() const {
    if (sequence_.size() != 1 || length_ > strip_length || p_.code.stage_count != 1) return false;
    const loop_axis& across = kept_.back();
    if (across.extent < lines_->lanes[static_cast<int>(active_isa())]) return false;
    for (int k = 0; k < p_.operand_count; ++k) {
      const operand& x = p_.operands[k];
      const index along = across.steps[static_cast<std::size_t>(k)];
      if (along != 0 && along != 1) return false;
      if (x.at != nullptr && across.steps[static_cast<std::size_t>(x.at->positions)] != 0) return false;
    }
    return true;
  }

  // Sequences whose columns are found, and asked for, at once: enough to hide how long memory takes, and no more than
  // the first-level cache holds beside those that are read.
  index lines_together() const {
    const index fit = 32768 / (kept_.back().extent * size_);
    return divide_up(fit < 16 ? 16 : smaller(fit, 128), length_);
  }

  // A sequence's columns are reduced in registers, every element read where it is. Where those of the sequences after
  // it are is found, and asked for, meanwhile.
  void run_lines() const {
    const loop_axis& across = kept_.back();
    const stage& only = p_.code.stages[0];
    const int level = static_cast<int>(active_isa());
    const auto inputs = static_cast<std::size_t>(only.input_count);
    const index together = lines_together();
    index outer = 1;
    for (std::size_t i = 0; i + 1 < kept_.size(); ++i) outer *= kept_[i].extent;
    alignas(64) std::byte unchanged[64];
    kernels_->neutral(unchanged, 64 / size_);
    const std::size_t places = static_cast<std::size_t>(together * length_) * sizeof(const void*);
    for_ranges(divide_up(outer, together), threads_, [&](index first, index last) {
      const frame f(2 * inputs * places + std::size_t{8} * 4 * 64 * 2);
      small_array<line_slot, 16> slots(inputs), moved(inputs);
      const void** now = reinterpret_cast<const void**>(f.data() + 8 * 4 * 64 * 2);
      const void** next = now + inputs * static_cast<std::size_t>(together * length_);
      index count = find_lines(first * together, smaller(together, outer - first * together), now);
      for (index t = first; t < last; ++t) {
        index coming = 0;
        if (t + 1 < last) coming = find_lines((t + 1) * together, smaller(together, outer - (t + 1) * together), next);
        for (std::size_t j = 0; j < inputs; ++j) {
          const int k = only.inputs[j];
          const std::size_t at = j * static_cast<std::size_t>(together * length_);
          const index along = p_.operands[k].is_number ? 0 : -across.steps[static_cast<std::size_t>(k)];
          slots[static_cast<index>(j)] = {now + at, p_.operands[k].at != nullptr ? next + at : nullptr, along};
        }
        for (index s = 0; s < count; ++s) {
          for (std::size_t j = 0; j < inputs; ++j) {
            line_slot& x = moved[static_cast<index>(j)] = slots[static_cast<index>(j)];
            x.at += s * length_;
            x.next = x.next != nullptr && s < coming ? x.next + s * length_ : nullptr;
          }
          lines_->run[level](moved.data(), length_, across.extent, unchanged, f.data(),
                             static_cast<std::byte*>(p_.out) + (t * together + s) * across.extent * out_size_);
        }
        const void** const other = now;
        now = next;
        next = other;
        count = coming;
      }
    });
  }

  // Where the columns of each element of sequences [first, first + count) begin, for every input.
  index find_lines(index first, index count, const void** to) const {
    const stage& only = p_.code.stages[0];
    const index step = lines_together() * length_;
    small_array<index, 16> origin(static_cast<std::size_t>(p_.operand_count));
    for (index s = 0; s < count; ++s) {
      origin_of(first + s, kept_.size() - 1, origin.data());
      for (int j = 0; j < only.input_count; ++j) {
        const int k = only.inputs[j];
        const operand& x = p_.operands[k];
        const index size = size_of(x.type), along = sequence_[0].steps[static_cast<std::size_t>(k)] * size;
        const std::byte* at = static_cast<const std::byte*>(x.data) + origin[k] * size;
        const void** const place = to + j * step + s * length_;
        if (x.at == nullptr) {
          for (index i = 0; i < length_; ++i, at += along) place[i] = at;
          continue;
        }
        const operand& p = p_.operands[x.at->positions];
        const index p_along = sequence_[0].steps[static_cast<std::size_t>(x.at->positions)], by = x.at->step * size;
        const auto find = [&](const auto* positions) {
          positions += origin[x.at->positions];
          for (index i = 0; i < length_; ++i, at += along) {
            const auto here = static_cast<index>(positions[i * p_along]);
            place[i] = at + (here < 0 ? here + x.at->extent : here) * by;
          }
        };
        if (p.type == dtype::i64)
          find(static_cast<const std::int64_t*>(p.data));
        else if (p.type == dtype::i32)
          find(static_cast<const std::int32_t*>(p.data));
        else
          find(static_cast<const std::uint16_t*>(p.data));
      }
    }
    return count;
  }

  // The position of the first extreme of each sequence.
  void run_positions() const {
    const bool direct = plain_ && sequence_.size() == 1 && (plain_step(sequence_[0]) == 1 || length_ == 1);
    const index segments = divide_up(length_, segment_length);
    const memory_block values(results_ * segments * size_), places(results_ * segments * 8);
    index* const at = reinterpret_cast<index*>(places.data());
    each_task(results_ * segments, [&](index t, box_plans& plan) {
      const index result = t / segments, first = t % segments * segment_length,
                  n = smaller(segment_length, length_ - first);
      index origin[first_stage];
      origin_of(result, kept_.size(), origin);
      std::byte* const value = values.data() + t * size_;
      at[t] = -1;
      if (direct) return kernels_->position(plain_at(origin) + first * size_, n, first, value, at + t);
      const frame f(static_cast<std::size_t>(n * size_));
      evaluate_part(origin, first, n, 0, 0, f.data(), plan);
      kernels_->position(f.data(), n, first, value, at + t);
    });
    for (index i = 0; i < results_; ++i) {
      index place = -1;
      alignas(16) std::byte best[16];
      kernels_->position(values.data() + i * segments * size_, segments, 0, best, &place);
      static_cast<index*>(p_.out)[i] = at[i * segments + place];
    }
  }

  problem p_;
  small_array<operand, 8> operands_;
  std::vector<loop_axis> kept_, sequence_;
  index results_ = 1, length_ = 1;
  dtype type_;
  int size_, out_size_, threads_;
  int part_;  // bytes of a partial result
  bool plain_, positions_;
  const reduce_kernels* kernels_;
  const tile_kernel* tile_;
  const line_kernel* lines_;
  const row_kernel* rows_;
  bool ahead_ = true;
  mutable box_plans plan_;  // of what runs on one thread
};

}  // namespace

struct reduction_plan::state : reducer {
  using reducer::reducer;
};

reduction_plan::reduction_plan(const problem& p, unsigned reduced, reduction op, const side_by_side& several)
    : state_(hoistable_stage(p) >= 0 ? nullptr : new state(p, reduced, op, several)) {}
reduction_plan::~reduction_plan() { delete state_; }

void reduction_plan::operator()(const operand* operands, void* out) {
  state_->move(operands, out);
  state_->run();
}

void reduce(const problem& p, unsigned reduced, reduction op, const side_by_side& several) {
  if (const int s = hoistable_stage(p); s >= 0) {
    const hoisting h(p, s);
    execute(h.part());
    return reduce(h.rest(), reduced, op, {});
  }
  reducer(p, reduced, op, several).run();
}

}  // namespace broadloom::runtime
