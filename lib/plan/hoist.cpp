// The axes a stage depends on follow from the operands' strides: a broadcast axis has stride 0.
#include "hoist.hpp"

#include "../base/extents.hpp"
#include "../base/limits.hpp"
#include "nest.hpp"

namespace broadloom::runtime {

void find_dependent(const problem& p, index axis, int stages, bool* on) {
  for (int s = 0; s < stages; ++s) {
    const stage& st = p.code.stages[s];
    on[s] = false;
    for (int j = 0; j < st.input_count && !on[s]; ++j) {
      const int id = st.inputs[j];
      if (id >= first_stage) {
        on[s] = on[id - first_stage];
        continue;
      }
      const operand& x = p.operands[id];
      on[s] = !x.is_scalar && x.strides[axis] != 0;
    }
  }
}

namespace {

using limits::hoisting::few_elements;

// Marks a stage and the stages it reads.
void mark(const problem& p, int s, bool* wanted) {
  wanted[s] = true;
  const stage& st = p.code.stages[s];
  for (int j = 0; j < st.input_count; ++j)
    if (st.inputs[j] >= first_stage) mark(p, st.inputs[j] - first_stage, wanted);
}

// Operands that no stage reads keep their number, but their elements count for nothing.
void leave_out_unread(operand* operands, int count, const stage* stages, int stage_count) {
  for (int k = 0; k < count; ++k) {
    bool is_read = false;
    for (int s = 0; s < stage_count && !is_read; ++s)
      for (int j = 0; j < stages[s].input_count && !is_read; ++j) is_read = stages[s].inputs[j] == k;
    if (!is_read) operands[k] = {operands[k].data, operands[k].strides, operands[k].type, true, false, nullptr};
  }
}

int total_inputs(const problem& p) {
  int n = 1;
  for (int s = 0; s < p.code.stage_count; ++s) n += p.code.stages[s].input_count;
  return n;
}

}  // namespace

int hoistable_stage(const problem& p) {
  const int last = p.code.stage_count - 1;
  if (last < 1 || p.operand_count >= first_stage - 1) return -1;
  small_array<bool, 24> on(static_cast<std::size_t>(last));
  small_array<index, 24> own(static_cast<std::size_t>(last));  // elements of a stage
  for (int s = 0; s < last; ++s) own[s] = 1;
  index all = 1;
  for (index i = 0; i < p.rank; ++i) {
    if (p.extents[i] == 1) continue;
    all *= p.extents[i];
    find_dependent(p, i, last, on.data());
    for (int s = 0; s < last; ++s)
      if (on[s]) own[s] *= p.extents[i];
  }
  for (int s = last - 1; s >= 0; --s) {
    const bool formula = p.code.stages[s].kind == stage_kind::compute;
    if (formula && all < few_elements) continue;
    if (own[s] <= all / (formula ? 8 : 2)) return s;
  }
  return -1;
}

hoisting::hoisting(const problem& p, int hoisted)
    : extents_(static_cast<std::size_t>(p.rank)),
      strides_(static_cast<std::size_t>(2 * p.rank)),
      part_operands_(static_cast<std::size_t>(p.operand_count)),
      operands_(static_cast<std::size_t>(p.operand_count + 1)),
      part_stages_(static_cast<std::size_t>(p.code.stage_count)),
      rest_stages_(static_cast<std::size_t>(p.code.stage_count)),
      inputs_(static_cast<std::size_t>(2 * total_inputs(p))) {
  const stage& root = p.code.stages[hoisted];
  small_array<bool, 24> on(static_cast<std::size_t>(hoisted + 1));
  for (index i = 0; i < p.rank; ++i) {
    find_dependent(p, i, hoisted + 1, on.data());
    extents_[i] = on[hoisted] ? p.extents[i] : 1;  // of the axes it depends on
  }
  index* const written = strides_.data();
  index* const read = strides_.data() + p.rank;
  bytes_ = static_cast<std::size_t>(write_row_major(extents_.data(), p.rank, written) * size_of(root.type));
  memory_ = allocate(bytes_);
  for (index i = 0; i < p.rank; ++i) read[i] = extents_[i] == 1 ? 0 : written[i];
  for (int k = 0; k < p.operand_count; ++k) part_operands_[k] = operands_[k] = p.operands[k];
  operands_[p.operand_count] = {memory_, read, root.type, false, false, nullptr};

  small_array<bool, 16> in_part(static_cast<std::size_t>(p.code.stage_count));
  small_array<bool, 16> in_rest(static_cast<std::size_t>(p.code.stage_count));
  for (int s = 0; s < p.code.stage_count; ++s) in_part[s] = in_rest[s] = false;
  mark(p, hoisted, in_part.data());
  // the rest: all that the last stage still reads when the hoisted stage is an operand
  in_rest[p.code.stage_count - 1] = true;
  for (int s = p.code.stage_count - 1; s >= 0; --s) {
    if (!in_rest[s]) continue;
    const stage& st = p.code.stages[s];
    for (int j = 0; j < st.input_count; ++j)
      if (st.inputs[j] >= first_stage && st.inputs[j] - first_stage != hoisted)
        in_rest[st.inputs[j] - first_stage] = true;
  }

  small_array<int, 16> place(static_cast<std::size_t>(p.code.stage_count));
  const auto gather_stages = [&](const small_array<bool, 16>& wanted, small_array<stage, 8>& to, bool replace) {
    int count = 0;
    for (int s = 0; s < p.code.stage_count; ++s) {
      if (!wanted[s]) continue;
      place[s] = count;
      stage st = p.code.stages[s];
      unsigned char* const inputs = inputs_.data() + inputs_used_;
      for (int j = 0; j < st.input_count; ++j) {
        const int id = st.inputs[j];
        inputs[j] = static_cast<unsigned char>(id < first_stage ? id
                                               : replace && id == first_stage + hoisted
                                                   ? p.operand_count
                                                   : first_stage + place[id - first_stage]);
      }
      inputs_used_ += st.input_count;
      st.inputs = inputs;
      to[count++] = st;
    }
    return count;
  };
  const int part_count = gather_stages(in_part, part_stages_, false);
  const int rest_count = gather_stages(in_rest, rest_stages_, true);
  leave_out_unread(part_operands_.data(), p.operand_count, part_stages_.data(), part_count);
  leave_out_unread(operands_.data(), p.operand_count, rest_stages_.data(), rest_count);

  part_ = p;
  part_.operands = part_operands_.data();
  part_.extents = extents_.data();
  part_.out = memory_;
  part_.out_strides = written;
  part_.out_type = root.type;
  part_.code = {part_stages_.data(), part_count, nullptr};
  part_.how.whole_bytes = 0;  // it is read at once, so it should stay in the caches
  rest_ = p;
  rest_.operands = operands_.data();
  rest_.operand_count = p.operand_count + 1;
  rest_.code = {rest_stages_.data(), rest_count, nullptr};
}

hoisting::~hoisting() { deallocate(memory_, bytes_); }

}  // namespace broadloom::runtime
