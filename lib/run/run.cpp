// The executor: walks blocks, packs what cannot be read in place, and sends chunks of elements through the stages.
#include "run.hpp"

#include "../base/limits.hpp"
#include "../base/scope.hpp"

#include <cstdint>
#include <cstring>

#include <broadloom/core/isa.hpp>
#include <broadloom/core/storage.hpp>
#include <broadloom/expr/ramp.hpp>

#include "../base/for_each.hpp"
#include "../base/frame.hpp"
#include "../base/smaller.hpp"
#include "../base/thread_end.hpp"
#include "../base/tuned.hpp"
#include "../move/copy.hpp"
#include "../move/vectors.hpp"
#include "../plan/work.hpp"

namespace broadloom::runtime {

namespace {

constexpr std::size_t lanes_bytes = 64;  // the widest vector of any level
using limits::line_bytes;
using namespace limits::prefetching;

struct reader {
  reading how;
  const std::byte* base;    // the array's first element
  const std::byte* at;      // this chunk's first element
  std::byte* scratch;       // packed block, or splat
  const std::byte* source;  // what the scratch was made from
  index source_rows;
  bool counts;  // of a ramp: kernels count it in registers where they may
  slot chunk;   // of a ramp that is computed: this chunk of it
};

class runner {
 public:
  runner(const nest& n, const blocks& b, const program& code, const options& how)
      : nest_(n), blocks_(b), code_(code), level_(active_isa()), maths_(maths_in_force(how)) {
    for (int s = 0; s < code.stage_count; ++s)
      if (code.stages[s].input_count > max_inputs_) max_inputs_ = code.stages[s].input_count;
    const auto reserve = [&](std::size_t bytes) {
      const std::size_t at = frame_bytes_;
      frame_bytes_ += (bytes + lanes_bytes + 63) & ~std::size_t{63};
      return at;
    };
    readers_at_ = reserve(static_cast<std::size_t>(n.arrays) * sizeof(reader));
    slots_at_ = reserve(static_cast<std::size_t>(2 * max_inputs_) * sizeof(slot));
    first_at_ = reserve(static_cast<std::size_t>(n.arrays) * sizeof(const std::byte*));
    next_at_ = reserve(static_cast<std::size_t>(n.arrays) * sizeof(prefetch_stream));
    moving_at_ = reserve(static_cast<std::size_t>(max_inputs_) * sizeof(moving));
    const std::size_t block = static_cast<std::size_t>(b.rows * b.columns);
    // splats and packed blocks of the operands, then strips of the stages, strips for repeated inputs, tail and output
    scratch_at_ = frame_bytes_;
    for (int k = 0; k < n.arrays; ++k) {
      const reading r = read_array(n, b, k);
      has_ramps_ = has_ramps_ || r == reading::computed;
      if (r == reading::splat || r == reading::scalar)
        reserve(lanes_bytes);
      else if (r == reading::packed)
        reserve(block * static_cast<std::size_t>(n.list[k].size));
      else if (r == reading::computed)
        reserve(static_cast<std::size_t>(b.chunk * n.list[k].size));
    }
    strips_at_ = frame_bytes_;
    strip_bytes_ = in_half_pages(static_cast<std::size_t>(b.chunk) * 16 + lanes_bytes);
    if (code.stage_count > 1) reserve(strip_bytes_ * static_cast<std::size_t>(code.stage_count));
    splat_at_ = frame_bytes_;
    for (int s = 0; s < code.stage_count; ++s)
      if (code.stages[s].kind != stage_kind::compute) has_strips_ = true;
    if (has_strips_ && needs_splats(n, b, code)) reserve(2 * strip_bytes_);
    tail_at_ = reserve(spare_bytes(max_inputs_));
    streamed_at_ = frame_bytes_;
    if (b.streamed && !b.in_kernel) reserve(strip_bytes_);
    rows_are_plain_ = code.stage_count == 1 && !has_strips_ &&
                      (b.kind == block_kind::rows || b.kind == block_kind::tiles) && b.row_axis >= 0 &&
                      b.chunk == b.columns && !b.output_packed && b.streamed == b.in_kernel;
    for (int k = 0; k < n.arrays; ++k) rows_are_plain_ = rows_are_plain_ && !n.list[k].ramp;
    merged_are_plain_ = code.stage_count == 1 && !has_strips_ && b.kind == block_kind::merged && n.rank == 2 &&
                        !b.output_packed && b.streamed == b.in_kernel;
    for (int k = 0; k < n.arrays; ++k)
      merged_are_plain_ = merged_are_plain_ && !n.list[k].ramp &&
                          (read_array(n, b, k) != reading::packed || n.stride(k, b.row_axis) == 0);
  }

  std::size_t frame_bytes() const { return frame_bytes_; }
  // Boxes of a reduction go through memory in small steps, between which other memory is worked on.
  void prefetch_ahead() { prefetches_ahead_ = true; }
  void use_prefetcher(row_prefetcher* prefetcher) { prefetcher_ = prefetcher; }

  // Makes a frame ready for run_blocks: every array where the nest has it, and nothing packed yet.
  void start(std::byte* base) const {
    auto* const readers = reinterpret_cast<reader*>(base + readers_at_);
    std::byte* scratch = base + scratch_at_;
    for (int k = 0; k < nest_.arrays; ++k) {
      reader& r = readers[k];
      r = {read_array(nest_, blocks_, k),        nest_.list[k].base, nullptr, nullptr, nullptr, 0,
           counts_in_registers(nest_, code_, k), {nullptr, -1}};
      if (r.how == reading::splat || r.how == reading::scalar) {
        r.scratch = scratch;
        scratch += 2 * lanes_bytes;
      } else if (r.how == reading::packed) {
        r.scratch = scratch;
        scratch += (static_cast<std::size_t>(blocks_.rows * blocks_.columns * nest_.list[k].size) + lanes_bytes + 63) &
                   ~std::size_t{63};
      } else if (r.how == reading::computed) {
        r.scratch = scratch;
        scratch += (static_cast<std::size_t>(blocks_.chunk * nest_.list[k].size) + lanes_bytes + 63) & ~std::size_t{63};
      }
      if (r.how == reading::scalar) r.at = r.base;
    }
  }
  // Array k begins elsewhere.
  void move(std::byte* base, int k, const std::byte* to) const {
    reader& r = reinterpret_cast<reader*>(base + readers_at_)[k];
    r.base = to;
    if (r.how == reading::scalar) r.at = to;
  }
  void forget(std::byte* base) const {
    auto* const readers = reinterpret_cast<reader*>(base + readers_at_);
    for (int k = 0; k < nest_.arrays; ++k) readers[k].source = nullptr;
  }
  void run_blocks(std::byte* base, index first, index last) const {
    auto* const readers = reinterpret_cast<reader*>(base + readers_at_);
    auto* const slots = reinterpret_cast<slot*>(base + slots_at_);
    for (index b = first; b < last; ++b) {
      run_block(b, last, base, readers, slots);
      if (blocks_.kind == block_kind::flat) break;  // it ran all of them
      if (merged_are_plain_ && !prefetches_ahead_ && prefetcher_ == nullptr) {
        run_plain_merged(b + 1, last, base, readers, slots);
        break;
      }
    }
    if (blocks_.streamed) fence();
  }

  // Blocks [first, last), on this thread.
  void operator()(index first, index last) const {
    const frame f(frame_bytes_);
    start(f.data());
    run_blocks(f.data(), first, last);
  }

 private:
  struct place {
    index row, column;  // of the block's first element
    index outer;        // its number along the other axes
  };
  // Blocks run along the columns; tiles down the rows where more of their operands have that in neighbouring memory.
  place place_of(index number) const {
    place p{};
    const auto down = [&] {
      p.row = number % blocks_.row_blocks * blocks_.rows;
      number /= blocks_.row_blocks;
    };
    if (blocks_.down) down();
    p.column = number % blocks_.column_blocks * blocks_.columns;
    number /= blocks_.column_blocks;
    if (!blocks_.down) down();
    p.outer = number;
    return p;
  }
  // The block's first element in an array.
  const std::byte* first_element(const place& b, const reader* readers, int k) const {
    const int inner = blocks_.inner_axis, row = blocks_.row_axis;
    index bytes = 0;
    if (inner >= 0) bytes += b.column * nest_.stride(k, inner);
    if (row >= 0) bytes += b.row * nest_.stride(k, row);
    index rest = b.outer;
    for (int i = nest_.rank - 1; i >= 0 && rest > 0; --i) {
      if (i == inner || i == row) continue;
      bytes += rest % nest_.extents[i] * nest_.stride(k, i);
      rest /= nest_.extents[i];
    }
    return moved(readers[k].base, bytes);
  }

  // What the next tile reads is prefetched, some of its chunks with each row of this one: no hardware prefetcher
  // follows such strides.
  struct prefetch_stream {
    const std::byte* piece;  // the next one to prefetch
    index step, left;        // bytes to the chunk behind it, and how many are left
    index bytes;             // of each piece
    index each_row;          // how many are prefetched with a row
  };
  int find_next(const place& p, const reader* readers, index rows, prefetch_stream* next) const {
    int count = 0;
    for (int k = 0; k < nest_.output(); ++k) {
      const index size = nest_.list[k].size, across = nest_.stride(k, blocks_.row_axis);
      if (readers[k].how == reading::packed && across == size)
        next[count++] = {first_element(p, readers, k), nest_.stride(k, blocks_.inner_axis), blocks_.columns,
                         rows * size, (blocks_.columns + rows - 1) / rows};
      else if (readers[k].how == reading::dense && across != 0)
        next[count++] = {first_element(p, readers, k), across, rows, blocks_.columns * size, 1};
    }
    return count;
  }
  static void prefetch_next(prefetch_stream* next, int count) {
    for (prefetch_stream* x = next; x < next + count; ++x) {
      const index some = smaller(x->each_row, x->left);
      x->left -= some;
      for (index i = 0; i < some; ++i, x->piece += x->step) {
        const std::byte* const end = x->piece + x->bytes;
        const auto over = reinterpret_cast<std::uintptr_t>(x->piece) % static_cast<std::uintptr_t>(line_bytes);
        for (const std::byte* at = x->piece - over; at < end; at += line_bytes) __builtin_prefetch(at, 0, 2);
      }
    }
  }

  // Block `number`, or all from it to `last` where they are flat: these are contiguous in all arrays.
  void run_block(index number, index last, std::byte* base, reader* readers, slot* slots) const {
    const place here = place_of(number);
    const int inner = blocks_.inner_axis, row = blocks_.row_axis;
    const index joined = blocks_.kind == block_kind::flat ? (last - number) * blocks_.columns : blocks_.columns;
    const index columns = inner < 0 ? 1 : smaller(joined, nest_.extents[inner] - here.column);
    const index rows = row < 0 ? 1 : smaller(blocks_.rows, nest_.extents[row] - here.row);
    const int out = nest_.output();
    for (int k = 0; k < nest_.arrays; ++k)
      if (!nest_.list[k].scalar) readers[k].at = first_element(here, readers, k);

    const index pitch = blocks_.kind == block_kind::merged ? 0 : columns;
    for (int k = 0; k < out; ++k) {
      reader& r = readers[k];
      if (r.how != reading::packed) continue;
      const index across = row < 0 ? 0 : nest_.stride(k, row), along = nest_.stride(k, inner);
      if (nest_.list[k].ramp) {
        for (index i = 0; i < rows; ++i)
          compute_ramp(k, moved(r.at, i * across), along, columns, r.scratch + i * columns * nest_.list[k].size);
      } else if (r.at != r.source || r.source_rows < rows || pitch != 0) {
        gather(r.scratch, r.at, nest_.list[k].size, rows, columns, across, along);
        r.source = r.at;
        r.source_rows = rows;
      }
    }

    std::byte* const out_first = const_cast<std::byte*>(readers[out].at);
    std::byte* const target = blocks_.output_packed ? readers[out].scratch : out_first;
    const int out_size = nest_.list[out].size;
    if (blocks_.kind == block_kind::merged) {
      run_row(base, readers, slots, 0, columns, target, rows * columns);
    } else {
      auto* const next = reinterpret_cast<prefetch_stream*>(base + next_at_);
      const bool prefetches = blocks_.kind == block_kind::tiles && number + 1 < last;
      const int streams = prefetches ? find_next(place_of(number + 1), readers, rows, next) : 0;
      if (rows_are_plain_ && !prefetches_ahead_ && rows > 1)
        return run_plain_rows(base, readers, slots, rows, columns, target, next, streams);
      for (index r = 0; r < rows; ++r) {
        prefetch_next(next, streams);
        std::byte* const to = blocks_.output_packed ? target + r * columns * out_size
                                                    : target + (row < 0 ? 0 : r * nest_.stride(out, row));
        run_row(base, readers, slots, r, columns, to, columns);
      }
    }
    if (blocks_.output_packed)
      scatter(out_first, target, out_size, rows, columns, row < 0 ? 0 : nest_.stride(out, row),
              nest_.stride(out, inner));
  }

  // An input of a plain row: where it is in this row, and how far on in the next one.
  struct moving {
    const std::byte* now;
    index step;
    const std::byte* splat_from;  // null: it is read where it is
  };
  // Rows of one stage whose inputs are read in place: from row to row only their addresses change. Inputs with one
  // element a row are splat while the row before is computed, so that the loads need not wait for the stores.
  void run_plain_rows(std::byte* base, reader* readers, slot* slots, index rows, index columns, std::byte* to,
                      prefetch_stream* next, int streams) const {
    const stage& st = code_.stages[0];
    auto* const inputs = reinterpret_cast<moving*>(base + moving_at_);
    bool dense = true;
    for (int j = 0; j < st.input_count; ++j) {
      const int k = st.inputs[j];
      reader& x = readers[k];
      const index across = x.how == reading::scalar ? 0 : nest_.stride(k, blocks_.row_axis);
      moving& m = inputs[j] = {x.at, across, nullptr};
      slots[j].advance = x.how == reading::dense || x.how == reading::packed ? -1 : 0;
      if (x.how == reading::packed) {
        m.now = x.scratch;
        m.step = columns * nest_.list[k].size;
      } else if (x.how == reading::splat) {
        dense = false;
        splat_vector(x.scratch, x.at, nest_.list[k].size);
        m = {x.scratch, across, across == 0 ? nullptr : x.at};
        x.source = across == 0 ? x.at : nullptr;
      }
    }
    const kernel_mode mode = dense ? kernel_mode::dense : kernel_mode::any;
    const index out_step = nest_.stride(nest_.output(), blocks_.row_axis);
    for (index r = 0; r < rows; ++r, to += out_step) {
      prefetch_next(next, streams);
      for (int j = 0; j < st.input_count; ++j) {
        moving& m = inputs[j];
        slots[j].data = m.now;
        if (m.splat_from == nullptr)
          m.now += m.step;
        else if (r + 1 < rows) {
          const int k = st.inputs[j];
          std::byte* const other = readers[k].scratch + (r % 2 == 0 ? lanes_bytes : 0);
          splat_vector(other, m.splat_from += m.step, nest_.list[k].size);
          m.now = other;
        }
      }
      if (prefetcher_ != nullptr) prefetcher_->prefetch(columns);
      compute(base, st, slots, to, columns, mode, blocks_.in_kernel);
    }
  }
  // Merged rows of one stage, from block `b` on, when the block before it has run: blocks differ only in where they
  // begin, and what was packed or splat for the first one is used by all.
  void run_plain_merged(index b, index last, std::byte* base, const reader* readers, slot* slots) const {
    const stage& st = code_.stages[0];
    auto* const inputs = reinterpret_cast<moving*>(base + moving_at_);
    const index block = blocks_.rows * blocks_.columns, all = nest_.extents[blocks_.row_axis] * blocks_.columns;
    bool dense = true;
    for (int j = 0; j < st.input_count; ++j) {
      const int k = st.inputs[j];
      const reader& x = readers[k];
      const index step = x.how == reading::dense ? block * nest_.list[k].size : 0;
      const bool stays = x.how == reading::packed || x.how == reading::splat;
      inputs[j] = {stays ? x.scratch : x.at + step, step, nullptr};
      slots[j].advance = x.how == reading::dense || x.how == reading::packed ? -1 : 0;
      dense = dense && x.how != reading::splat;
    }
    const kernel_mode mode = dense ? kernel_mode::dense : kernel_mode::any;
    const int out = nest_.output();
    const index out_step = block * nest_.list[out].size;
    std::byte* to = const_cast<std::byte*>(readers[out].at);
    for (; b < last; ++b) {
      to += out_step;
      for (int j = 0; j < st.input_count; ++j) {
        slots[j].data = inputs[j].now;
        inputs[j].now += inputs[j].step;
      }
      compute(base, st, slots, to, smaller(block, all - b * block), mode, blocks_.in_kernel);
    }
  }
  // n elements of ramp k from the one that `first` stands for, `along` bytes from one to the next.
  void compute_ramp(int k, const std::byte* first, index along, index n, std::byte* to) const {
    const nest_array& x = nest_.list[k];
    fill_ramp(x.type, to, n, static_cast<index>(reinterpret_cast<std::uintptr_t>(first)) / x.size, along / x.size);
  }
  // Elements [i, i + n) of this row.
  void compute_ramps(reader* readers, const std::byte* const* first, index i, index n) const {
    for (int k = 0; k < nest_.output(); ++k) {
      reader& r = readers[k];
      if (r.how != reading::computed) continue;
      const nest_array& x = nest_.list[k];
      const index along = blocks_.inner_axis < 0 ? 0 : nest_.stride(k, blocks_.inner_axis);
      const std::byte* const at = moved(first[k], i * along);
      if (r.counts && counts_exactly(x.type, static_cast<index>(reinterpret_cast<std::uintptr_t>(at)) / x.size, n)) {
        r.chunk = {at, ramp_advance};
      } else {
        compute_ramp(k, at, along, n, r.scratch);
        r.chunk = {r.scratch, -1};
      }
    }
  }
  static void splat_vector(std::byte* to, const std::byte* from, int size) {
    splat(to, from, size, static_cast<index>(lanes_bytes) / size);
  }

  // What lies as far behind n elements from element i of a row as one step ahead, of operands that move from row to
  // row.
  void prefetch_ahead(const reader* readers, const std::byte* const* first, index i, index n) const {
    const int row = blocks_.row_axis;
    for (int k = 0; k < nest_.output(); ++k) {
      if (readers[k].how != reading::dense || (row >= 0 && nest_.stride(k, row) == 0)) continue;
      const index size = nest_.list[k].size, step = n * size < ahead_bytes ? ahead_bytes : n * size;
      const std::byte* const at = first[k] + i * size + step;
      for (index b = 0; b < n * size; b += line_bytes) __builtin_prefetch(at + b);
    }
  }

  // One row of a block (all of it when rows are merged): n elements that are contiguous in the target.
  void run_row(std::byte* base, reader* readers, slot* slots, index r, index columns, std::byte* to, index n) const {
    const int out = nest_.output(), row = blocks_.row_axis;
    auto** const first = reinterpret_cast<const std::byte**>(base + first_at_);
    for (int k = 0; k < out; ++k) {
      reader& x = readers[k];
      const index across = row < 0 || x.how == reading::scalar ? 0 : nest_.stride(k, row);
      switch (x.how) {
        case reading::scalar: first[k] = x.at; break;
        case reading::packed: first[k] = x.scratch + r * columns * nest_.list[k].size; break;
        case reading::computed: first[k] = moved(x.at, r * across); break;
        case reading::dense: first[k] = x.at + r * across; break;
        case reading::splat:
          first[k] = x.scratch;
          if (nest_.list[k].ramp) {
            compute_ramp(k, moved(x.at, r * across), 0, static_cast<index>(lanes_bytes) / nest_.list[k].size,
                         x.scratch);
            break;
          }
          if (const std::byte* const from = x.at + r * across; x.source != from) {
            x.source = from;
            splat(x.scratch, x.source, nest_.list[k].size, static_cast<index>(lanes_bytes) / nest_.list[k].size);
          }
          break;
      }
    }
    const int out_size = nest_.list[out].size;
    if (prefetcher_ != nullptr) prefetcher_->prefetch(n);
    const bool whole = blocks_.kind == block_kind::flat && blocks_.chunk == blocks_.columns;
    const index most = whole ? n : blocks_.chunk;
    const index chunk = prefetches_ahead_ ? smaller(most, prefetch_interval) : most;
    for (index i = 0; i < n; i += chunk) {
      const index count = smaller(chunk, n - i);
      std::byte* const target = to + i * out_size;
      if (has_ramps_) compute_ramps(readers, first, i, count);
      if (prefetches_ahead_) prefetch_ahead(readers, first, i, count);
      if (blocks_.streamed && !blocks_.in_kernel) {
        run_stages(base, readers, first, slots, i, count, base + streamed_at_);
        stream(target, base + streamed_at_, static_cast<std::size_t>(count * out_size));
      } else
        run_stages(base, readers, first, slots, i, count, target);
    }
  }

  // n elements, from element i of the row, through every stage.
  void run_stages(std::byte* base, const reader* readers, const std::byte* const* first, slot* slots, index i, index n,
                  std::byte* to) const {
    for (int s = 0; s < code_.stage_count; ++s) {
      const stage& st = code_.stages[s];
      std::byte* const target =
          s == code_.stage_count - 1 ? to : base + strips_at_ + static_cast<std::size_t>(s) * strip_bytes_;
      bool dense = true;
      for (int j = 0; j < st.input_count; ++j) {
        const int id = st.inputs[j];
        if (id >= first_stage) {
          slots[j] = {base + strips_at_ + static_cast<std::size_t>(id - first_stage) * strip_bytes_, -1};
        } else {
          const reading how = readers[id].how;
          if (how == reading::computed) {
            slots[j] = readers[id].chunk;
            dense = dense && (slots[j].advance != ramp_advance || st.function == dense_ramps);
            continue;
          }
          const bool moves = how == reading::dense || how == reading::packed;
          slots[j] = {first[id] + (moves ? i * nest_.list[id].size : 0), moves ? -1 : 0};
          dense = dense && how != reading::splat;
        }
      }
      if (st.kind == stage_kind::compute)
        compute(base, st, slots, target, n, dense ? kernel_mode::dense : kernel_mode::any,
                blocks_.in_kernel && s == code_.stage_count - 1);
      else
        run_strip(st, slots, target, n, maths_, base + splat_at_, strip_bytes_);
    }
  }

  void compute(std::byte* base, const stage& st, slot* slots, std::byte* to, index n, kernel_mode mode,
               bool stream) const {
    const int level = static_cast<int>(level_);
    const index lanes = st.code->lanes[level];
    if (stream) {
      const int size = size_of(st.type);
      const index vector = lanes * size;
      const auto over = static_cast<index>(reinterpret_cast<std::uintptr_t>(to) % static_cast<std::uintptr_t>(vector));
      const index head = over == 0 ? 0 : smaller((vector - over) / size, n);
      if (over % size == 0) {
        if (head > 0) {
          compute(base, st, slots, to, head, mode, false);
          for (int j = 0; j < st.input_count; ++j)
            if (slots[j].advance != 0) slots[j].data = moved(slots[j].data, head * size_of_input(st.inputs[j]));
          to += head * size;
          n -= head;
        }
        mode = kernel_mode::streamed;
      }
    }
    run_vectors(st, slots, to, n, mode, level, slots + max_inputs_, base + tail_at_);
  }

  int size_of_input(int id) const {
    return id >= first_stage ? size_of(code_.stages[id - first_stage].type) : nest_.list[id].size;
  }

  const nest& nest_;
  const blocks& blocks_;
  const program& code_;
  row_prefetcher* prefetcher_ = nullptr;
  isa level_;
  accuracy maths_;
  int max_inputs_ = 1;
  bool has_strips_ = false, prefetches_ahead_ = false, has_ramps_ = false, rows_are_plain_ = false,
       merged_are_plain_ = false;
  std::size_t frame_bytes_ = 0, readers_at_ = 0, slots_at_ = 0, first_at_ = 0, next_at_ = 0, moving_at_ = 0,
              scratch_at_ = 0, strips_at_ = 0, strip_bytes_ = 0, splat_at_ = 0, tail_at_ = 0, streamed_at_ = 0;
};

}  // namespace

int choose_threads(const nest& n, const blocks& b, const program& code, const options& how) {
  if (how.threads == 1 || b.count < 2) return 1;
  const double elements = static_cast<double>(n.size());
  double per_element = 0;  // nanoseconds on one thread
  for (int k = 0; k < n.arrays; ++k)
    per_element += n.list[k].scalar || n.list[k].ramp ? 0 : static_cast<double>(n.list[k].size) * limits::work::of_byte;
  for (int s = 0; s < code.stage_count; ++s) per_element += stage_ns(code.stages[s]);
  if (how.threads == 0 && stays_serial(elements * per_element)) return 1;
  const int most = how.threads == 0 ? max_threads() : how.threads;
  return b.count < most ? static_cast<int>(b.count) : most;
}

void run(const nest& n, const blocks& b, const program& code, const options& how) {
  const runner r(n, b, code, how);
  for_ranges(b.count, choose_threads(n, b, code, how), [&r](index first, index last) { r(first, last); });
}

namespace {

struct spare_memory {
  void* data[8] = {};
  std::size_t bytes[8] = {};
  bool watched = false;
};
constinit thread_local spare_memory kept;

void release_spare_memory(void* of) {
  auto& spare = *static_cast<spare_memory*>(of);
  for (int k = 0; k < 8; ++k)
    if (spare.data[k] != nullptr) deallocate(spare.data[k], spare.bytes[k]);
  spare = {};
}
const thread_end& ending() {
  static const thread_end of_spare_memory(&release_spare_memory);
  return of_spare_memory;
}
[[maybe_unused]] const thread_end& made_early = ending();  // as in base/frame.cpp

bool keep_spare_memory() noexcept { return ending().watch(&kept); }

// Memory of boxes, kept by the thread for the next ones.
class box_memory {
 public:
  explicit box_memory(std::size_t bytes) : bytes_(smallest) {
    while (bytes_ < bytes) bytes_ *= 2;
    int best = -1;
    for (int k = 0; k < 8; ++k)
      if (kept.data[k] != nullptr && kept.bytes[k] >= bytes_ && (best < 0 || kept.bytes[k] < kept.bytes[best]))
        best = k;
    if (best >= 0) {
      data_ = kept.data[best];
      bytes_ = kept.bytes[best];
      kept.data[best] = nullptr;
      return;
    }
    data_ = allocate(bytes_);
  }
  ~box_memory() {
    if (!kept.watched) kept.watched = keep_spare_memory();
    if (bytes_ <= largest && kept.watched)
      for (void*& x : kept.data)
        if (x == nullptr) {
          x = data_;
          kept.bytes[&x - kept.data] = bytes_;
          return;
        }
    deallocate(data_, bytes_);
  }
  box_memory(const box_memory&) = delete;
  box_memory& operator=(const box_memory&) = delete;
  std::byte* data() const { return static_cast<std::byte*>(data_); }

 private:
  static constexpr std::size_t smallest = 4096, largest = std::size_t{1} << 17;
  std::size_t bytes_;
  void* data_;
};

}  // namespace

struct box_runner::state {
  explicit state(const problem& p, bool ahead)
      : n(p),
        shifts(static_cast<std::size_t>(p.operand_count + 1)),
        code(p.code),
        b(plan(n, p)),
        r(n, b, code, p.how),
        memory(r.frame_bytes()) {
    for (int k = 0; k < n.arrays; ++k)
      shifts[k] = static_cast<index>(reinterpret_cast<std::uintptr_t>(n.list[k].base) -
                                     reinterpret_cast<std::uintptr_t>(k == n.output() ? p.out : p.operands[k].data));
    if (ahead) r.prefetch_ahead();
    r.start(memory.data());
  }
  static blocks plan(nest& x, const problem& p) {
    run_passes(x);
    return cut(x, p.code, p.how, true);
  }

  nest n;
  small_array<index, 8> shifts;  // of an array's first element in the order the nest has it
  program code;
  blocks b;
  runner r;
  box_memory memory;
};

box_runner::box_runner(const problem& p, bool ahead) : state_(new state(p, ahead)) {}
box_runner::~box_runner() { delete state_; }

void box_runner::operator()(const operand* operands, void* out) const {
  const state& s = *state_;
  for (int k = 0; k < s.n.output(); ++k) s.r.move(s.memory.data(), k, moved(operands[k].data, s.shifts[k]));
  s.r.move(s.memory.data(), s.n.output(), static_cast<const std::byte*>(out) + s.shifts[s.n.output()]);
  s.r.run_blocks(s.memory.data(), 0, s.b.count);
}
void box_runner::use_prefetcher(row_prefetcher* prefetcher) const { state_->r.use_prefetcher(prefetcher); }
void box_runner::forget() const { state_->r.forget(state_->memory.data()); }

}  // namespace broadloom::runtime
