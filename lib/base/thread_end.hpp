// What a thread keeps is given back when it ends. A thread_local object with a destructor would do that too, but the C
// library ends the process where it has no memory to note the destructor; here the thread keeps nothing then.
#pragma once

#include <pthread.h>

namespace broadloom::runtime {

// Of static lifetime within a function: made by the first that asks, and never destroyed, as evaluations may come after
// main. The library is not unloaded (-z nodelete), so `release` is there as long as threads are.
class thread_end {
 public:
  // `release` is called with what `watch` was given, at the end of each thread but the main one.
  explicit thread_end(void (*release)(void*)) noexcept : valid_(::pthread_key_create(&key_, release) == 0) {}
  thread_end(const thread_end&) = delete;
  thread_end& operator=(const thread_end&) = delete;

  // False where the end of this thread cannot be watched.
  bool watch(void* kept) const noexcept { return valid_ && ::pthread_setspecific(key_, kept) == 0; }

 private:
  pthread_key_t key_{};
  bool valid_;
};

}  // namespace broadloom::runtime
