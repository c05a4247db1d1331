// Whether two leaves are equal is known only when they are bound: all arrays of a kind have the same type.
#include "sharing.hpp"

#include <cstring>

#include "nest.hpp"

namespace broadloom::runtime {

namespace {

bool same_operand(const problem& p, int a, int b) {
  if (a == b) return true;
  const operand &x = p.operands[a], &y = p.operands[b];
  if (x.type != y.type || x.is_scalar != y.is_scalar || x.at != nullptr || y.at != nullptr) return false;
  if (x.is_scalar) return std::memcmp(x.data, y.data, static_cast<std::size_t>(size_of(x.type))) == 0;
  if (x.data != y.data) return false;
  for (index i = 0; i < p.rank; ++i)
    if (p.extents[i] != 1 && x.strides[i] != y.strides[i]) return false;
  return true;
}

// `first`: for each stage, the first one that computes the same.
bool same_stage(const problem& p, int a, int b, const int* first) {
  const stage &x = p.code.stages[a], &y = p.code.stages[b];
  if (x.kind != y.kind || x.type != y.type || x.function != y.function || x.code != y.code ||
      x.input_count != y.input_count)
    return false;
  // A kernel of single elements may be a user's callable.
  if (x.kind == stage_kind::compute && x.code->lanes[0] == 1) return false;
  for (int j = 0; j < x.input_count; ++j) {
    const int s = x.inputs[j], t = y.inputs[j];
    if ((s >= first_stage) != (t >= first_stage) || x.input_types[j] != y.input_types[j]) return false;
    if (s >= first_stage ? first[s - first_stage] != first[t - first_stage] : !same_operand(p, s, t)) return false;
  }
  return true;
}

std::size_t input_count(const problem& p) {
  std::size_t n = 0;
  for (int s = 0; s < p.code.stage_count; ++s) n += p.code.stages[s].input_count;
  return n;
}

}  // namespace

// The last stage writes the output and is kept.
repeated_stages::repeated_stages(const problem& p) : first(static_cast<std::size_t>(p.code.stage_count)) {
  const int last = p.code.stage_count - 1;
  if (last < 2) return;
  for (int s = 0; s <= last; ++s) {
    first[s] = s;
    for (int t = 0; t < s && first[s] == s && s != last; ++t)
      if (first[t] == t && same_stage(p, t, s, first.data())) first[s] = t;
    count += first[s] != s ? 1 : 0;
  }
}

sharing::sharing(const problem& p, const repeated_stages& repeated)
    : stages_(static_cast<std::size_t>(p.code.stage_count)), inputs_(input_count(p)), shared_(p) {
  small_array<int, 16> place(static_cast<std::size_t>(p.code.stage_count));
  const int* const first = repeated.first.data();
  int kept = 0;
  unsigned char* next = inputs_.data();
  for (int s = 0; s < p.code.stage_count; ++s) {
    if (first[s] != s) continue;
    stage st = p.code.stages[s];
    unsigned char* const inputs = next;
    for (int j = 0; j < st.input_count; ++j) {
      const int id = st.inputs[j];
      *next++ = static_cast<unsigned char>(id < first_stage ? id : first_stage + place[first[id - first_stage]]);
    }
    st.inputs = inputs;
    place[s] = kept;
    stages_[kept++] = st;
  }
  shared_.code = {stages_.data(), kept, nullptr};
}

}  // namespace broadloom::runtime
