// What most sources of lib/ include, compiled once, which takes a tenth off the time that the library takes. Each
// source still includes what it uses: ./dev with clang, and CMake, compile without this.
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>
#include <string>
#include <vector>

#include <broadloom/core/error.hpp>
#include <broadloom/core/storage.hpp>
#include <broadloom/eval/scheduler.hpp>
#include <broadloom/fn/lanes.hpp>
#include <broadloom/plan/problem.hpp>
