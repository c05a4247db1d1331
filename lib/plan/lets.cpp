// Numbers that identify `let`s, and traversals of trees that ask them something.
#include <atomic>

#include <broadloom/eval/let.hpp>

namespace broadloom::detail {

// A thread takes numbers a block at a time: an atomic addition waits for all stores before it.
index next_let() noexcept {
  constexpr index block = 1 << 16;
  static std::atomic<index> blocks{0};
  constinit thread_local static index last __attribute__((tls_model("initial-exec"))) = 0;
  if (last % block == 0) last = blocks.fetch_add(1, std::memory_order_relaxed) * block;
  return ++last;
}

index* let_question_asked() noexcept {
  constinit thread_local static index asked = 0;
  return &asked;
}

}  // namespace broadloom::detail
