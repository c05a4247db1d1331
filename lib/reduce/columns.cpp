// Reductions whose last kept axis is contiguous: columns are reduced together.
#include "../base/limits.hpp"
#include "reducer.hpp"

#include <cstdint>
#include <cstring>

#include "../base/frame.hpp"
#include "../base/memory_block.hpp"
#include "contiguous.hpp"
#include "row_kernel.hpp"

namespace broadloom::runtime {

namespace {

// What the columns of a strip have come to: a row for each lane, to which row i is added at lane i modulo the lanes.
// The first rows are taken where they lie, but for partial results of two parts: these begin with the identity.
class lane_rows {
 public:
  static constexpr index max_lanes = 64;
  static constexpr index few_columns = 256;  // are joined at once: what lanes come to stays in the first-level cache

  // `own`: memory for a row of each lane, 64 bytes a column and part.
  lane_rows(const reduce_kernels& k, std::byte* own, index columns, int size)
      : kernels_(k), own_(own), columns_(columns), size_(size), row_(columns * size * k.parts), lanes_(64 / size) {}

  void begin() {
    rows_ = moved_ = 0;
    if (kernels_.parts == 1) return;
    for (; rows_ < lanes_; ++rows_) kernels_.fill_identity(own(rows_), columns_);
    moved_ = rows_;
  }

  // Rows before these are a multiple of the lanes. The first `lanes` of all must stay where they are until the end, or
  // lie in the lanes' own memory.
  void add(const std::byte* x, index count, index pitch) {
    if (rows_ == 0) {
      first_ = x;
      pitch_ = pitch;
      rows_ = smaller(count, lanes_);
      x += rows_ * pitch;
      count -= rows_;
    }
    const bool dense = pitch == columns_ * size_ && kernels_.parts == 1;
    const index line = lanes_ * pitch;
    for (const void* rows[8]; count > 0;) {
      const index groups = count < lanes_ ? 1 : smaller(8, count / lanes_), n = smaller(count, lanes_);
      const index height = dense ? n : 1;  // rows that are added in one call: contiguous ones are as one
      const index step = moved_ > 0 ? row_ : pitch_;
      const std::byte *from = moved_ > 0 ? own_ : first_, *row = x;
      std::byte* to = own_;
      for (index l = 0; l < n; l += height, to += height * row_, from += height * step, row += height * pitch) {
        const std::byte* next = row;
        for (index g = 0; g < groups; ++g, next += line) rows[g] = next;
        kernels_.rows(to, from, rows, static_cast<int>(groups), height * columns_);
      }
      if (moved_ < n) moved_ = n;
      x += groups * line;
      count -= groups * lanes_;
    }
  }

  // All rows, at these addresses, which must stay until the end.
  void add_listed(const std::byte* const* x, index count) {
    listed_ = x;
    rows_ = smaller(count, lanes_);
    index n = 0;
    for (index i = lanes_; i < count; i += n) {
      const index groups = count - i < lanes_ ? 1 : smaller(8, (count - i) / lanes_);
      const index lanes = smaller(count - i, lanes_);
      n = groups * lanes;
      for (index l = 0; l < lanes; ++l) {
        const void* rows[8];
        for (index g = 0; g < groups; ++g) rows[g] = x[i + g * lanes_ + l];
        kernels_.rows(own(l), at(l), rows, static_cast<int>(groups), columns_);
      }
      if (moved_ < lanes) moved_ = lanes;
    }
  }

  // So many lanes are in the lanes' memory, the first of `lanes`.
  void set(index there, index lanes) {
    rows_ = moved_ = there;
    lanes_ = lanes;
  }

  // Lanes k and k + half, until one is left.
  void join(std::byte* to) {
    if (kernels_.parts > 1) {
      for (index half = lanes_ / 2; half >= 1; half /= 2)
        for (index k = 0; k < half; ++k) kernels_.join(own(k), own(k + half), columns_);
      std::memcpy(to, own(0), static_cast<std::size_t>(row_));
      return;
    }
    if (columns_ <= few_columns) {
      for (; moved_ < rows_; ++moved_)
        if (at(moved_) != own(moved_)) std::memcpy(own(moved_), at(moved_), static_cast<std::size_t>(row_));
      return join_lanes(kernels_, own_, lanes_, rows_, columns_, row_, to);
    }
    if (rows_ == 1) std::memcpy(to, at(0), static_cast<std::size_t>(row_));
    alignas(64) std::byte t[max_lanes / 2 * few_columns];
    const index pitch = few_columns * size_;
    for (index c = 0; c < columns_; c += few_columns) {
      const index n = smaller(few_columns, columns_ - c);
      const std::byte* x[max_lanes];
      for (index k = 0; k < rows_; ++k) x[k] = at(k) + c * size_;
      index left = rows_;
      for (index half = lanes_ / 2; half >= 1; half /= 2) {
        for (index k = 0; k + half < left; ++k) {
          const void* const right = x[k + half];
          std::byte* const sum = half == 1 ? to + c * size_ : t + k * pitch;
          kernels_.rows(sum, x[k], &right, 1, n);
          x[k] = sum;
        }
        left = smaller(left, half);
      }
    }
  }

 private:
  std::byte* own(index lane) const { return own_ + lane * row_; }
  const std::byte* at(index lane) const {
    return lane < moved_ ? own(lane) : listed_ != nullptr ? listed_[lane] : first_ + lane * pitch_;
  }

  const reduce_kernels& kernels_;
  std::byte* own_;
  index columns_;
  int size_;
  index row_;  // bytes
  index lanes_, rows_ = 0;
  index moved_ = 0;  // of the lanes: in their own memory, and not where they were first
  const std::byte* first_ = nullptr;
  index pitch_ = 0;
  const std::byte* const* listed_ = nullptr;
};

}  // namespace

// The last kept axis is contiguous: tiles of columns; the lanes of a column are rows, one below the other.
void reducer::run_columns() const {
  const loop_axis& across = axes_.kept.back();
  const index outer = axes_.results / across.extent, width = plan_.block, segment = plan_.part;
  const index segments = plan_.parts();
  const index tiles = divide_up(across.extent, width);
  if (segments == 1) {
    each_task(plan_.tasks, [&](index t, box_plans& plan) {
      const index column = t % tiles * width;
      task_of_columns(t / tiles, column, smaller(width, across.extent - column), 0, axes_.length,
                      static_cast<std::byte*>(p_.out) + (t / tiles * across.extent + column) * out_size_, true, plan);
    });
    return;
  }
  const index row = across.extent * part_;  // bytes of a partial result
  const memory_block partial(outer * segments * row);
  each_task(plan_.tasks, [&](index t, box_plans& plan) {
    const index column = t % tiles * width, s = t / tiles;
    const index first = s % segments * segment;
    task_of_columns(s / segments, column, smaller(width, across.extent - column), first,
                    smaller(segment, axes_.length - first), partial.data() + s * row + column * size_, false, plan);
  });
  for (index i = 0; i < outer; ++i)
    tree_to_results(partial.data() + i * segments * row, segments, across.extent,
                    static_cast<std::byte*>(p_.out) + i * across.extent * out_size_);
}

// Elements [first, first + n) of each column. `finished`: `to` gets results, else its part of a partial result of all
// columns.
void reducer::task_of_columns(index outer, index column, index columns, index first, index n, std::byte* to,
                              bool finished, box_plans& plan) const {
  index origin[first_stage];
  origin_of(outer, axes_.kept.size() - 1, origin);
  const index lanes = 64 / size_, row = columns * part_, scratch_row = columns * size_;
  const index strips = divide_up(n, strip_length);
  if (plan_.dense) {
    const column_inputs x = rows_of_columns(origin, first, n, columns);
    return reduce_dense_columns(p_.code.stages[0], found_.fused.rows, found_.op, x, *kernels_, to);
  }
  if (add_integers(origin, first, n, column, columns, to)) return;
  // The last columns of a row may be fewer than the loops of products take.
  const bool adds_products = plan_.input == reduction_input::products && columns >= lanes;
  const index group = in_place() || adds_products                ? 0
                      : scratch_elements / (lanes * columns) > 1 ? scratch_elements / (lanes * columns) * lanes
                                                                 : lanes;
  const bool is_listed = in_place() && axes_.sequence.size() > 1;
  constexpr index page = 4096;
  const bool reads_rows = in_place() && !is_listed;
  // the lanes, scratch, a row of each strip's results, the addresses of a strip's rows
  const index apart = group > 0 ? page / 2 : 0;
  const index bytes = round_up((lanes + strips) * row + apart + group * scratch_row, 8);
  const frame f(static_cast<std::size_t>(bytes + (reads_rows ? page : 0)) +
                (is_listed ? strip_length * sizeof(const std::byte*) : 0));
  // Rows of whole pages are read at one offset: the lanes begin half a page from it (base/frame.hpp).
  std::byte* own = f.data();
  if (reads_rows) {
    const auto first_column = reinterpret_cast<std::uintptr_t>(plain_at(origin) + column * size_);
    own +=
        (first_column + page / 2 - reinterpret_cast<std::uintptr_t>(own)) % static_cast<std::uintptr_t>(page) / 64 * 64;
  }
  std::byte* const scratch = own + lanes * row + apart;
  std::byte* const partial = scratch + group * scratch_row;
  const bool one_strip = strips == 1 && part_ == size_;
  lane_rows sums(*kernels_, own, columns, size_);
  for (index s = 0; s < strips; ++s) {
    const index begin = s * strip_length, count = smaller(strip_length, n - begin);
    sums.begin();
    if (is_listed) {
      auto** const rows = reinterpret_cast<const std::byte**>(own + bytes);
      list_rows(origin, first + begin, count, column, rows);
      sums.add_listed(rows, count);
    } else if (in_place()) {
      const index pitch = plain_step(axes_.sequence[0]) * size_;
      sums.add(plain_at(origin) + column * size_ + (first + begin) * pitch, count, pitch);
    } else if (adds_products) {
      const index there = add_products(origin, first + begin, count, column, columns, own);
      sums.set(there, count < lanes ? lanes : there);
    } else {
      for (index i = 0; i < count; i += group) {
        const index m = smaller(group, count - i);
        // The first rows are the lanes.
        std::byte* const rows = i == 0 && part_ == size_ ? own : scratch;
        evaluate_part(origin, first + begin + i, m, column, columns, rows, plan);
        sums.add(rows, m, scratch_row);
      }
    }
    sums.join(one_strip ? to : partial + s * row);
  }
  if (one_strip) return;
  if (finished || part_ == size_) return tree_to_results(partial, strips, columns, to);
  kernels_->tree(partial, strips, columns, partial);
  std::memcpy(to, partial, static_cast<std::size_t>(scratch_row));
  std::memcpy(to + axes_.kept.back().extent * size_, partial + scratch_row, static_cast<std::size_t>(scratch_row));
}

// Where elements [first, first + n) of the sequence, which has several axes, have their columns.
void reducer::list_rows(const index* origin, index first, index n, index column, const std::byte** to) const {
  const std::size_t axes = axes_.sequence.size();
  index at[max_axes];
  const std::byte* row = plain_at(origin) + column * size_;
  for (std::size_t a = axes; a-- > 0;) {
    const loop_axis& x = axes_.sequence[a];
    at[a] = a > 0 ? first % x.extent : first;
    first /= x.extent;
    row += at[a] * plain_step(x) * size_;
  }
  for (index i = 0; i < n; ++i) {
    to[i] = row;
    for (std::size_t a = axes; a-- > 0;) {
      const loop_axis& x = axes_.sequence[a];
      row += plain_step(x) * size_;
      if (++at[a] < x.extent) break;
      row -= x.extent * plain_step(x) * size_;
      at[a] = 0;
    }
  }
}

// n rows of all columns, where those of each operand lie one after the other.
column_inputs reducer::rows_of_columns(const index* origin, index first, index n, index columns) const {
  const stage& only = p_.code.stages[0];
  column_inputs x;
  x.rows = n;
  x.columns = columns;
  for (int j = 0; j < only.input_count; ++j) {
    const int k = only.inputs[j];
    x.inputs[j] = {p_.operands[k].data, 0};
    if (p_.operands[k].is_scalar) continue;
    const index row = axes_.sequence[0].steps[static_cast<std::size_t>(k)];
    x.inputs[j] = {moved(x.inputs[j].data, (origin[k] + first * row) * size_of(only.input_types[j])), -1};
    if (row == 0) x.shared |= 1U << j;
  }
  return x;
}

// The sums of n rows of integers, which need no lanes. False where loops do not do it, or not that few columns.
bool reducer::add_integers(const index* origin, index first, index n, index column, index columns,
                           std::byte* to) const {
  const bool loops = plan_.input == reduction_input::widened;
  const stage& only = p_.code.stages[0];
  if ((!loops && plan_.input != reduction_input::kernel) ||
      columns < (loops ? 64 / size_of(only.input_types[0]) : found_.fused.rows->lanes[static_cast<int>(found_.level)]))
    return false;
  small_array<slot, 16> x(static_cast<std::size_t>(only.input_count));
  small_array<index, 16> pitch(static_cast<std::size_t>(only.input_count));
  for (int j = 0; j < only.input_count; ++j) {
    const int k = only.inputs[j];
    const index size = size_of(only.input_types[j]);
    x[j] = {p_.operands[k].data, 0};
    pitch[j] = 0;
    if (p_.operands[k].is_scalar) continue;
    const index row = axes_.sequence[0].steps[static_cast<std::size_t>(k)];
    x[j] = {moved(x[j].data, (origin[k] + first * row + column) * size), -1};
    pitch[j] = row * size;
  }
  auto* const sums = reinterpret_cast<std::int64_t*>(to);
  if (!loops)
    widen_columns(*found_.fused.rows, only, x.data(), pitch.data(), n, columns, sums);
  else if (only.input_count > 1)
    find_widening_kernels(found_.op, only, found_.level)
        .columns(x[0].data, x[1].data, n, columns, pitch[0], pitch[1], sums);
  else
    find_widening_kernels(found_.op, only, found_.level).columns(x[0].data, nullptr, n, columns, pitch[0], 0, sums);
  return true;
}

// The lanes of n rows of products of columns, at most a strip, and how many.
index reducer::add_products(const index* origin, index first, index n, index column, index columns,
                            std::byte* lanes) const {
  const stage& only = p_.code.stages[0];
  const void* x[2] = {};
  index pitch[2] = {};
  for (int j = 0; j < only.input_count; ++j) {
    const int k = only.inputs[j];
    x[j] = p_.operands[k].data;
    if (p_.operands[k].is_scalar) continue;
    const index row = axes_.sequence[0].steps[static_cast<std::size_t>(k)];
    x[j] = moved(x[j], (origin[k] + first * row + column) * size_);
    pitch[j] = row * size_;
  }
  return products_(x[0], x[1], n, columns, pitch[0], pitch[1], lanes);
}

}  // namespace broadloom::runtime
