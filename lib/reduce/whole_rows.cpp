// Reductions of contiguous sequences that are computed and reduced in one kernel.
#include "../base/limits.hpp"
#include "reducer.hpp"

#include <cstdint>

#include <broadloom/core/isa.hpp>
#include <broadloom/expr/ramp.hpp>

#include "../base/frame.hpp"
#include "../move/materialize.hpp"
#include "../move/vectors.hpp"
#include "row_kernel.hpp"

namespace broadloom::runtime {

namespace {

// One row `count` times.
void repeat_row(std::byte* to, const slot& row, dtype type, index n, index count) {
  const int size = size_of(type);
  if (row.advance != ramp_advance) return materialize_rows(to, row.data, size, count, n, 1, n);
  fill_ramp(type, to, n, static_cast<index>(reinterpret_cast<std::uintptr_t>(row.data)) / size, 1);
  materialize_rows(to + n * size, to, size, count - 1, n, 1, n);
}

// Bytes of elements that are evaluated together where nothing is written out for them: a quarter of a first-level
// cache. With 2 KiB rows of f32 take up to 1.4 times as long, with 16 KiB of f64 up to 1.1 times (Zen 3).
constexpr index evaluated_bytes = 8192;

}  // namespace

// Numbers of a row are written as often as it has elements, and a row that all share as often as rows go together.
void reduce_short_rows(const stage& only, const slot* inputs, index rows, index n, unsigned by_row,
                       const reduce_kernels& k, isa level, void* to, unsigned shared) {
  auto* out = static_cast<std::byte*>(to);
  const index size = size_of(only.type);
  const index together = ((by_row | shared) != 0 ? strip_length : evaluated_bytes / size) / n;
  alignas(64) std::byte elements[evaluated_bytes], numbers[max_short_by_row][strip_length * 8 + overwritten];
  slot own[max_short_inputs], here[max_short_inputs];
  int repeated = 0;
  for (int j = 0; j < only.input_count; ++j) {
    here[j] = own[j] = inputs[j];
    if ((shared >> j & 1) == 0) continue;
    repeat_row(numbers[repeated], own[j], only.input_types[j], n, smaller(together, rows));
    own[j].advance = 0;  // it stays
    here[j] = {numbers[repeated++], -1};
  }
  for (index left = rows; left > 0; left -= together) {
    const index some = smaller(together, left);
    for (int j = 0, spreads = repeated; j < only.input_count; ++j) {
      if ((by_row >> j & 1) != 0) {
        const int width = size_of(only.input_types[j]);
        std::byte* const all = numbers[spreads++];
        materialize_rows(all, own[j].data, width, some, n, some, 1);
        here[j] = {all, -1};
        own[j].data = static_cast<const std::byte*>(own[j].data) + some * width;
      } else if (own[j].advance != 0)
        here[j].data = own[j].data;
    }
    run_disjoint(only, here, elements, some * n, static_cast<int>(level));
    k.sequences(elements, some, n, n * size, out, elements);
    if (left > together) advance(only, own, together * n);
    out += some * size;
  }
}

// A task has some of the sequences along the last kept axis, or a part of one.
void reducer::run_kernel_rows() const {
  if (plan_.parts() > 1)
    return each_partial_result([&](const index* origin, index first, index n, box_plans&, std::byte* to) {
      sum_rows(origin, 0, 1, first, n, to);
    });
  const index side = plan_.side, most = plan_.block, blocks = divide_up(side, most);
  each_task(plan_.tasks, [&](index t, box_plans&) {
    const index first = t % blocks * most, outer = t / blocks;
    index origin[first_stage];
    origin_of(outer, axes_.kept.size() - (side > 1 ? 1 : 0), origin);
    sum_rows(origin, first, smaller(most, side - first), 0, axes_.length,
             static_cast<std::byte*>(p_.out) + (outer * side + first) * out_size_);
  });
}

void reducer::run_short_rows() const {
  const stage& only = p_.code.stages[0];
  const unsigned by_row = plan_.by_row;
  const index most = plan_.block;
  each_task(plan_.tasks, [&](index t, box_plans&) {
    const index first = t * most;
    slot inputs[max_short_inputs];
    for (int j = 0; j < only.input_count; ++j) {
      const operand& x = p_.operands[only.inputs[j]];
      inputs[j] = {x.data, x.is_scalar ? 0 : -1};
      if ((by_row >> j & 1) != 0)
        inputs[j] = {static_cast<const std::byte*>(x.data) + first * size_of(only.input_types[j]), 0};
    }
    advance(only, inputs, first * axes_.length);
    reduce_short_rows(only, inputs, smaller(most, axes_.results - first), axes_.length, by_row, *kernels_, active_isa(),
                      static_cast<std::byte*>(p_.out) + first * size_);
  });
}

void reducer::run_widened() const {
  const stage& only = p_.code.stages[0];
  each_partial_result([&](const index* origin, index first, index n, box_plans&, std::byte* to) {
    const void* from[2] = {};
    for (int j = 0; j < only.input_count; ++j) {
      const int k = only.inputs[j];
      from[j] = static_cast<const std::byte*>(p_.operands[k].data) + (origin[k] + first) * size_of(p_.operands[k].type);
    }
    *reinterpret_cast<std::int64_t*>(to) = widened_(from[0], from[1], n);
  });
}

// A task has some of the rows along the last kept axis. `reduce` gets the first of the one or two inputs, how many
// rows there are, so many bytes apart, and where their results begin.
template <class Reduce>
void reducer::each_rows_of_arrays(const Reduce& reduce) const {
  const stage& only = p_.code.stages[0];
  const operand* x[2];
  index across[2] = {};
  for (int j = 0; j < only.input_count; ++j) {
    const auto k = static_cast<std::size_t>(only.inputs[j]);
    x[j] = &p_.operands[k];
    if (!x[j]->is_scalar) across[j] = axes_.kept.back().steps[k];
  }
  const index side = plan_.side, most = plan_.block, blocks = divide_up(side, most);
  each_task(plan_.tasks, [&](index t, box_plans&) {
    const index first = t % blocks * most, outer = t / blocks;
    index origin[first_stage], pitch[2] = {};
    const void* from[2] = {};
    origin_of(outer, axes_.kept.size() - 1, origin);
    for (int j = 0; j < only.input_count; ++j) {
      const int size = size_of(x[j]->type);
      const index at = x[j]->is_scalar ? 0 : origin[only.inputs[j]] + first * across[j];
      from[j] = moved(x[j]->data, at * size);
      pitch[j] = across[j] * size;
    }
    reduce(from, smaller(most, side - first), pitch,
           static_cast<std::byte*>(p_.out) + (outer * side + first) * out_size_);
  });
}

void reducer::run_widened_rows() const {
  const stage& only = p_.code.stages[0];
  bool by_number = false;  // the last input
  for (int j = 0; j < only.input_count; ++j) {
    const auto k = static_cast<std::size_t>(only.inputs[j]);
    by_number = p_.operands[k].is_scalar || axes_.sequence[0].steps[k] == 0;
  }
  widening_rows* const add = find_widening_rows(found_.op, only, by_number, active_isa());
  each_rows_of_arrays([&](const void* const* from, index rows, const index* pitch, std::byte* to) {
    add(from[0], from[1], rows, axes_.length, pitch[0], pitch[1], reinterpret_cast<std::int64_t*>(to));
  });
}

void reducer::run_product_rows() const {
  each_rows_of_arrays([&](const void* const* from, index rows, const index* pitch, std::byte* to) {
    product_rows_(from[0], from[1], rows, axes_.length, pitch[0], pitch[1], to);
  });
}

// Elements [begin, begin + n) of rows [first, first + count) along the last kept axis, of one where n is more than a
// segment.
void reducer::sum_rows(const index* origin, index first, index count, index begin, index n, std::byte* to) const {
  const stage& only = p_.code.stages[0];
  const auto inputs = static_cast<std::size_t>(only.input_count);
  const index partial = divide_up(n, piece_length) + max_partial_results;
  const frame f(inputs * row_room + static_cast<std::size_t>(before_lanes + max_lane_bytes + partial * size_));
  std::byte* const lanes = f.data() + inputs * row_room + before_lanes;
  small_array<slot, 16> slots(inputs);
  small_array<index, 16> pitch(inputs);
  for (int j = 0; j < only.input_count; ++j) {
    const int id = only.inputs[j];
    const auto k = static_cast<std::size_t>(id);
    const operand& x = p_.operands[id];
    if (x.is_scalar) {
      slots[j] = {x.data, 0};
      pitch[j] = 0;
      continue;
    }
    const index size = size_of(x.type), along = axes_.sequence[0].steps[k];
    const index across = count == 1 ? 0 : axes_.kept.back().steps[k];
    const index at = origin[id] + (count == 1 && first == 0 ? 0 : first * axes_.kept.back().steps[k]) + begin * along;
    slots[j] = {moved(x.data, at * size), x.is_ramp ? ramp_advance : -along};
    pitch[j] = across * size;
  }
  reduce_kernel_rows(*found_.fused.rows, only, slots.data(), pitch.data(), count, n, *kernels_,
                     {f.data(), lanes, lanes + max_lane_bytes}, to);
}

}  // namespace broadloom::runtime
