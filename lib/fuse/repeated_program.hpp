// A program over arrays of equal geometry at different addresses, planned once, with what is hoisted out of it; on one
// thread.
#pragma once

#include <list>
#include <optional>

#include "../plan/hoist.hpp"
#include "../run/run.hpp"

namespace broadloom::runtime {

class repeated_program {
 public:
  // The output overlaps no operand that it does not coincide with.
  explicit repeated_program(const problem& p) : count_(p.operand_count) {
    const problem* rest = &p;
    for (int s = hoistable_stage(p); s >= 0; s = hoistable_stage(*rest)) {
      const hoisting& h = hoisted_.emplace_back(*rest, s);
      if (hoistable_stage(h.part()) >= 0) return;
      parts_.emplace_back(h.part());
      rest = &h.rest();
    }
    last_.emplace(*rest);
  }

  // False where a part of a part is hoisted: then execute() does it.
  bool works() const { return last_.has_value(); }

  void use_prefetcher(row_prefetcher* prefetcher) { last_->use_prefetcher(prefetcher); }

  void operator()(const operand* operands, void* out) {
    if (parts_.empty()) return run(*last_, operands, out);
    small_array<operand, 16> all(static_cast<std::size_t>(count_) + parts_.size());
    for (int k = 0; k < count_; ++k) all[k] = operands[k];
    int next = count_;
    auto part = parts_.begin();
    for (const hoisting& h : hoisted_) {
      run(*part++, all.data(), h.part().out);
      all[next] = h.rest().operands[next];
      ++next;
    }
    run(*last_, all.data(), out);
  }

 private:
  static void run(const box_runner& box, const operand* operands, void* out) {
    box.forget();
    box(operands, out);
  }

  int count_;
  std::list<hoisting> hoisted_;
  std::list<box_runner> parts_;
  std::optional<box_runner> last_;
};

}  // namespace broadloom::runtime
