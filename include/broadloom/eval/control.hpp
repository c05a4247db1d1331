// What may end an evaluation before its time, and what is told how far it is. eval/stop.hpp and eval/progress.hpp have
// what users write.
#pragma once

#include <broadloom/core/api.hpp>
#include <broadloom/core/index.hpp>

namespace broadloom {

// How far an evaluation is: `done` of `total` parts of about equal work in its pass number `pass`, from 1 on. A
// reduction that is needed before the rest is a pass of its own.
struct progress {
  int pass;
  index done, total;
  constexpr double share() const { return total == 0 ? 1 : static_cast<double>(done) / static_cast<double>(total); }
};

namespace runtime {

// Asked from any thread, between parts of the work.
struct stop_check {
  bool (*requested)(const stop_check*);
};

// Told from the thread that evaluates, some dozens of times a second at most, and when a pass ends.
struct progress_sink {
  void (*report)(const progress_sink*, const progress&);
};

// Where evaluations run: oneTBB's arena of the program, as interop/tbb.hpp hands it on.
struct arena {
  void (*execute)(const arena*, void (*f)(const void*), const void* context);
};

// Calls f(context). Loops that the calling thread begins meanwhile, by itself or shared out, ask `stop` before each
// part and throw bl::stopped; either may be null.
BROADLOOM_API void run_controlled(const stop_check* stop, const progress_sink* sink, void (*f)(const void*),
                                  const void* context);

}  // namespace runtime
}  // namespace broadloom
