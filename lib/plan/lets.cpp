// Numbers that identify `let`s, and traversals of trees that ask them something.
#include <atomic>

#include <broadloom/eval/let.hpp>

namespace broadloom::detail {

namespace {

std::atomic<index> questions{0};
thread_local index asked_now = 0;

}  // namespace

index next_let() noexcept {
  static std::atomic<index> last{0};
  return ++last;
}

let_question::let_question() noexcept : is_first_(asked_now == 0) {
  if (is_first_) asked_now = ++questions;
}
let_question::~let_question() {
  if (is_first_) asked_now = 0;
}
index let_question::number() const { return asked_now; }

}  // namespace broadloom::detail
