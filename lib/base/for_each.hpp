// Loops over tasks, on the calling thread or shared out among threads.
#pragma once

#include <broadloom/eval/scheduler.hpp>

#include "control.hpp"

namespace broadloom::runtime {

// Calls f(first, last) for ranges that together cover [0, n). On the calling thread if `threads` is 1 or n is at most
// 1, else on at most `threads` threads (0: all there are).
template <class F>
void for_ranges(index n, int threads, const F& f) {
  if (threads == 1 || n < 2) {
    if (n > 1 && control_here != nullptr) [[unlikely]]
      return as_pass(*control_here, n, [&f, n, c = control_here](index part) { in_parts(*c, 0, n, part, f); });
    if (n > 0) f(index{0}, n);
    return;
  }
  parallel_for(
      n, threads, [](void* context, index first, index last) { (*static_cast<const F*>(context))(first, last); },
      const_cast<void*>(static_cast<const void*>(&f)));
}

// Calls f(i) for each i in [0, n), likewise.
template <class F>
void for_each(index n, int threads, const F& f) {
  for_ranges(n, threads, [&f](index first, index last) {
    for (index i = first; i < last; ++i) f(i);
  });
}

}  // namespace broadloom::runtime
