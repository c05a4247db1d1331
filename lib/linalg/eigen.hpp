// Eigen in a namespace of its own for every file compiled for another instruction set, so that these files share no
// code with each other or with a user's program of other flags. Define BROADLOOM_EIGEN before including this.
#pragma once

#define Eigen BROADLOOM_EIGEN
#define EIGEN_DONT_PARALLELIZE
#define EIGEN_MPL2_ONLY
#ifndef BROADLOOM_ADDRESS_SANITIZER
#define EIGEN_NO_DEBUG
#endif

// GCC 12 warns that the undefined halves of AVX-512 intrinsics are uninitialised.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"
#endif

#include <Eigen/Core>
