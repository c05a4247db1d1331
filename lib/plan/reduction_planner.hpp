// Makes the plan of a reduction with a nest: what can be run, in the order in which it is tried, and a task of each.
#pragma once

#include <broadloom/eval/scheduler.hpp>

#include "../base/smaller.hpp"
#include "../base/tuned.hpp"
#include "blocks.hpp"
#include "reduction.hpp"
#include "work.hpp"

namespace broadloom::runtime {

class reduction_planner {
 public:
  reduction_planner(const problem& p, const reduction_nest& n, const reduction_kernels& k)
      : p_(p), n_(n), k_(k), only_(p.code.stages[0]), size_(size_of(p.code.stages[p.code.stage_count - 1].type)) {
    const operand& first = p.operands[only_.inputs[0]];
    plain_ = p.code.stage_count == 1 && only_.copies && !first.is_scalar && !first.is_ramp;
    to_.results = n.results;
    to_.length = to_.part = n.length;
    to_.threads = choose_threads();
    to_.cut = static_cast<int>(n.kept.empty() ? 1 : n.kept.size());
  }

  reduction_plan plan(const contraction* pairs);

 private:
  void selected_rows();
  void contract(const contraction& c);
  reduction_loops find_tiles() const;
  void tiles(reduction_loops loops);

  int choose_threads() const {
    if (p_.how.threads == 1) return 1;
    double per_element = limits::work::of_reduction;
    for (int k = 0; k < p_.operand_count; ++k)
      per_element += p_.operands[k].is_scalar ? 0 : size_of(p_.operands[k].type) * limits::work::of_byte;
    for (int s = 0; s < p_.code.stage_count; ++s)
      if (!p_.code.stages[s].copies)
        per_element += stage_ns(p_.code.stages[s],
                                [this](int k) { return p_.operands[k].is_scalar ? p_.operands[k].data : nullptr; });
    if (p_.how.threads == 0 && stays_serial(static_cast<double>(n_.results * n_.length) * per_element)) return 1;
    return p_.how.threads == 0 ? max_threads() : p_.how.threads;
  }

  index step(const loop_axis& a, int k) const { return a.steps[static_cast<std::size_t>(k)]; }
  index plain_step(const loop_axis& a) const { return step(a, only_.inputs[0]); }

  // Whether memory runs along the last axis that is kept rather than along the last one that is reduced.
  bool along_kept() const {
    if (n_.kept.empty()) return false;
    double kept = 0, reduced = 0;  // bytes that are read: an operand that lacks an axis weighs less
    for (int k = 0; k < p_.operand_count; ++k) {
      if (p_.operands[k].is_scalar) continue;
      double size = size_of(p_.operands[k].type);
      for (const auto* list : {&n_.kept, &n_.sequence})
        for (const loop_axis& a : *list)
          if (step(a, k) != 0) size *= static_cast<double>(a.extent);
      if (step(n_.kept.back(), k) == 1) kept += size;
      if (step(n_.sequence.back(), k) == 1) reduced += size;
    }
    return kept > reduced || reads_windows_as_columns();
  }
  // Windows that overlap in one array lie along memory either way: columns are whole vectors. Those of one axis and
  // many elements are such along themselves.
  bool reads_windows_as_columns() const {
    return ((columns_lie_in_line() && is_short_window(n_.length * size_)) || rows_lie_apart()) &&
           plain_step(n_.sequence.back()) == 1 && n_.kept.back().extent * size_ >= 64;
  }
  // Rows of whole lines take less time than as many columns. With AVX2, which loads a part of a vector, longer rows do,
  // too: of f32, sums of 12 elements take 0.75 of the time, of 8 as long, maxima of 9 1.3.
  bool is_short_window(index bytes) const {
    if (n_.length > limits::reducing::short_window) return false;
    return k_.level >= isa::v3 ? bytes < 48 : bytes % limits::line_bytes != 0;
  }

  // Whether all ramps have consecutive numbers along the sequences that kernels count in registers.
  bool counts_ramps() const {
    for (int k = 0; k < p_.operand_count; ++k) {
      const operand& x = p_.operands[k];
      if (!x.is_ramp) continue;
      if (p_.code.stage_count != 1 || !takes_ramps(only_, x.type) || n_.sequence.size() != 1 ||
          step(n_.sequence[0], k) != 1)
        return false;
      index low = static_cast<index>(reinterpret_cast<std::uintptr_t>(x.data)) / size_of(x.type),
            high = low + n_.length - 1;
      for (const loop_axis& a : n_.kept) (step(a, k) < 0 ? low : high) += (a.extent - 1) * step(a, k);
      if (!counts_exactly(x.type, low, high - low + 1)) return false;
    }
    return true;
  }

  // The last kept axis is contiguous, and fills the vectors of every level: columns are looked at together.
  void indices() {
    const loop_axis* const across = n_.kept.empty() ? nullptr : &n_.kept.back();
    if (!k_.indices_of_columns || !along_kept() || across->extent * size_ < 64) {
      to_.loops = reduction_loops::indices;
      to_.input = lies_in_line() ? reduction_input::memory : reduction_input::scratch;
      to_.part = smaller(n_.length, segment_length);
      to_.side = n_.results;
      to_.tasks = n_.results * to_.parts();
      return;
    }
    to_.loops = reduction_loops::indices_of_columns;
    to_.input = columns_lie_in_line() ? reduction_input::memory : reduction_input::scratch;
    to_.side = across->extent;
    const index outer = n_.results / to_.side, wanted = 2 * to_.threads;
    to_.block = smaller(reducing_tile_bytes / size_, to_.side);
    if (to_.threads > 1 && outer * (to_.side / to_.block) < wanted)
      to_.block = smaller(to_.block, divide_up(divide_up(to_.side, divide_up(wanted, outer)), 64) * 64);
    to_.tasks = outer * (to_.side / to_.block);  // the last takes what is left
  }

  // Tiles of columns; the lanes of a column are rows, one below the other.
  void columns() {
    const index across = n_.kept.back().extent, outer = n_.results / across, most = reducing_tile_bytes / size_;
    to_.loops = reduction_loops::columns;
    to_.input = columns_lie_in_line() || rows_are_read_apart()                           ? reduction_input::memory
                : products_lie_in_line() && (reads_in_order() || across * size_ >= 8192) ? reduction_input::products
                : integers_lie_in_line() ? (k_.widens ? reduction_input::widened : reduction_input::kernel)
                : has_kernel_of_columns() && rows_are_dense() && is_cached() ? reduction_input::kernel
                                                                             : reduction_input::scratch;
    to_.side = across;
    to_.block = smaller(most, across);
    const index wanted = 2 * to_.threads, side = outer * divide_up(across, to_.block);
    index segment = segment_length;
    while (to_.threads > 1 && segment > strip_length && side * divide_up(n_.length, segment) < wanted) segment /= 2;
    const index segments = divide_up(n_.length, segment);
    // Narrow tiles read rows in pieces, which no prefetcher follows: only where threads would have none.
    if (side * segments < to_.threads) {
      to_.block = divide_up(divide_up(across, divide_up(wanted, outer * segments)), 64) * 64;
      to_.block = smaller(to_.block, smaller(most, across));
    }
    to_.part = smaller(segment, n_.length);
    to_.tasks = outer * segments * divide_up(across, to_.block);
    const bool widens = k_.fused.rows != nullptr && k_.fused.rows->widens;
    to_.dense = (to_.input == reduction_input::memory || to_.input == reduction_input::products ||
                 (to_.input == reduction_input::kernel && !widens)) &&
                to_.block == across && reads_in_order() && rows_are_dense();
    if (to_.input == reduction_input::kernel && !widens && !to_.dense) to_.input = reduction_input::scratch;
  }
  // Whether a kernel's vectors are those of a line of results.
  bool has_kernel_of_columns() const {
    return has_row_kernel(k_.fused.rows, k_.level) && !k_.fused.rows->widens &&
           only_.code->lanes[static_cast<int>(k_.level)] * size_ == 64;
  }
  // Whether all that is read may stay in the last cache. A kernel reads a vector of each of many rows before the next
  // one, which prefetchers follow from a cache, but not from memory.
  bool is_cached() const { return most_bytes() <= streamed_bytes() / 2; }
  index most_bytes() const {
    index bytes = 0;
    for (int k = 0; k < p_.operand_count; ++k)
      if (!p_.operands[k].is_scalar) bytes += n_.results * n_.length * size_of(p_.operands[k].type);
    return bytes;
  }
  // Whether each operand is a number, or rows one after the other, or one of them for all; and the lanes of a row stay
  // in the first-level cache.
  bool rows_are_dense() const {
    const loop_axis &down = n_.sequence[0], &across = n_.kept.back();
    if (p_.code.stage_count != 1 || only_.input_count > max_short_inputs || n_.sequence.size() != 1 || k_.has_parts ||
        k_.finishes || across.extent * 64 > limits::reducing::unplanned_lanes_bytes)
      return false;
    bool has_rows = false;
    for (int k = 0; k < p_.operand_count; ++k) {
      const operand& x = p_.operands[k];
      if (x.is_scalar) continue;
      if (x.is_ramp || x.at != nullptr || step(across, k) != 1) return false;
      if (step(down, k) != 0 && step(down, k) != across.extent) return false;
      has_rows = has_rows || step(down, k) != 0;
    }
    return has_rows;
  }
  bool columns_lie_in_line() const { return plain_ && n_.sequence.size() == 1 && plain_step(n_.kept.back()) == 1; }
  // The same of several reduced axes that are none together: each row is found by itself.
  bool rows_lie_apart() const {
    return plain_ && n_.sequence.size() > 1 && !k_.has_parts && !k_.indices_of_columns &&
           plain_step(n_.kept.back()) == 1;
  }
  // Rows of few columns are copied first, and then added as one: read where they lie, those of f32 take 1.5 of that
  // time for 64 bytes, 1.0 to 1.1 for 256, 0.6 for 400, and 0.5 from a KiB on.
  bool rows_are_read_apart() const {
    return rows_lie_apart() && (n_.kept.back().extent * size_ >= 512 || reads_windows_as_columns());
  }
  // The same of the arrays whose products or squares are added up; there are enough columns to fill a vector.
  bool products_lie_in_line() const {
    if (!k_.products_of_columns || n_.sequence.size() != 1 || n_.kept.back().extent * size_ < 64) return false;
    for (int k = 0; k < p_.operand_count; ++k) {
      const operand& x = p_.operands[k];
      if (x.is_ramp || x.at != nullptr || (!x.is_scalar && step(n_.kept.back(), k) != 1)) return false;
    }
    return true;
  }

  // Loops of columns without a nest, and those of products, go over a part of each of many rows before the next part, 1
  // KiB of as many rows as there are lanes: that is in the order of memory where these are no more. From memory, others
  // are sooner added row by row, products evaluated first: 0.5 to 0.95 of the time. Products of long rows are not.
  bool reads_in_order() const { return is_cached() || n_.kept.back().extent * 64 <= 1024; }

  // The same of integers that loops widen, or a kernel, which reads vectors an even number of bytes apart.
  bool integers_lie_in_line() const {
    const bool has_kernel = has_row_kernel(k_.fused.rows, k_.level) && k_.fused.rows->widens;
    if ((!k_.widens && !has_kernel) || p_.code.stage_count != 1 || n_.sequence.size() != 1) return false;
    for (int k = 0; k < p_.operand_count; ++k) {
      const operand& x = p_.operands[k];
      if (x.is_ramp || x.at != nullptr) return false;
      if (x.is_scalar && k_.widens) return false;
      const index down = x.is_scalar ? 0 : step(n_.sequence[0], k) * size_of(x.type);
      if (!k_.widens && (down < 0 || down % 2 != 0)) return false;
      if (!x.is_scalar && step(n_.kept.back(), k) != 1) return false;
    }
    return true;
  }

  // Whether integers are added up while they are widened: contiguous sequences of at least a vector.
  bool are_widened() const {
    if (!k_.widens || n_.sequence.size() != 1 || n_.length < 64) return false;
    for (int k = 0; k < p_.operand_count; ++k)
      if (p_.operands[k].is_scalar || step(n_.sequence[0], k) != 1) return false;
    return true;
  }
  // The same of rows of few elements, or of squares of these or of their differences from something.
  bool are_widened_rows() const {
    if (!k_.widens_rows || n_.sequence.size() != 1 || n_.kept.empty()) return false;
    for (int j = 0; j < only_.input_count; ++j) {
      const int k = only_.inputs[j];
      const index along = p_.operands[k].is_scalar ? 0 : step(n_.sequence[0], k);
      if (along != 1 && (along != 0 || j == 0 || k_.widens)) return false;
    }
    return true;
  }
  // Whether they are products, squares or absolute values that are reduced as they are computed, several rows at once:
  // 0.25 to 0.9 of the time of their program's kernel where rows are short, or lie in the second-level cache, or end
  // within a vector and lie in the last one. Prefetchers follow longer rows one after the other; several at once take
  // up to three times as long.
  bool are_product_rows() const {
    const index row = n_.length * size_;
    if (!k_.products_of_rows || row < 64 || n_.length > strip_length) return false;
    return row <= 256 || most_bytes() <= (index{1} << 20) || (row % 64 != 0 && row < 1024 && is_cached());
  }
  // Rows along the last kept axis that loops read where they lie.
  void rows_of_arrays(reduction_input input) {
    to_.input = input;
    to_.side = n_.kept.back().extent;
    to_.block = limits::reducing::direct_elements / n_.length;
    if (to_.threads > 1) to_.block = smaller(to_.block, divide_up(n_.results, 8 * to_.threads));
    to_.tasks = n_.results / to_.side * divide_up(to_.side, to_.block);
  }
  void widened() {
    to_.input = reduction_input::widened;
    to_.side = n_.results;
    to_.part = smaller(n_.length, segment_length);
    to_.tasks = n_.results * to_.parts();
  }

  // Whether each operand that is no scalar is contiguous, or one number for each row.
  bool rows_lie_in_line() {
    if (p_.code.stage_count != 1 || n_.kept.size() != 1 || n_.sequence.size() != 1) return false;
    for (int k = 0; k < p_.operand_count; ++k) {
      const index along = step(n_.sequence[0], k), across = step(n_.kept[0], k);
      if (!p_.operands[k].is_scalar && (along != 1 || across != n_.length) && (along != 0 || across != 1)) return false;
    }
    for (int j = 0; j < only_.input_count; ++j) {
      const int k = only_.inputs[j];
      if (!p_.operands[k].is_scalar && step(n_.sequence[0], k) == 0) to_.by_row |= 1U << j;
    }
    return true;
  }
  bool are_short_rows() const { return may_be_short_rows(only_, n_.length, to_.by_row, !k_.has_parts, k_.level); }
  void short_rows() {
    to_.loops = reduction_loops::short_rows;
    to_.input = reduction_input::scratch;
    to_.side = n_.results;
    to_.block = limits::reducing::direct_elements / n_.length;
    if (to_.threads > 1) to_.block = smaller(to_.block, divide_up(n_.results, 8 * to_.threads));
    to_.tasks = divide_up(n_.results, to_.block);
  }

  // Whether every operand is contiguous along the sequences or constant along them, and sequences fill a vector.
  bool are_kernel_rows() const {
    if (!has_row_kernel(k_.fused.rows, k_.level)) return false;
    if (n_.sequence.size() != 1 || p_.code.stage_count != 1 || n_.length < 64 / size_) return false;
    for (int k = 0; k < p_.operand_count; ++k) {
      const index along = step(n_.sequence[0], k);
      if (!p_.operands[k].is_scalar && along != 0 && along != 1) return false;
    }
    return true;
  }
  // A task has some of the sequences along the last kept axis, or segments of one.
  void kernel_rows() {
    const bool is_long = n_.length > segment_length;
    to_.input = reduction_input::kernel;
    if (is_long) to_.part = part_of_long_rows();
    to_.side = n_.kept.empty() || is_long ? 1 : n_.kept.back().extent;
    to_.cut = static_cast<int>(n_.kept.size());
    to_.block = is_long ? 1 : 256 / divide_up(n_.length, strip_length);  // their lanes stay in a near cache
    if (to_.threads > 1) to_.block = smaller(to_.block, divide_up(n_.results, 4 * to_.threads));
    to_.tasks = n_.results / to_.side * to_.parts() * divide_up(to_.side, to_.block);
  }

  // Whether sequences are read where they lie, element after element.
  bool lies_in_line() const {
    return plain_ && n_.sequence.size() == 1 && (plain_step(n_.sequence[0]) == 1 || n_.length == 1);
  }

  // A task: a range of one kept axis, and all kept axes after it; or a part of a long sequence.
  void rows() {
    const bool direct = lies_in_line();
    to_.input = direct ? reduction_input::memory : reduction_input::scratch;
    if (n_.length > segment_length) {
      to_.part = direct && !k_.finishes ? part_of_long_rows() : segment_length;
      to_.side = n_.results;
      to_.tasks = n_.results * to_.parts();
      return;
    }
    if (n_.kept.empty()) return;
    const bool long_enough = direct && n_.length >= 64;  // to be read in place
    // As many bytes of flags as there are of larger elements.
    const index scratch = limits::reducing::scratch_elements * (size_ == 1 ? 4 : 1);
    auto at = static_cast<std::size_t>(to_.cut);
    while (at > 1 && !long_enough && to_.inside * n_.kept[at - 1].extent * n_.length <= scratch)
      to_.inside *= n_.kept[--at].extent;
    to_.cut = static_cast<int>(at);
    to_.side = n_.kept[at - 1].extent;
    // in place they need no scratch, and many are combined together
    const bool in_place = direct && to_.inside == 1 && !k_.finishes;
    to_.block = (in_place ? limits::reducing::direct_elements : scratch) / (to_.inside * n_.length);
    if (in_place && to_.threads > 1) to_.block = smaller(to_.block, divide_up(n_.results, 8 * to_.threads));
    if (to_.block < 1) to_.block = 1;
    to_.tasks = n_.results / (to_.side * to_.inside) * divide_up(to_.side, to_.block);
  }

  // Elements of a long sequence in one task. Segments are combined pair by pair: tasks are 2^k of them, as many as
  // leave each thread eight, since a processor loses the memory that it has in flight where one ends; but no more than
  // take some milliseconds.
  index part_of_long_rows() const {
    const index wanted = to_.threads <= 1 ? 1 : 8 * to_.threads;
    index part = segment_length;
    while (part < n_.length && part < limits::reducing::max_sequence_elements &&
           n_.results * divide_up(n_.length, 2 * part) >= wanted)
      part *= 2;
    return smaller(part, n_.length);
  }

  static constexpr index reducing_tile_bytes = limits::reducing::tile_bytes;
  const problem& p_;
  const reduction_nest& n_;
  const reduction_kernels& k_;
  const stage& only_;
  const int size_;
  bool plain_;
  reduction_plan to_;
};

}  // namespace broadloom::runtime
