// Functions in the arithmetic of their arguments, with products that are added without being rounded before: in a third
// to two thirds of the time of a call, which has its constants in registers for one vector only. Right to 1 unit of
// the last place: over all floats, and over samples of doubles. None needs repair, logarithms and functions of angles
// leave rare arguments to SLEEF (strips.hpp), and all levels with FMA give the same bits.
#pragma once

#include "own_errors.hpp"
#include "own_exponential.hpp"
#include "own_logarithms.hpp"
#include "own_roots.hpp"
#include "own_trigonometric.hpp"

namespace broadloom::runtime {

template <class Pack>
struct fused : fused_errors<Pack>,
               fused_exponential<Pack>,
               fused_logarithms<Pack>,
               fused_roots<Pack>,
               fused_trigonometric<Pack> {};

}  // namespace broadloom::runtime
