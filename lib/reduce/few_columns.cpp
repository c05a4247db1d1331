// Columns of few elements, of an array or computed, reduced without a nest.
#include <cstring>

#include <broadloom/core/isa.hpp>

#include "../base/frame.hpp"
#include "../base/smaller.hpp"
#include "../move/vectors.hpp"
#include "../plan/contiguous_rows.hpp"
#include "contiguous.hpp"
#include "row_kernel.hpp"

namespace broadloom::runtime {

namespace {

// The columns of a strip of rows: row i is combined with lane i modulo the lanes, of 64 bytes of results. The rows of
// all lanes lie one after the other, as a group of rows does, whose elements are thereby combined one by one.
class columns_strip {
 public:
  columns_strip(const source& s, const column_inputs& x, const reduce_kernels& k)
      : only_(s.code->stages[0]),
        x_(x),
        k_(k),
        level_(static_cast<int>(active_isa())),
        size_(size_of(only_.type)),
        lanes_(64 / size_),
        group_(lanes_ * x.columns),
        kernel_(s.rows == nullptr || only_.code->lanes[level_] != lanes_ ? nullptr : s.rows->run[level_]) {}

  reduction_input input() const {
    if (only_.copies) return reduction_input::memory;
    return kernel_ != nullptr && x_.rows >= lanes_ ? reduction_input::kernel : reduction_input::scratch;
  }

  void operator()(std::byte* to) {
    const index strips = divide_up(x_.rows, strip_length), row = x_.columns * size_;
    const index sums = strips == 1 ? 0 : strips * row;
    const frame memory(in_half_pages(static_cast<std::size_t>(group_ * size_ + sums)) + scratch_bytes + copy_bytes());
    own_ = memory.data();
    std::byte* const partial = own_ + group_ * size_;
    scratch_ = own_ + in_half_pages(static_cast<std::size_t>(group_ * size_ + sums));
    bind(scratch_ + scratch_bytes);
    for (index i = 0; i < strips; ++i) {
      const index n = smaller(strip_length, x_.rows - i * strip_length);
      join(find_lanes(n), smaller(n, lanes_), strips == 1 ? to : partial + i * row);
      for (int j = 0; j < only_.input_count; ++j) in_[j].data = moved(in_[j].data, strip_length * in_[j].row);
    }
    if (strips > 1) k_.tree(partial, strips, x_.columns, to);
  }

 private:
  static constexpr index scratch_bytes = 16384;  // with what it is added to it stays in the first-level cache

  // An input, and bytes to its next element, row and group.
  struct input_at {
    const void* data;
    index element, row, group;
  };

  // A row that all rows read is written as often as there are lanes where it is short: then it is as any group.
  bool copies_shared() const { return x_.shared != 0 && x_.columns < 4 * lanes_; }
  bool reads_shared() const { return x_.shared != 0 && !copies_shared(); }
  std::size_t copy_bytes() const {
    index bytes = 0;
    for (int j = 0; j < only_.input_count && copies_shared(); ++j)
      if ((x_.shared >> j & 1) != 0) bytes += group_ * size_of(only_.input_types[j]);
    return static_cast<std::size_t>(bytes);
  }
  void bind(std::byte* copies) {
    for (int j = 0; j < only_.input_count; ++j) {
      const index size = size_of(only_.input_types[j]), row = x_.columns * size;
      if (x_.inputs[j].advance == 0) {
        in_[j] = {x_.inputs[j].data, 0, 0, 0};
        continue;
      }
      in_[j] = {x_.inputs[j].data, size, row, lanes_ * row};
      if ((x_.shared >> j & 1) == 0) continue;
      in_[j].row = in_[j].group = 0;
      if (!copies_shared()) continue;
      in_[j].data = copies;
      for (index l = 0; l < lanes_; ++l, copies += row)
        std::memcpy(copies, x_.inputs[j].data, static_cast<std::size_t>(row));
    }
  }

  // The lanes of n rows, one after the other, own or where the rows lie.
  const std::byte* find_lanes(index n) const {
    if (only_.copies) return lanes_in_memory(static_cast<const std::byte*>(in_[0].data), n);
    const index groups = n / lanes_, rest = (n - groups * lanes_) * x_.columns;
    if (groups > 0 && kernel_ == nullptr)
      add_groups(groups);
    else if (groups > 0 && reads_shared())
      for (index l = 0; l < lanes_; ++l) run_kernel_on_lane(groups, l);
    else if (groups > 0)
      run_kernel(groups, 0, x_.columns, own_);
    const index most = piece(1);
    for (index i = 0; i < rest; i += most) {
      const index m = smaller(most, rest - i);
      evaluate(groups, i, m, groups == 0 ? own_ + i * size_ : scratch_);
      const void* const from = scratch_;
      if (groups > 0) k_.rows(own_ + i * size_, own_ + i * size_, &from, 1, m);
    }
    return own_;
  }

  const std::byte* lanes_in_memory(const std::byte* x, index n) const {
    const std::byte *from = x, *at = x + group_ * size_;
    for (index left = n - lanes_; left > 0;) {
      const index groups = left < lanes_ ? 1 : smaller(8, left / lanes_);
      const void* next[8];
      for (index g = 0; g < groups; ++g, at += group_ * size_) next[g] = at;
      if (left < lanes_ && from != own_) std::memcpy(own_, from, static_cast<std::size_t>(group_ * size_));
      k_.rows(own_, left < lanes_ ? own_ : from, next, static_cast<int>(groups), smaller(lanes_, left) * x_.columns);
      from = own_;
      left -= groups * lanes_;
    }
    return from;
  }

  // `vectors` vectors of 64 bytes of the groups, from element `first` on.
  void run_kernel(index groups, index first, index vectors, std::byte* to, index of_shared = 0) const {
    slot here[max_short_inputs];
    index pitch[max_short_inputs];
    alignas(64) std::byte room[max_short_inputs * row_room];
    for (int j = 0; j < only_.input_count; ++j) {
      const input_at& x = in_[j];
      const bool is_row = x.row == 0 && !copies_shared();
      here[j] = {moved(x.data, (is_row ? of_shared : first) * x.element),
                 x.element == 0 ? 0 : step_of_vectors(x.group)};
      pitch[j] = x.element * lanes_;
    }
    kernel_(here, {pitch, vectors, groups * lanes_, k_.identity, 0, room, to, 64});
  }
  // The last vector overlaps the one before it.
  void run_kernel_on_lane(index groups, index lane) const {
    const index first = lane * x_.columns, vectors = x_.columns / lanes_, last = x_.columns - lanes_;
    run_kernel(groups, first, vectors, own_ + first * size_);
    if (vectors * lanes_ != x_.columns) run_kernel(groups, first + last, 1, own_ + (first + last) * size_, last);
  }

  // Elements that are evaluated before they are added, of so many groups at a time.
  index piece(index groups) const { return reads_shared() ? x_.columns : scratch_bytes / (size_ * groups) & -lanes_; }
  // m elements of a group of rows from `first` on.
  void evaluate(index group, index first, index m, std::byte* to) const {
    slot here[max_short_inputs];
    for (int j = 0; j < only_.input_count; ++j) {
      const input_at& x = in_[j];
      const bool is_row = x.row == 0 && reads_shared();
      here[j] = {moved(x.data, group * x.group + (is_row ? 0 : first * x.element)), x.element == 0 ? 0 : -1};
    }
    run_disjoint(only_, here, to, m, level_);
  }
  void add_groups(index groups) const {
    const index fit = reads_shared() ? scratch_bytes / (x_.columns * size_) : 8;
    const index together = smaller(smaller(8, fit), groups - 1), most = piece(together == 0 ? 1 : together);
    for (index i = 0; i < group_; i += most) {
      const index m = smaller(most, group_ - i);
      std::byte* const to = own_ + i * size_;
      evaluate(0, i, m, to);
      for (index g = 1; g < groups; g += together) {
        const index some = smaller(together, groups - g);
        const void* rows[8];
        for (index k = 0; k < some; ++k) {
          rows[k] = scratch_ + k * m * size_;
          evaluate(g + k, i, m, scratch_ + k * m * size_);
        }
        k_.rows(to, to, rows, static_cast<int>(some), m);
      }
    }
  }

  // Lanes k and k + half of `there`, until one is left.
  void join(const std::byte* lanes, index there, std::byte* to) const {
    const index row = x_.columns * size_;
    if (there == 1) std::memcpy(to, lanes, static_cast<std::size_t>(row));
    for (index half = lanes_ / 2; half > 0; half /= 2) {
      if (there <= half) continue;
      const index pairs = smaller(half, there - half);
      const void* const upper = lanes + half * row;
      std::byte* const sums = half == 1 ? to : own_;
      k_.rows(sums, lanes, &upper, 1, pairs * x_.columns);
      if (lanes != sums && pairs < half)
        std::memcpy(sums + pairs * row, lanes + pairs * row, static_cast<std::size_t>((half - pairs) * row));
      lanes = sums;
    }
  }

  const stage& only_;
  const column_inputs& x_;
  const reduce_kernels& k_;
  const int level_;
  const index size_, lanes_, group_;  // group_: elements of a row for each lane
  row_kernel_call* const kernel_;
  std::byte *own_ = nullptr, *scratch_ = nullptr;
  input_at in_[max_short_inputs];
};

// The kernels where the first axes of few elements are reduced; else null.
const reduce_kernels* find_columns(const source& s, const leaf_array* leaves, column_inputs& x) {
  if (!bind_columns(s, leaves, x)) return nullptr;
  const reduce_kernels* const k = find_kernels(s.how, s.code->stages[0].type, active_isa());
  return k != nullptr && k->finish == nullptr && k->position == nullptr && k->parts == 1 ? k : nullptr;
}

}  // namespace

bool reduce_columns(const source& s, const leaf_array* leaves, void* to) {
  column_inputs x;
  const reduce_kernels* const k = find_columns(s, leaves, x);
  if (k == nullptr) return false;
  columns_strip strip(s, x, *k);
  strip(static_cast<std::byte*>(to));
  return true;
}

reduction_plan plan_columns(const source& s, const leaf_array* leaves) {
  column_inputs x;
  const reduce_kernels* const k = find_columns(s, leaves, x);
  if (k == nullptr) return no_plan();
  return plan_of({reduction_loops::columns, columns_strip(s, x, *k).input()}, x.columns, x.rows);
}

}  // namespace broadloom::runtime
