// A factorisation that failed: the core array of the stack, and PyTorch's message.
#pragma once

#include <mutex>

#include <broadloom/linalg/call.hpp>

namespace broadloom::runtime {

enum class failure : unsigned char { inverse, solve, cholesky, lu, svd, eigen, square_root, logarithm };

// Throws linalg_error. `number` is below 0 if there is no stack; `info` is LAPACK's, or 0 if elements are not finite.
[[noreturn]] void throw_failure(const char* function, failure what, index number, int info);

// Throws std::runtime_error, which names the option.
[[noreturn]] void throw_without_lapack();

// The first core array that failed, whichever thread found it.
class first_failure {
 public:
  void record(index number, int info) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (number_ >= 0 && number_ < number) return;
    number_ = number;
    info_ = info;
  }
  void raise(const stack_call& c, failure what) const {
    if (number_ >= 0) throw_failure(c.function, what, c.loop_rank == 0 ? -1 : number_, info_);
  }
  bool any() const { return number_ >= 0; }
  // The same for pivots out of range: too small (info 0) or too large.
  void raise_pivots() const;

 private:
  std::mutex mutex_;
  index number_ = -1;
  int info_ = 0;
};

}  // namespace broadloom::runtime
