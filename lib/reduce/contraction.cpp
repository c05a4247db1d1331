// Contractions: columns of the result are packed with the summed axis slowest, a strip of it at a time, and tiles of
// rows and columns are computed in registers.
#include "contraction.hpp"

#include <broadloom/core/isa.hpp>

#include "../base/for_each.hpp"
#include "../base/frame.hpp"
#include "../base/limits.hpp"
#include "../base/smaller.hpp"
#include "../move/copy.hpp"
#include "../move/small_copy.hpp"
#include "contraction_kernels.hpp"
#include "kernels.hpp"
#include "packing.hpp"
#include "reduce.hpp"

namespace broadloom::runtime {

namespace {

using namespace limits::contracting;

// A part of a result's rows and columns is a task.
class contractor {
 public:
  contractor(const contraction& c, const operand* operands, void* out, dtype type, accuracy maths,
             const reduction_plan& plan)
      : c_(c),
        kernels_(type == dtype::f32 ? contraction_f32() : contraction_f64()),
        tiles_(kernels_.tiles(c.term, maths)),
        join_(find_kernels(reduction::sum, type, active_isa())->join),
        a_(static_cast<const std::byte*>(operands[c.a].data)),
        b_(static_cast<const std::byte*>(operands[c.b].data)),
        out_(static_cast<std::byte*>(out)),
        size_(size_of(type)),
        strip_(smaller(c.along.extent, strip_length)),
        strips_(divide_up(c.along.extent, strip_length)),
        columns_(plan.block),
        rows_(plan.band),
        rows_at_once_(plan.packed) {
    for (index left = strips_; left > 1; left = divide_up(left, 2)) levels_ += levels_ == 0 ? 2 : 1;
  }

  void run(int threads) const {
    const index parts = divide_up(c_.columns.extent, columns_), bands = divide_up(c_.rows.extent, rows_);
    for_ranges(c_.results * parts * bands, threads, [&](index first, index last) {
      const task_memory memory(*this);
      for (index t = first; t < last; ++t) {
        const index row = t % bands * rows_, column = t / bands % parts * columns_;
        index a = row * c_.rows.a, b = column * c_.columns.b, out = row * c_.rows.out + column * c_.columns.out;
        index rest = t / bands / parts;
        for (int i = c_.other_count - 1; i >= 0; --i) {
          const contraction::axis& x = c_.others[i];
          const index at = rest % x.extent;
          rest /= x.extent;
          a += at * x.a;
          b += at * x.b;
          out += at * x.out;
        }
        task(a_ + a * size_, b_ + b * size_, out_ + out * size_, smaller(rows_, c_.rows.extent - row),
             smaller(columns_, c_.columns.extent - column), memory);
      }
    });
  }

 private:
  // Scratch of a thread: packed columns, packed rows, a tile, what tiles wait in, and sums of strips.
  struct task_memory {
    explicit task_memory(const contractor& x)
        : tile_bytes(tile_height * x.kernels_.width * x.size_),
          all(static_cast<std::size_t>((tiles_of_room + 1) * tile_bytes + x.bytes_of_columns() + x.bytes_of_rows() +
                                       x.levels_ * x.bytes_of_sums()) +
              64) {
      tile = all.data();
      room = tile + tile_bytes;
      columns = room + tiles_of_room * tile_bytes;
      rows = columns + x.bytes_of_columns();
      sums = rows + x.bytes_of_rows();
    }
    index tile_bytes;
    frame all;
    std::byte *tile, *room, *columns, *rows, *sums;
  };

  index bytes_of_columns() const { return round_up(columns_, kernels_.lanes) * strip_ * size_; }
  index bytes_of_rows() const { return rows_at_once_ * strip_ * size_; }
  index bytes_of_sums() const { return round_up(rows_, tile_height) * round_up(columns_, kernels_.lanes) * size_; }

  void task(const std::byte* a, const std::byte* b, std::byte* out, index rows, index columns,
            const task_memory& memory) const {
    const index pitch = round_up(columns, kernels_.lanes), elements = round_up(rows, tile_height) * pitch;
    if (strips_ == 1) {
      pack_columns(memory.columns, b, strip_, columns);
      return sums_of_strip(a, strip_, rows, columns, out, c_.rows.out, c_.columns.out, memory);
    }
    index waiting = 0;
    const auto sums = [&](index level) { return memory.sums + level * bytes_of_sums(); };
    for (index s = 0; s < strips_; ++s) {
      const index first = s * strip_, n = smaller(strip_, c_.along.extent - first);
      pack_columns(memory.columns, b + first * c_.along.b * size_, n, columns);
      sums_of_strip(a + first * c_.along.a * size_, n, rows, columns, sums(waiting), pitch, 1, memory);
      for (index m = s; waiting > 0 && ((m & 1) != 0 || s + 1 == strips_); m >>= 1, --waiting)
        join_(sums(waiting - 1), sums(waiting), elements);
      ++waiting;
    }
    for (index i = 0; i < rows; ++i)
      write(out + i * c_.rows.out * size_, memory.sums + i * pitch * size_, columns, c_.columns.out);
  }

  void write(std::byte* to, const std::byte* from, index n, index step) const {
    if (step == 1)
      copy_small(to, from, static_cast<std::size_t>(n * size_));
    else
      scatter(to, from, size_, 1, n, 0, step * size_);
  }

  // Sums of n terms for each row and column. Those that wait are written in whole tiles.
  void sums_of_strip(const std::byte* a, index n, index rows, index columns, std::byte* out, index out_row,
                     index out_column, const task_memory& memory) const {
    const bool padded = strips_ > 1;
    for (index r = 0; r < rows; r += rows_at_once_) {
      const index here = smaller(rows_at_once_, rows - r);
      const std::byte* from = a + r * c_.rows.a * size_;
      index row = c_.rows.a;
      if ((c_.along.a != 1 && n > 1) || here % tile_height != 0) {
        pack_tile_rows(memory.rows, from, size_, here, n, c_.rows.a * size_, c_.along.a * size_);
        row = n;
        from = memory.rows;
      }
      for (index c = 0; c < columns;) {
        const bool whole = columns - c >= kernels_.width;
        const index width = whole ? kernels_.width : kernels_.lanes,
                    wide = padded ? width : smaller(width, columns - c);
        const contraction_tile tile = tiles_[whole ? 0 : 1];
        const std::byte* const panel = memory.columns + c * n * size_;
        for (index i = 0; i < here; i += tile_height) {
          const std::byte* const left = from + i * row * size_;
          std::byte* const to = out + ((r + i) * out_row + c * out_column) * size_;
          const index high = smaller(tile_height, here - i);
          if (out_column == 1 && wide == width && (padded || high == tile_height)) {
            tile(left, row, panel, n, to, out_row, memory.room);
            continue;
          }
          tile(left, row, panel, n, memory.tile, width, memory.room);
          if (out_row == 1)
            for (index k = 0; k < wide; ++k)
              gather(to + k * out_column * size_, memory.tile + k * size_, size_, 1, high, 0, width * size_);
          else
            for (index k = 0; k < high; ++k)
              write(to + k * out_row * size_, memory.tile + k * width * size_, wide, out_column);
        }
        c += width;
      }
    }
  }

  // A panel for each tile.
  void pack_columns(std::byte* to, const std::byte* from, index n, index columns) const {
    const index step = c_.columns.b * size_, along = c_.along.b * size_;
    for (index c = 0, width; c < columns; c += width) {
      width = columns - c >= kernels_.width ? kernels_.width : kernels_.lanes;
      pack_tile_columns(to + c * n * size_, from + c * step, size_, n, columns - c, width, along, step);
    }
  }

  const contraction& c_;
  const contraction_kernels& kernels_;
  const contraction_tile* tiles_;
  void (*join_)(void* to, const void* right, index n);
  const std::byte *a_, *b_;
  std::byte* out_;
  int size_;
  index strip_, strips_;
  index columns_, rows_, rows_at_once_;  // of a task, and that are read while they are in a cache
  index levels_ = 0;                     // sums of strips that wait at once
};

}  // namespace

void run_contraction(const contraction& c, const operand* operands, void* out, dtype type, accuracy maths,
                     const reduction_plan& plan) {
  contractor(c, operands, out, type, maths, plan).run(plan.threads);
}

}  // namespace broadloom::runtime
