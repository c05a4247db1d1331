// Eigen under a name of its own in every file that is compiled for another instruction set, so that neither these files
// nor a user's program with other flags share code with one another. Define BROADLOOM_EIGEN before including this.
#pragma once

#define Eigen BROADLOOM_EIGEN
#define EIGEN_DONT_PARALLELIZE
#define EIGEN_MPL2_ONLY
#ifndef BROADLOOM_ADDRESS_SANITIZER
#define EIGEN_NO_DEBUG
#endif

// GCC 12 takes the undefined halves of AVX-512 intrinsics for variables somebody forgot.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"
#endif

#include <Eigen/Core>
