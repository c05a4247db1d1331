// Arrays over the ranks of an MPI program: all of distributed/. Not part of broadloom.hpp; a program that includes it
// links MPI.
#pragma once

#include <broadloom/distributed/halo.hpp>
#include <broadloom/distributed/products.hpp>
#include <broadloom/distributed/running_extremes.hpp>
