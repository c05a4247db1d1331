// What lies in a frame, and the walk over blocks: operands that cannot be read in place are packed, and what the next
// tile reads is prefetched.
#include "interpreter.hpp"

#include "../base/limits.hpp"
#include "../base/scope.hpp"

#include <cstdint>

#include "../base/frame.hpp"
#include "../base/smaller.hpp"
#include "../move/copy.hpp"
#include "../move/vectors.hpp"

namespace broadloom::runtime {

using limits::line_bytes;
using limits::blocks::max_followed_jump;
using limits::blocks::max_prefetched_row;
using limits::blocks::prefetched_bytes;

interpreter::interpreter(const nest& n, const blocks& b, const program& code, const options& how)
    : nest_(n),
      blocks_(b),
      code_(code),
      level_(active_isa()),
      maths_(maths_in_force(how)),
      arrays_(static_cast<std::size_t>(n.arrays)),
      gives_(static_cast<std::size_t>(code.stage_count)),
      strips_(static_cast<std::size_t>(code.stage_count)) {
  for (int s = 0; s < code.stage_count; ++s)
    if (code.stages[s].input_count > max_inputs_) max_inputs_ = code.stages[s].input_count;
  find_kinds();
  for (int s = 0; s < code.stage_count; ++s)
    if (gives_[s] == result::elements) all_inputs_ += code.stages[s].input_count;
  const auto reserve = [&](std::size_t bytes) {
    const std::size_t at = frame_bytes_;
    frame_bytes_ += with_room(bytes);
    return at;
  };
  readers_at_ = reserve(static_cast<std::size_t>(n.arrays) * sizeof(reader));
  slots_at_ = reserve(static_cast<std::size_t>(2 * max_inputs_) * sizeof(slot));
  operands_at_ = reserve(static_cast<std::size_t>(n.arrays) * sizeof(operand));
  bound_at_ = reserve(static_cast<std::size_t>(all_inputs_) * sizeof(slot));
  steps_at_ = reserve(static_cast<std::size_t>(all_inputs_) * sizeof(index));
  next_at_ = reserve(static_cast<std::size_t>(n.arrays) * sizeof(prefetch_stream));
  moving_at_ = reserve(static_cast<std::size_t>(max_inputs_) * sizeof(moving));
  // splats and packed blocks of the operands, then strips of the stages, strips for repeated inputs, tail and output
  scratch_at_ = frame_bytes_;
  for (int k = 0; k < n.arrays; ++k) frame_bytes_ += arrays_[k].scratch;
  strips_at_ = frame_bytes_;
  const index longest = any_columns_ && b.rows > b.chunk ? b.rows : b.chunk;
  strip_bytes_ = in_half_pages(static_cast<std::size_t>(longest) * 16 + lanes_bytes);
  if (code.stage_count > 1) reserve(strip_bytes_ * static_cast<std::size_t>(share_strips()));
  vectors_at_ = frame_bytes_;
  if (any_columns_) reserve(2 * lanes_bytes * static_cast<std::size_t>(code.stage_count));
  splat_at_ = frame_bytes_;
  if (any_columns_ || b.splats) reserve(2 * strip_bytes_);
  tail_at_ = reserve(spare_bytes(max_inputs_));
  streamed_at_ = frame_bytes_;
  if (b.streamed && !b.in_kernel) reserve(strip_bytes_);
}

// What stages give, and which rows are of the plainer kinds.
void interpreter::find_kinds() {
  const nest& n = nest_;
  const blocks& b = blocks_;
  const int last = code_.stage_count - 1;
  for (int k = 0; k < n.arrays; ++k)
    arrays_[k] = {read_array(n, b, k), n.list[k].ramp && counts_in_registers(n, code_, k), 0};
  const auto is_constant = [&](int k) {
    return !n.list[k].ramp && (arrays_[k].how == reading::scalar || arrays_[k].how == reading::splat);
  };
  int of_elements = 0;  // stages
  for (int s = 0; s <= last; ++s) {
    const stage& st = code_.stages[s];
    bool by_row = s < last;
    for (int j = 0; j < st.input_count && by_row; ++j) {
      const int id = st.inputs[j];
      by_row = id >= first_stage ? gives_[id - first_stage] != result::elements : is_constant(id);
    }
    gives_[s] = by_row ? result::column : result::elements;
    any_columns_ = any_columns_ || by_row;
    if (by_row) continue;
    ++of_elements;
    for (int j = 0; j < st.input_count; ++j)
      if (const int id = st.inputs[j] - first_stage; id >= 0 && gives_[id] == result::column)
        gives_[id] = result::splat_column;
  }
  is_plain_ = of_elements == 1 && code_.stages[last].kind == stage_kind::compute && !b.output_packed &&
              b.streamed == b.in_kernel;
  merged_run_on_ = b.kind == block_kind::merged && n.rank == 2 && !any_columns_;
  for (int k = 0; k < n.arrays; ++k) {
    const auto size = static_cast<std::size_t>(n.list[k].size), rows = static_cast<std::size_t>(b.rows);
    const reading how = arrays_[k].how;
    if (how == reading::scalar || how == reading::splat)
      arrays_[k].scratch = 2 * lanes_bytes + (any_columns_ ? with_room(rows * size) : 0);
    else if (how != reading::dense)
      arrays_[k].scratch = with_room(size * (how == reading::packed ? rows * static_cast<std::size_t>(b.columns)
                                                                    : static_cast<std::size_t>(b.chunk)));
    if (how == reading::computed) has_ramps_ = true;
    if (how == reading::splat || how == reading::computed || any_columns_) all_dense_ = false;
    if (how == reading::packed && k != n.output()) packs_ = true;
    if (n.list[k].ramp) is_plain_ = false;
    if (how == reading::packed && n.stride(k, b.row_axis) != 0) merged_run_on_ = false;
  }
  gathers_ = is_plain_ && code_.stages[last].copies && !b.streamed && is_gathered();
  if (gathers_) arrays_[code_.stages[last].inputs[0]].scratch = 0;
}

// Whether each element of a copy's operand is read once, so that packing it first gains nothing. Tiles are packed where
// their rows would fall on few sets of the first-level cache, and where they come from memory: there the next one is
// prefetched while the rows of this one are copied.
bool interpreter::is_gathered() const {
  const int k = code_.stages[code_.stage_count - 1].inputs[0];
  if (k >= first_stage || arrays_[k].how != reading::packed) return false;
  for (int i = 0; i < nest_.rank; ++i)
    if (nest_.extents[i] > 1 && nest_.stride(k, i) == 0) return false;
  return blocks_.kind != block_kind::tiles ||
         (across(nest_.output()) % 2048 != 0 && nest_.size() * nest_.list[k].size <= streamed_bytes() / 6);
}

// A stage of elements writes where an earlier one did whose elements no later stage reads: so those of long formulas
// stay in the first-level cache from chunk to chunk. Of a few chunks it would cost more than it gains. Returns how many
// strips there are.
int interpreter::share_strips() {
  const int last = code_.stage_count - 1;
  if (nest_.size() < 4 * blocks_.chunk) {
    for (int s = 0; s < last; ++s) strips_[s] = s;
    return last;
  }
  small_array<int, 16> last_reader(static_cast<std::size_t>(last)), writer(static_cast<std::size_t>(last));
  for (int s = 0; s <= last; ++s) {
    if (s < last) last_reader[s] = gives_[s] == result::elements ? s : last + 1;
    for (int j = 0; j < code_.stages[s].input_count; ++j)
      if (const int id = code_.stages[s].inputs[j] - first_stage; id >= 0 && last_reader[id] < s) last_reader[id] = s;
  }
  int count = 0;
  for (int s = 0; s < last; ++s) {
    const auto is_free = [&](int by) {
      return last_reader[by] < s ||
             (last_reader[by] == s && size_of(code_.stages[by].type) == size_of(code_.stages[s].type));
    };
    int k = gives_[s] == result::elements ? 0 : count;
    while (k < count && !is_free(writer[k])) ++k;
    writer[k] = s;
    strips_[s] = k;
    if (k == count) ++count;
  }
  return count;
}

interpreter::memory interpreter::memory_in(std::byte* frame) const {
  return {frame,
          reinterpret_cast<reader*>(frame + readers_at_),
          reinterpret_cast<slot*>(frame + slots_at_),
          reinterpret_cast<operand*>(frame + operands_at_),
          reinterpret_cast<slot*>(frame + bound_at_),
          reinterpret_cast<index*>(frame + steps_at_)};
}

void interpreter::start(std::byte* frame) const {
  reader* const readers = memory_in(frame).readers;
  std::byte* scratch = frame + scratch_at_;
  for (int k = 0; k < nest_.arrays; ++k) {
    readers[k] = {arrays_[k].how, nest_.list[k].base, nest_.list[k].base, scratch, nullptr, 0, nullptr};
    scratch += arrays_[k].scratch;
  }
}

void interpreter::move(std::byte* frame, int k, const std::byte* to) const {
  reader& r = memory_in(frame).readers[k];
  r.base = to;
  if (r.how == reading::scalar) r.at = to;
}

void interpreter::run(std::byte* frame, index first, index last) const {
  const memory m = memory_in(frame);
  for (index count; first < last; first += count) {
    count = together(first, last);
    run_blocks(first, count, last, m);
  }
}

// How many blocks, from this one on, differ only in where they begin: flat ones, which are contiguous in all arrays,
// and whole ones of merged rows, which all use what is packed or splat for the first.
index interpreter::together(index number, index last) const {
  if (blocks_.kind == block_kind::flat) return last - number;
  if (!merged_run_on_ || !is_plain_) return 1;
  const index whole = smaller(last, nest_.extents[blocks_.row_axis] / blocks_.rows);
  return number < whole ? whole - number : 1;
}

void interpreter::run_rows(std::byte* frame, const std::byte* const* operands, std::byte* out, index leading,
                           row_prefetcher* prefetcher) const {
  const memory m = memory_in(frame);
  std::byte* scratch = frame + scratch_at_;
  for (int k = 0; k < nest_.output(); ++k) {
    reader& r = m.readers[k];
    r.how = arrays_[k].how;
    r.at = operands[k];
    r.scratch = scratch;
    r.source = nullptr;
    scratch += arrays_[k].scratch;
  }
  const bool in_rows = blocks_.row_axis == 0 && blocks_.kind != block_kind::merged;
  const index rows = in_rows ? leading : 1, inner = nest_.rank == 2 ? nest_.extents[1] : 1;
  const index columns = in_rows ? inner : leading * inner;
  if (any_columns_) run_columns(m, rows);
  if (is_plain_) return run_plain_rows(m, rows, columns, out, prefetcher, nullptr, 0);
  const index step = across(nest_.output());
  for (index r = 0; r < rows; ++r, out += step) run_row(m, r, columns, out, columns, prefetcher);
}

// Blocks run along the columns; tiles down the rows where more of their operands have that in neighbouring memory.
interpreter::place interpreter::place_of(index number) const {
  place p{};
  const auto next = [&number](index count, index size) {
    if (count == 1) return index{0};
    const index at = number % count * size;
    number /= count;
    return at;
  };
  if (blocks_.down) p.row = next(blocks_.row_blocks, blocks_.rows);
  p.column = next(blocks_.column_blocks, blocks_.columns);
  if (!blocks_.down) p.row = next(blocks_.row_blocks, blocks_.rows);
  p.outer = number;
  return p;
}

// The block's first element in an array.
const std::byte* interpreter::first_element(const place& b, const reader* readers, int k) const {
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

int interpreter::find_next(const place& p, const reader* readers, index rows, prefetch_stream* next) const {
  int count = 0;
  for (int k = 0; k < nest_.output(); ++k) {
    const index size = nest_.list[k].size, across = nest_.stride(k, blocks_.row_axis);
    if (readers[k].how == reading::packed && across == size)
      next[count++] = {first_element(p, readers, k), nest_.stride(k, blocks_.inner_axis), blocks_.columns, rows * size,
                       (blocks_.columns + rows - 1) / rows};
    else if (readers[k].how == reading::dense && across != 0)
      next[count++] = {first_element(p, readers, k), across, rows, blocks_.columns * size, 1};
  }
  return count;
}

void interpreter::prefetch_next(prefetch_stream* next, int count) {
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

// `count` blocks, as together() has them, of those to `last`.
void interpreter::run_blocks(index number, index count, index last, const memory& m) const {
  const place here = number == 0 ? place{} : place_of(number);
  const int inner = blocks_.inner_axis, row = blocks_.row_axis, out = nest_.output();
  const index joined = blocks_.kind == block_kind::flat ? count * blocks_.columns : blocks_.columns;
  const index columns = inner < 0 ? 1 : smaller(joined, nest_.extents[inner] - here.column);
  const index rows = row < 0 ? 1 : smaller(blocks_.rows, nest_.extents[row] - here.row);
  for (int k = 0; k < nest_.arrays; ++k)
    if (!nest_.list[k].scalar) m.readers[k].at = number == 0 ? m.readers[k].base : first_element(here, m.readers, k);
  if (gathers_) {
    const int k = code_.stages[code_.stage_count - 1].inputs[0], size = nest_.list[out].size;
    const index pitch = row < 0 || blocks_.kind == block_kind::merged ? columns * size : across(out);
    return gather(const_cast<std::byte*>(m.readers[out].at), m.readers[k].at, size, rows, columns, across(k),
                  nest_.stride(k, inner), pitch);
  }
  if (packs_) pack(m, rows, columns);
  if (any_columns_) run_columns(m, blocks_.kind == block_kind::merged ? 1 : rows);

  std::byte* const out_first = const_cast<std::byte*>(m.readers[out].at);
  std::byte* const target = blocks_.output_packed ? m.readers[out].scratch : out_first;
  const int out_size = nest_.list[out].size;
  if (blocks_.kind == block_kind::merged) {
    if (is_plain_) return run_plain_rows(m, count, rows * columns, target, nullptr, nullptr, 0);
    run_row(m, 0, columns, target, rows * columns, nullptr);
  } else {
    auto* const next = reinterpret_cast<prefetch_stream*>(m.base + next_at_);
    const bool prefetches = blocks_.kind == block_kind::tiles && number + 1 < last;
    const int streams = prefetches ? find_next(place_of(number + 1), m.readers, rows, next) : 0;
    if (is_plain_) return run_plain_rows(m, rows, columns, target, nullptr, next, streams);
    for (index r = 0; r < rows; ++r) {
      if (streams > 0) prefetch_next(next, streams);
      std::byte* const to = target + r * (blocks_.output_packed ? columns * out_size : across(out));
      run_row(m, r, columns, to, columns, nullptr);
    }
  }
  if (blocks_.output_packed) scatter(out_first, target, out_size, rows, columns, across(out), nest_.stride(out, inner));
}

// gather() of rows, some elements at a time, each time after what lies `ahead` of them has been prefetched.
static void gather_and_prefetch(std::byte* to, const std::byte* from, index size, index rows, index columns, index down,
                                index along, index ahead) {
  const index step = along < 0 ? -along : along, next = step < line_bytes ? line_bytes : step;
  const index some = step < prefetched_bytes / 16 ? prefetched_bytes / step / 16 * 16 : 16;
  for (index r = 0; r < rows; ++r, from += down)
    for (index c = 0, n; c < columns; c += n, to += n * size) {
      n = smaller(some, columns - c);
      const std::byte *const at = from + c * along, *const lowest = along < 0 ? at + (n - 1) * along : at;
      for (index b = 0; b < n * step; b += next) __builtin_prefetch(moved(lowest, ahead + b), 0, 2);
      // One element more, so that its last vector is read as one, too; it is written again.
      gather(to, at, static_cast<int>(size), 1, c + n < columns ? n + 1 : n, down, along);
    }
}

// Whether rows of operand k come from memory one by one, from where the hardware prefetcher does not expect them: it
// reads on behind a row, and begins anew with the next.
bool interpreter::prefetches_rows(int k) const {
  if (!blocks_.streamed || blocks_.kind != block_kind::rows) return false;
  const index along = nest_.stride(k, blocks_.inner_axis), bytes = nest_.extents[blocks_.inner_axis] * along;
  if (along == 0 || across(k) == 0) return false;
  const index jump = across(k) - bytes;
  return (jump < 0 ? -jump : jump) >= max_followed_jump && (bytes < 0 ? -bytes : bytes) <= max_prefetched_row;
}

// The operands of a block that are neither dense nor constant.
void interpreter::pack(const memory& m, index rows, index columns) const {
  const int inner = blocks_.inner_axis;
  const index pitch = blocks_.kind == block_kind::merged ? 0 : columns;
  for (int k = 0; k < nest_.output(); ++k) {
    reader& r = m.readers[k];
    if (r.how != reading::packed) continue;
    const index down = across(k), along = nest_.stride(k, inner);
    if (nest_.list[k].ramp) {
      for (index i = 0; i < rows; ++i)
        compute_ramp(k, moved(r.at, i * down), along, columns, r.scratch + i * columns * nest_.list[k].size);
    } else if (r.at != r.source || r.source_rows < rows || pitch != 0) {
      if (prefetches_rows(k))
        gather_and_prefetch(r.scratch, r.at, nest_.list[k].size, rows, columns, down, along, rows * down);
      else
        gather(r.scratch, r.at, nest_.list[k].size, rows, columns, down, along);
      r.source = r.at;
      r.source_rows = rows;
    }
  }
}

}  // namespace broadloom::runtime
