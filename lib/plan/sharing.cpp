// Whether two leaves are equal is known only when they are bound: all arrays of a kind have the same type.
#include "sharing.hpp"

#include <cstdint>
#include <cstring>

#include "nest.hpp"

namespace broadloom::runtime {

namespace {

// Numbers with a hash each, in the order in which they come.
class hash_lists {
 public:
  explicit hash_lists(int count) : next_(static_cast<std::size_t>(count)) {
    for (short& head : heads_) head = none;
  }
  // The first one before k with this hash that is the same; k, which is added, if there is none.
  template <class Same>
  short find_or_add(short k, std::uint64_t hash, Same same) {
    short& head = heads_[hash * 0x9e3779b97f4a7c15u >> 60];
    for (short j = head; j != none; j = next_[j])
      if (same(j)) return j;
    next_[k] = head;
    return head = k;
  }

 private:
  static constexpr short none = -1;
  short heads_[16];
  small_array<short, 48> next_;
};

// An operand as far as a number says what it is: the address of an array, or the bits of a scalar, the first eight
// bytes of a wider one.
std::uint64_t key_of(const operand& x) {
  if (!x.is_scalar) return reinterpret_cast<std::uintptr_t>(x.data);
  const auto size = static_cast<std::size_t>(size_of(x.type));
  if (size == 4) {
    std::uint32_t bits;
    std::memcpy(&bits, x.data, sizeof bits);
    return bits;
  }
  std::uint64_t bits = 0;
  std::memcpy(&bits, x.data, size < sizeof bits ? size : sizeof bits);
  return bits;
}

// Of operands with the same key.
bool same_operand(const problem& p, int a, int b) {
  const operand &x = p.operands[a], &y = p.operands[b];
  if (x.type != y.type || x.is_scalar != y.is_scalar) return false;
  if (x.is_ramp != y.is_ramp) return false;
  if (x.is_scalar) {
    const auto size = static_cast<std::size_t>(size_of(x.type));
    return size <= sizeof(std::uint64_t) || std::memcmp(x.data, y.data, size) == 0;
  }
  if (x.strides == y.strides) return true;
  for (index i = 0; i < p.rank; ++i)
    if (p.extents[i] != 1 && x.strides[i] != y.strides[i]) return false;
  return true;
}

// Of stages whose inputs are the same, and so of the same types.
bool same_function(const stage& x, const stage& y) {
  if (x.code != y.code || x.function != y.function || x.kind != y.kind || x.type != y.type) return false;
  // A kernel of single elements may be a user's callable.
  return x.kind != stage_kind::compute || x.code->lanes[0] != 1;
}

std::size_t input_count(const problem& p) {
  std::size_t n = 0;
  for (int s = 0; s < p.code.stage_count; ++s) n += p.code.stages[s].input_count;
  return n;
}

}  // namespace

// The last stage writes the output and is kept.
repetitions::repetitions(const problem& p)
    : first_of_stage(static_cast<std::size_t>(p.code.stage_count)),
      first_of_operand(static_cast<std::size_t>(p.operand_count)),
      inputs(input_count(p)) {
  // A program names both by bytes.
  const auto operand_count = static_cast<short>(p.operand_count), stage_count = static_cast<short>(p.code.stage_count);
  short* const of_operand = first_of_operand.data();
  {
    hash_lists known(operand_count);
    small_array<std::uint64_t, 48> keys(static_cast<std::size_t>(p.operand_count));
    int repeated = 0;
    for (short k = 0; k < operand_count; ++k) {
      const operand& x = p.operands[k];
      const std::uint64_t key = keys[k] = key_of(x);
      const short same = known.find_or_add(k, key, [&](int j) { return keys[j] == key && same_operand(p, j, k); });
      of_operand[k] = same;
      repeated += same != k ? 1 : 0;
    }
    operands = repeated;
  }

  short* const of_stage = first_of_stage.data();
  hash_lists known(stage_count);
  small_array<const short*, 24> inputs_of(static_cast<std::size_t>(stage_count));
  const int last = stage_count - 1;
  short* next = inputs.data();
  for (short s = 0; s < stage_count; ++s) {
    const stage& st = p.code.stages[s];
    const short* const own = inputs_of[s] = next;
    std::uint64_t key = 0;
    for (const unsigned char *id = st.inputs, *const end = id + st.input_count; id != end; ++id, ++next) {
      *next = *id < first_stage ? of_operand[*id] : static_cast<short>(first_stage + of_stage[*id - first_stage]);
      key += static_cast<std::uint64_t>(*next);
    }
    const auto same = [&](int t) {
      const stage& other = p.code.stages[t];
      if (other.input_count != st.input_count || !same_function(other, st)) return false;
      for (int j = 0; j < st.input_count; ++j)
        if (inputs_of[t][j] != own[j]) return false;
      return true;
    };
    const short first = of_stage[s] = s == last ? s : known.find_or_add(s, key, same);
    stages += first != s ? 1 : 0;
  }
}

sharing::sharing(const problem& p, const repetitions& repeated)
    : operands_(static_cast<std::size_t>(p.operand_count - repeated.operands)),
      stages_(static_cast<std::size_t>(p.code.stage_count - repeated.stages)),
      inputs_(input_count(p)),
      shared_(p) {
  // Where those are now that are kept.
  small_array<short, 48> operand_at(static_cast<std::size_t>(p.operand_count));
  small_array<short, 24> stage_at(static_cast<std::size_t>(p.code.stage_count));
  short operands = 0, stages = 0;
  for (int k = 0; k < p.operand_count; ++k) {
    if (repeated.first_of_operand[k] != k) continue;
    operands_[operands] = p.operands[k];
    operand_at[k] = operands++;
  }
  const short* input = repeated.inputs.data();
  unsigned char* next = inputs_.data();
  for (int s = 0; s < p.code.stage_count; ++s) {
    const stage& from = p.code.stages[s];
    const short* const end = input + from.input_count;
    if (repeated.first_of_stage[s] != s) {
      input = end;
      continue;
    }
    stage& to = stages_[stages] = from;
    to.inputs = next;
    for (; input != end; ++input)
      *next++ = static_cast<unsigned char>(*input < first_stage ? operand_at[*input]
                                                                : first_stage + stage_at[*input - first_stage]);
    stage_at[s] = stages++;
  }
  shared_.operands = operands_.data();
  shared_.operand_count = operands;
  shared_.code = {stages_.data(), stages, nullptr};
}

}  // namespace broadloom::runtime
