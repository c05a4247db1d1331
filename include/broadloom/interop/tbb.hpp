// oneTBB's arenas: par | in_arena(arena) runs an evaluation in one. For programs that use oneTBB themselves.
#pragma once

#include <oneapi/tbb/task_arena.h>

#include <broadloom/eval/policy.hpp>

namespace broadloom {

// in_arena(arena): part of a policy. The evaluation runs in this arena of oneTBB: on its threads and no others, at most
// as many as it has. It and the arena outlive the evaluation. With plain threads in place of oneTBB
// (set_scheduler), the calling thread enters the arena and the loops have threads of their own.
class in_arena : public runtime::arena {
 public:
  explicit in_arena(oneapi::tbb::task_arena& a) : runtime::arena{&run}, arena_(a) {}
  in_arena(const in_arena&) = delete;
  in_arena& operator=(const in_arena&) = delete;

 private:
  static void run(const runtime::arena* self, void (*f)(const void*), const void* context) {
    static_cast<const in_arena*>(self)->arena_.execute([&] { f(context); });
  }
  oneapi::tbb::task_arena& arena_;
};

}  // namespace broadloom
