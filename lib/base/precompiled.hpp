// What most sources of lib/ include, compiled once for each set of flags: a sixth of the time that the library takes to
// compile. Each source still includes what it uses: CMake builds the library without this.
#pragma once

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
