// Formulas step by step, over strips that stay in the first-level cache: for programs compiled without optimisation.
#include <broadloom/eval/simd/stepwise.hpp>

#include <cstring>

#include "../base/limits.hpp"

namespace broadloom::runtime {

namespace {

constexpr index line = limits::line_bytes;
constexpr int max_inputs = sizeof step::inputs;

// Some elements over and over, one vector of the widest level.
void repeat(const void* from, index bytes, char* to) {
  std::memcpy(to, from, static_cast<std::size_t>(bytes));
  for (index done = bytes; done < line; done *= 2) std::memcpy(to + done, to, static_cast<std::size_t>(done));
}

// The first `count` elements, and behind them the first one: whole vectors of every type.
void fill_up(const void* from, index bytes, index count, index whole, char* to) {
  std::memcpy(to, from, static_cast<std::size_t>(count * bytes));
  for (index i = count; i < whole; ++i) std::memcpy(to + i * bytes, from, static_cast<std::size_t>(bytes));
}

class stepper {
 public:
  stepper(const stepwise& s, int level, const slot* in, kernel_mode mode)
      : s_(s), level_(level), in_(in), all_advance_(mode == kernel_mode::dense) {
    const index room = stepwise_scratch_bytes / (s.scratch_count * s.widest) / line * line;
    strip_ = room < line ? line : room;
    lanes_ = vector_bytes[level] / s.widest;
    for (int k = 0; k < s.step_count; ++k)
      if (s.steps[k].code->lanes[level] > unit_) unit_ = s.steps[k].code->lanes[level];
  }

  index strip() const { return strip_; }
  // Elements of a vector of every step.
  index unit() const { return unit_; }

  // Elements [first, first + count), whole units or fewer than one.
  void run(index first, index count, void* out) {
    const bool whole = count >= unit_;
    for (int k = 0; k < s_.step_count; ++k) {
      const step& now = s_.steps[k];
      const bool last = k + 1 == s_.step_count;
      slot in[max_inputs];
      kernel_mode mode = kernel_mode::dense;
      for (int j = 0; j < now.input_count; ++j) in[j] = input(now.inputs[j], first, count, line_[j], mode);
      void* const to = !last ? strip_at(now.to) : whole ? out : line_[max_inputs];
      now.code->run[level_](in, to, whole ? count : unit_, mode);
    }
    if (!whole) std::memcpy(out, line_[max_inputs], static_cast<std::size_t>(count * s_.out_bytes));
  }

 private:
  char* strip_at(int number) { return scratch_ + number * strip_ * s_.widest; }

  slot input(int number, index first, index count, char* room, kernel_mode& mode) {
    if (number >= first_stage) return {strip_at(number - first_stage), -1};
    const slot& given = in_[number];
    const index bytes = s_.input_bytes[number];
    // An input that does not advance is a whole vector of the kernel that this stands for. A dense loop does not look
    // at `advance`, which may then say anything.
    if (s_.is_scalar[number] || (!all_advance_ && given.advance == 0)) {
      mode = kernel_mode::any;
      repeat(given.data, s_.is_scalar[number] ? bytes : lanes_ * bytes, room);
      return {room, 0};
    }
    const char* const from = static_cast<const char*>(given.data) + first * bytes;
    if (count >= unit_) return {from, -1};
    fill_up(from, bytes, count, unit_, room);
    return {room, -1};
  }

  const stepwise& s_;
  int level_;
  const slot* in_;
  bool all_advance_;
  index strip_, unit_ = 1;
  index lanes_;  // elements of a vector of a kernel of the whole formula
  alignas(64) char scratch_[stepwise_scratch_bytes];
  alignas(64) char line_[max_inputs + 1][line * 8];
};

}  // namespace

void run_steps(const stepwise& s, int level, const slot* in, void* out, index n, kernel_mode mode) {
  stepper all(s, level, in, mode);
  for (index first = 0, count; first < n; first += count) {
    const index left = n - first;
    count = left >= all.strip() ? all.strip() : left >= all.unit() ? left / all.unit() * all.unit() : left;
    all.run(first, count, static_cast<char*>(out) + first * s.out_bytes);
  }
}

}  // namespace broadloom::runtime
