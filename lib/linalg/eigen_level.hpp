// Eigen for the kernels of one kind and one instruction-set level: BROADLOOM_KERNELS and BROADLOOM_LEVEL name them.
#pragma once

#define BROADLOOM_JOIN_AS(a, b) a##b
#define BROADLOOM_JOIN(a, b) BROADLOOM_JOIN_AS(a, b)
#define BROADLOOM_EIGEN BROADLOOM_JOIN(BROADLOOM_KERNELS, BROADLOOM_LEVEL)
#include "eigen.hpp"
