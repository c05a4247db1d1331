// Rows through the stages of a program, a chunk of elements at a time.
#include "interpreter.hpp"

#include <cstdint>

#include <broadloom/expr/ramp.hpp>

#include "../base/smaller.hpp"
#include "../move/copy.hpp"
#include "../move/splat.hpp"
#include "../move/vectors.hpp"

namespace broadloom::runtime {

// The stages that give one element for each row.
void interpreter::run_columns(const memory& m, index rows) const {
  for (int s = 0; s + 1 < code_.stage_count; ++s) {
    if (gives_[s] == result::elements) continue;
    const stage& st = code_.stages[s];
    bool dense = true;
    for (int j = 0; j < st.input_count; ++j) {
      const int id = st.inputs[j];
      if (id >= first_stage) {
        m.slots[j] = {strip(m, id - first_stage), -1};
        continue;
      }
      reader& x = m.readers[id];
      const int size = nest_.list[id].size;
      const index down = across(id);
      m.slots[j] = {x.at, x.how == reading::scalar ? 0 : -1};
      if (x.how == reading::scalar || down == size) continue;
      if (down != 0) {
        std::byte* const column = x.scratch + 2 * lanes_bytes;
        gather(column, x.at, size, rows, 1, down, size);
        m.slots[j].data = column;
        continue;
      }
      splat_vector(x.scratch, x.at, size);
      x.source = x.at;
      m.slots[j] = {x.scratch, 0};
      dense = false;
    }
    if (st.kind == stage_kind::compute)
      compute(m, st, m.slots, strip(m, s), rows, dense ? kernel_mode::dense : kernel_mode::any, false);
    else
      run_strip(st, m.slots, strip(m, s), rows, maths_, m.base + splat_at_, strip_bytes_);
  }
}

// Rows of one stage whose inputs are read in place, or whole blocks of merged rows: from one to the next only their
// addresses change. Inputs with one element a row are splat while the row before is computed, so that loads need not
// wait for the stores.
void interpreter::run_plain_rows(const memory& m, index rows, index columns, std::byte* to, row_prefetcher* prefetcher,
                                 prefetch_stream* next, int streams) const {
  const stage& st = code_.stages[code_.stage_count - 1];
  auto* const inputs = reinterpret_cast<moving*>(m.base + moving_at_);
  slot* const slots = m.slots;
  const bool merged = blocks_.kind == block_kind::merged;
  bool dense = true;
  const auto splat_rows = [&](moving& x, const std::byte* from, index step, std::byte* two, int size) {
    dense = false;
    splat_vector(two, from, size);
    x = {two, step, step == 0 ? nullptr : from, two};
  };
  for (int j = 0; j < st.input_count; ++j) {
    const int k = st.inputs[j];
    slots[j].advance = 0;
    if (k >= first_stage) {
      const int s = k - first_stage, size = size_of(st.input_types[j]);
      splat_rows(inputs[j], strip(m, s), size, vectors(m, s), size);
      continue;
    }
    reader& x = m.readers[k];
    const int size = nest_.list[k].size;
    const index row = columns * size, down = x.how == reading::scalar            ? 0
                                             : merged && x.how == reading::dense ? row
                                                                                 : across(k);
    if (x.how == reading::splat) {
      splat_rows(inputs[j], x.at, down, x.scratch, size);
      continue;
    }
    const bool packed = x.how == reading::packed;
    if (x.how != reading::scalar) slots[j].advance = -1;
    inputs[j] = {packed ? x.scratch : x.at, packed ? (merged ? 0 : row) : down, nullptr, nullptr};
  }
  const kernel_mode mode = dense ? kernel_mode::dense : kernel_mode::any;
  const index out_step = merged ? columns * size_of(st.type) : across(nest_.output());
  for (index r = 0; r < rows; ++r, to += out_step) {
    if (streams > 0) prefetch_next(next, streams);
    for (int j = 0; j < st.input_count; ++j) {
      moving& x = inputs[j];
      slots[j].data = x.now;
      if (x.splat_from == nullptr)
        x.now += x.step;
      else if (r + 1 < rows) {
        std::byte* const other = x.vectors + (r % 2 == 0 ? lanes_bytes : 0);
        splat_vector(other, x.splat_from += x.step, size_of(st.input_types[j]));
        x.now = other;
      }
    }
    if (prefetcher != nullptr) prefetcher->prefetch(columns);
    compute(m, st, slots, to, columns, mode, blocks_.in_kernel);
  }
}

// n elements of ramp k from the one that `first` stands for, `along` bytes from one to the next.
void interpreter::compute_ramp(int k, const std::byte* first, index along, index n, std::byte* to) const {
  const nest_array& x = nest_.list[k];
  fill_ramp(x.type, to, n, static_cast<index>(reinterpret_cast<std::uintptr_t>(first)) / x.size, along / x.size);
}

// Elements [i, i + n) of this row.
void interpreter::compute_ramps(const memory& m, index i, index n) const {
  for (int k = 0; k < nest_.output(); ++k) {
    const reader& r = m.readers[k];
    if (r.how != reading::computed) continue;
    const nest_array& x = nest_.list[k];
    const index along = blocks_.inner_axis < 0 ? 0 : nest_.stride(k, blocks_.inner_axis);
    const std::byte* const at = moved(r.row, i * along);
    if (arrays_[k].counts &&
        counts_exactly(x.type, static_cast<index>(reinterpret_cast<std::uintptr_t>(at)) / x.size, n)) {
      m.operands[k] = {at, ramp_advance, 0};
    } else {
      compute_ramp(k, at, along, n, r.scratch);
      m.operands[k] = {r.scratch, -1, 0};
    }
  }
}

// One row of a block (all of it when rows are merged): n elements that are contiguous in the target.
void interpreter::run_row(const memory& m, index r, index columns, std::byte* to, index n,
                          row_prefetcher* prefetcher) const {
  const int out = nest_.output();
  operand* const from = m.operands;
  for (int k = 0; k < out; ++k) {
    reader& x = m.readers[k];
    const index down = x.how == reading::scalar ? 0 : across(k);
    switch (x.how) {
      case reading::scalar: from[k] = {x.at, 0, 0}; break;
      case reading::packed: from[k] = {x.scratch + r * columns * nest_.list[k].size, -1, nest_.list[k].size}; break;
      case reading::computed: x.row = moved(x.at, r * down); break;
      case reading::dense: from[k] = {x.at + r * down, -1, nest_.list[k].size}; break;
      case reading::splat:
        from[k] = {x.scratch, 0, 0};
        if (nest_.list[k].ramp) {
          compute_ramp(k, moved(x.at, r * down), 0, static_cast<index>(lanes_bytes) / nest_.list[k].size, x.scratch);
          break;
        }
        if (const std::byte* const now = x.at + r * down; x.source != now) {
          x.source = now;
          splat_vector(x.scratch, x.source, nest_.list[k].size);
        }
        break;
    }
  }
  for (int s = 0; s + 1 < code_.stage_count && any_columns_; ++s)
    if (gives_[s] == result::splat_column) {
      const int size = size_of(code_.stages[s].type);
      splat_vector(vectors(m, s), strip(m, s) + r * size, size);
    }
  const int out_size = nest_.list[out].size;
  if (prefetcher != nullptr) prefetcher->prefetch(n);
  const bool whole = blocks_.kind == block_kind::flat && blocks_.chunk == blocks_.columns;
  const index chunk = whole ? n : blocks_.chunk;
  chunk_prefetcher ahead;
  if (blocks_.prefetched)
    for (int k = 0; k <= out; ++k)
      if (is_prefetched(nest_, blocks_, code_, k))
        ahead.add(k == out ? to : from[k].data, chunk * nest_.list[k].size, code_.stage_count);
  for (index i = 0; i < n; i += chunk) {
    const index count = smaller(chunk, n - i);
    ahead.begin(n - i >= 2 * chunk);
    std::byte* const target = to + i * out_size;
    if (has_ramps_) {
      compute_ramps(m, i, count);
      bind_inputs(m, i);
    } else if (i == 0)
      bind_inputs(m, i);
    else
      for (int k = 0; k < all_inputs_; ++k) m.bound[k].data = moved(m.bound[k].data, chunk * m.steps[k]);
    if (blocks_.streamed && !blocks_.in_kernel) {
      run_stages(m, count, m.base + streamed_at_, ahead);
      stream(target, m.base + streamed_at_, static_cast<std::size_t>(count * out_size));
    } else
      run_stages(m, count, target, ahead);
  }
}

// The inputs of the stages that give elements, from element i of the row on.
void interpreter::bind_inputs(const memory& m, index i) const {
  slot* to = m.bound;
  index* step = m.steps;
  const operand* const operands = m.operands;
  const result* const gives = gives_.data();
  for (int s = 0, stages = code_.stage_count; s < stages; ++s) {
    if (gives[s] != result::elements) continue;
    const stage& st = code_.stages[s];
    for (const auto *id = st.inputs, *const end = id + st.input_count; id < end; ++id, ++to, ++step) {
      if (const int from = *id - first_stage; from >= 0) {
        const bool moves = gives[from] == result::elements;
        *to = {moves ? strip(m, from) : vectors(m, from), moves ? -1 : 0};
        *step = 0;
      } else {
        const operand& x = operands[*id];
        *to = {x.data + i * x.step, x.advance};
        *step = x.step;
      }
    }
  }
}

kernel_mode interpreter::mode_of(const memory& m, const stage& st, const slot* slots) const {
  if (all_dense_) return kernel_mode::dense;
  for (int j = 0; j < st.input_count; ++j) {
    const int id = st.inputs[j];
    if (id >= first_stage ? slots[j].advance == 0 : m.readers[id].how == reading::splat) return kernel_mode::any;
    if (slots[j].advance == ramp_advance && st.function != dense_ramps) return kernel_mode::any;
  }
  return kernel_mode::dense;
}

// n elements through the stages that give elements.
void interpreter::run_stages(const memory& m, index n, std::byte* to, chunk_prefetcher& ahead) const {
  slot* slots = m.bound;
  for (int s = 0; s < code_.stage_count; ++s) {
    if (gives_[s] != result::elements) continue;
    const stage& st = code_.stages[s];
    const bool last = s == code_.stage_count - 1;
    std::byte* const target = last ? to : strip(m, s);
    ahead.prefetch();
    if (st.kind == stage_kind::compute)
      compute(m, st, slots, target, n, mode_of(m, st, slots), last && blocks_.in_kernel);
    else
      run_strip(st, slots, target, n, maths_, m.base + splat_at_, strip_bytes_);
    slots += st.input_count;
  }
}

// n elements of one stage; streamed from the first whole vector of the output on.
void interpreter::compute(const memory& m, const stage& st, const slot* slots, std::byte* to, index n, kernel_mode mode,
                          bool stream) const {
  const int level = static_cast<int>(level_);
  if (stream) {
    const int size = size_of(st.type);
    const index vector = st.code->lanes[level] * size;
    const auto over = static_cast<index>(reinterpret_cast<std::uintptr_t>(to) % static_cast<std::uintptr_t>(vector));
    const index head = over == 0 ? 0 : smaller((vector - over) / size, n);
    if (over % size == 0) {
      if (head > 0) {
        compute(m, st, slots, to, head, mode, false);
        for (int j = 0; j < st.input_count; ++j)
          m.slots[j] = {moved(slots[j].data, (slots[j].advance & head) * size_of_input(st.inputs[j])),
                        slots[j].advance};
        slots = m.slots;
        to += head * size;
        n -= head;
      }
      mode = kernel_mode::streamed;
    }
  }
  run_vectors(st, slots, to, n, mode, level, m.slots + max_inputs_, m.base + tail_at_);
}

int interpreter::size_of_input(int id) const {
  return id >= first_stage ? size_of(code_.stages[id - first_stage].type) : nest_.list[id].size;
}

}  // namespace broadloom::runtime
