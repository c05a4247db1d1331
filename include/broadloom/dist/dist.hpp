// Arrays over the ranks of an MPI program: all of dist/. Not part of broadloom.hpp; a program that includes it links
// MPI.
#pragma once

#include <broadloom/dist/halo.hpp>
#include <broadloom/dist/products.hpp>
#include <broadloom/dist/running_extremes.hpp>
