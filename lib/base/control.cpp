// Stops and reports of evaluations.
#include "control.hpp"

namespace broadloom {

stopped::~stopped() = default;

namespace runtime {

constinit thread_local evaluation_control* control_here = nullptr;

namespace {
constexpr std::chrono::milliseconds between_reports(25);
}  // namespace

evaluation_control::evaluation_control(const stop_check* stop, const progress_sink* sink)
    : stop_(stop), sink_(sink), thread_(&control_here) {
  if (sink_ != nullptr) last_ = std::chrono::steady_clock::now();
}

void evaluation_control::begin(index total) {
  ++pass_;
  total_ = total;
  done_.store(0, std::memory_order_relaxed);
}

void evaluation_control::report(std::chrono::steady_clock::time_point now) {
  last_ = now;
  reported_ = done_.load(std::memory_order_relaxed);
  reported_pass_ = pass_;
  sink_->report(sink_, {pass_, reported_, total_});
}

void evaluation_control::add(index n) {
  if (sink_ == nullptr) return;
  done_.fetch_add(n, std::memory_order_relaxed);
  if (thread_ != &control_here) return;
  if (const auto now = std::chrono::steady_clock::now(); now - last_ >= between_reports) report(now);
}

void evaluation_control::end() {
  if (sink_ == nullptr) return;
  if (const auto now = std::chrono::steady_clock::now(); now - last_ >= between_reports) report(now);
}

void run_controlled(const stop_check* stop, const progress_sink* sink, void (*f)(const void*), const void* context) {
  struct scope {
    evaluation_control own;
    evaluation_control* before = control_here;
    scope(const stop_check* s, const progress_sink* p) : own(s, p) { control_here = &own; }
    ~scope() { control_here = before; }
  };
  {
    scope here(stop, sink);
    here.own.check();
    f(context);
  }
  // The last word, whatever was reported before: all is done.
  if (sink != nullptr) sink->report(sink, {0, 1, 1});
}

}  // namespace runtime
}  // namespace broadloom
