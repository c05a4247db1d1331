// What may stop the loops that a thread begins, and what is told how far they are.
#pragma once

#include <atomic>
#include <chrono>

#include <broadloom/core/error.hpp>
#include <broadloom/eval/control.hpp>
#include <broadloom/eval/scheduler.hpp>

namespace broadloom::runtime {

// One evaluation. Made, and its passes begun and ended, by the thread that evaluates.
class evaluation_control {
 public:
  evaluation_control(const stop_check* stop, const progress_sink* sink);

  // Throws bl::stopped if that is asked for. From any thread.
  void check() const {
    if (stop_ != nullptr && stop_->requested(stop_)) throw stopped();
  }
  void begin(index total);
  // n more parts are done. From any thread; the one that evaluates reports.
  void add(index n);
  void end();

 private:
  void report(std::chrono::steady_clock::time_point now);

  const stop_check* stop_;
  const progress_sink* sink_;
  const void* thread_;  // the one that evaluates
  int pass_ = 0;
  index total_ = 0, reported_ = 0;
  int reported_pass_ = 0;
  std::atomic<index> done_{0};
  std::chrono::steady_clock::time_point last_{};
};

// That of this thread; null, as a rule. Loops within a loop belong to its parts and are not controlled by themselves.
extern constinit thread_local evaluation_control* control_here __attribute__((tls_model("initial-exec")));

// Calls body(first, last) for ranges that together make up [first, last), small enough that a stop is soon seen.
template <class Body>
void in_parts(evaluation_control& c, index first, index last, index part, const Body& body) {
  for (; first < last; first += part) {
    c.check();
    const index end = part < last - first ? first + part : last;
    body(first, end);
    c.add(end - first);
  }
}

// A loop over `total` blocks as a pass: run(part) has it done, calling in_parts for each range.
template <class Run>
void as_pass(evaluation_control& c, index total, const Run& run) {
  struct inside {
    evaluation_control* before = control_here;
    inside() { control_here = nullptr; }
    ~inside() { control_here = before; }
  } const loops_within_are_not_controlled;
  c.check();
  c.begin(total);
  run(total / 256 + 1);
  c.end();
}

}  // namespace broadloom::runtime
