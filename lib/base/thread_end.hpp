// Frees what a thread keeps when the thread ends. A thread_local object with a destructor would do that too, but the C
// library ends the process if it has no memory to register the destructor. Here the thread then keeps nothing.
#pragma once

#include <pthread.h>

namespace broadloom::runtime {

// Of static lifetime within a function: made by the first caller and never destroyed, as evaluations may come after
// main. The library is not unloaded (-z nodelete), so `release` exists as long as threads do.
class thread_end {
 public:
  // `release` is called with the argument of `watch` at the end of each thread but the main one.
  explicit thread_end(void (*release)(void*)) noexcept : valid_(::pthread_key_create(&key_, release) == 0) {}
  thread_end(const thread_end&) = delete;
  thread_end& operator=(const thread_end&) = delete;

  // False if the end of this thread cannot be watched.
  bool watch(void* kept) const noexcept { return valid_ && ::pthread_setspecific(key_, kept) == 0; }

 private:
  pthread_key_t key_{};
  bool valid_;
};

}  // namespace broadloom::runtime
