// Eigen in a namespace of its own for every kind of kernel (BROADLOOM_KERNELS names it) and level, so that files
// compiled for different instruction sets share no code with each other or with a user's program.
#pragma once

#include "../base/level.hpp"

#define Eigen BROADLOOM_JOIN(BROADLOOM_KERNELS, BROADLOOM_LEVEL)
#define EIGEN_DONT_PARALLELIZE
#define EIGEN_MPL2_ONLY
#ifndef BROADLOOM_ADDRESS_SANITIZER
#define EIGEN_NO_DEBUG
#endif

#include <Eigen/Core>
