// Stages with one result a row are computed for all rows first and splat before the loop that reads them: a vector load
// cannot be forwarded from several narrower stores.
#include "row_loops.hpp"

#include "../base/limits.hpp"

#include <algorithm>
#include <cstdint>

#include <broadloom/core/isa.hpp>

#include "../base/frame.hpp"
#include "../base/scope.hpp"
#include "../move/copy.hpp"
#include "../move/splat.hpp"
#include "../move/vectors.hpp"

namespace broadloom::runtime {

namespace {

using limits::fusing::strip_elements;
constexpr index vector_bytes = limits::line_bytes;

bool is_whole(const void* p, index vector) {
  return reinterpret_cast<std::uintptr_t>(p) % static_cast<std::uintptr_t>(vector) == 0;
}

int total_inputs(const program& code) {
  int n = 1;
  for (int s = 0; s < code.stage_count; ++s) n += code.stages[s].input_count;
  return n;
}

}  // namespace

row_loops::row_loops(const problem& p, int axis, index most, bool streamed)
    : code_(p.code),
      maths_(maths_in_force(p.how)),
      streamed_(streamed),
      level_(static_cast<int>(active_isa())),
      inputs_(static_cast<std::size_t>(total_inputs(p.code))),
      steps_(static_cast<std::size_t>(p.code.stage_count)) {
  const row_strides where(p, axis, true);
  side_ = where.side();
  n_ = where.n();
  max_rows_ = most * side_;
  works_ = where.works() && arrange(p, where);
}

bool row_loops::arrange(const problem& p, const row_strides& where) {
  const row_stride out = where[p.operand_count];
  const auto in_one = [&](const row_stride& x) { return n_ == 1 ? x.across == 1 : x.along == 1 && x.across == n_; };
  flat_ = in_one(out);
  for (int k = 0; k < p.operand_count; ++k) flat_ = flat_ && (p.operands[k].is_scalar || in_one(where[k]));
  if (!flat_ && (n_ < short_row || out.along != 1)) return false;
  out_across_ = out.across * size_of(p.out_type);
  const index all = flat_ ? max_rows_ * n_ : n_;
  const index strip = code_.stage_count <= 2 ? 2 * strip_elements : strip_elements;
  chunk_ = code_.stage_count > 1 ? std::min(all, strip) : all;

  const auto reserve = [this](index bytes) {
    const std::size_t at = scratch_bytes_;
    scratch_bytes_ += with_room(static_cast<std::size_t>(bytes));
    return at;
  };
  bool strips = false;
  int next = 0;
  for (int s = 0; s < code_.stage_count; ++s) {
    const stage& st = code_.stages[s];
    const bool last = s + 1 == code_.stage_count;
    step& x = steps_[s] = {&st, !flat_, next, none, none};
    if (st.input_count > max_inputs_) max_inputs_ = st.input_count;
    strips = strips || st.kind != stage_kind::compute;
    bool moves = flat_;  // from row to row
    const auto moves_along = [&](int id) {
      return id < first_stage ? where[id].along != 0 : !steps_[id - first_stage].once;
    };
    for (int j = 0; j < st.input_count; ++j) {
      const int id = st.inputs[j];
      if (moves_along(id)) x.once = false;
      if (id >= first_stage || where[id].across != 0) moves = true;
    }
    if (!moves && !last) return false;  // once for all rows
    if (last && x.once) return false;
    for (int j = 0; j < st.input_count; ++j) {
      const int id = st.inputs[j];
      input& in = inputs_[next++] = {from::scalar, id, 0, 0, size_of(st.input_types[j]), 0};
      if (id >= first_stage) {
        step& before = steps_[id - first_stage];
        in.how = before.once && !x.once ? from::splat : from::strip;
        if (in.how == from::splat && before.splats == none) before.splats = reserve(max_rows_ * vector_bytes);
        in.at = in.how == from::splat ? before.splats : before.result;
        in.step = in.how == from::splat ? vector_bytes : 0;
      } else if (!p.operands[id].is_scalar) {
        const row_stride& place = where[id];
        if (x.once && place.across != 1) return false;
        in.how = flat_ || x.once || place.along == 1 ? from::dense : from::splat;
        in.across = place.across * in.size;
        if (in.how == from::splat) in.at = reserve((place.across == 0 ? 1 : max_rows_) * vector_bytes);
        in.step = in.how == from::splat && in.across != 0 ? vector_bytes : in.across;
      }
    }
    if (!last) x.result = reserve((x.once ? max_rows_ : chunk_) * size_of(st.type));
  }
  if (strips) {
    splat_bytes_ = with_room(static_cast<std::size_t>(std::max(chunk_, max_rows_)) * 16);
    splat_at_ = reserve(static_cast<index>(2 * splat_bytes_));
  }
  spare_at_ = reserve(static_cast<index>(spare_bytes(max_inputs_)));
  return true;
}

void row_loops::operator()(const std::byte* const* operands, std::byte* out, index rows, std::byte* scratch,
                           row_prefetcher* prefetcher) const {
  rows *= side_;
  small_array<slot, 16> slots(static_cast<std::size_t>(2 * max_inputs_));
  if (flat_) return run_row(operands, out, 0, rows * n_, scratch, slots.data(), prefetcher);
  for (int s = 0; s < code_.stage_count; ++s) {
    const step& x = steps_[s];
    if (x.once) {
      run_once(x, operands, rows, scratch);
      continue;
    }
    for (int j = 0; j < x.code->input_count; ++j) {
      const input& in = inputs_[x.first_input + j];
      if (in.how != from::splat || in.operand >= first_stage) continue;
      const index values = in.across == 0 ? 1 : rows;
      if (in.across == in.size || values == 1) {
        splat_vectors(scratch + in.at, operands[in.operand], static_cast<int>(in.size), values);
        continue;
      }
      for (index r = 0; r < values; ++r)
        splat_vectors(scratch + in.at + r * vector_bytes, operands[in.operand] + r * in.across,
                      static_cast<int>(in.size), 1);
    }
  }
  for (index r = 0; r < rows; ++r) run_row(operands, out + r * out_across_, r, n_, scratch, slots.data(), prefetcher);
}

// A stage that gives one element for each row.
void row_loops::run_once(const step& s, const std::byte* const* operands, index rows, std::byte* scratch) const {
  small_array<slot, 16> slots(static_cast<std::size_t>(2 * max_inputs_));
  for (int j = 0; j < s.code->input_count; ++j) {
    const input& in = inputs_[s.first_input + j];
    slots[j] =
        in.how == from::strip ? slot{scratch + in.at, -1} : slot{operands[in.operand], in.how == from::scalar ? 0 : -1};
  }
  std::byte* const to = scratch + s.result;
  run_step(s, slots.data(), to, rows, true, scratch);
  if (s.splats == none) return;
  splat_vectors(scratch + s.splats, to, size_of(s.code->type), rows);
}

void row_loops::run_row(const std::byte* const* operands, std::byte* to, index r, index n, std::byte* scratch,
                        slot* slots, row_prefetcher* prefetcher) const {
  const int last = code_.stage_count - 1, size = size_of(code_.stages[last].type);
  for (index i = 0; i < n; i += chunk_) {
    const index count = std::min(chunk_, n - i);
    prefetcher->prefetch(count);
    for (int s = 0; s <= last; ++s) {
      const step& x = steps_[s];
      if (x.once) continue;
      bool dense = true;
      for (int j = 0; j < x.code->input_count; ++j) {
        const input& in = inputs_[x.first_input + j];
        switch (in.how) {
          case from::scalar: slots[j] = {operands[in.operand], 0}; break;
          case from::dense: slots[j] = {operands[in.operand] + r * in.across + i * in.size, -1}; break;
          case from::strip: slots[j] = {scratch + in.at, -1}; break;
          case from::splat:
            slots[j] = {scratch + in.at + r * in.step, 0};
            dense = false;
            break;
        }
      }
      run_step(x, slots, s == last ? to + i * size : scratch + x.result, count, dense, scratch);
    }
  }
}

void row_loops::run_step(const step& s, slot* slots, std::byte* to, index n, bool dense, std::byte* scratch) const {
  const stage& st = *s.code;
  if (st.kind != stage_kind::compute) return run_strip(st, slots, to, n, maths_, scratch + splat_at_, splat_bytes_);
  kernel_mode mode = dense ? kernel_mode::dense : kernel_mode::any;
  if (streamed_ && &s == &steps_[code_.stage_count - 1]) {
    const index lanes = st.code->lanes[level_], vector = lanes * size_of(st.type);
    if (n % lanes == 0 && is_whole(to, vector)) mode = kernel_mode::streamed;
  }
  run_vectors(st, slots, to, n, mode, level_, slots + max_inputs_, scratch + spare_at_);
}

}  // namespace broadloom::runtime
