// Rows that each take one fast path: what a build of them offers to the program that times them.
#pragma once

namespace bench_paths {

struct row {
  const char *path, *formula;
  void (*run)(long times);
  const char* (*routes)();  // as explain() has them
};

}  // namespace bench_paths

// A module's rows, ended by one without a path.
extern "C" const bench_paths::row* broadloom_bench_paths();
