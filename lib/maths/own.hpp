// Functions computed in the type of their arguments, with fused multiply-add. They take a third to two thirds of the
// time of a call of SLEEF, whose constants are in registers for one vector only. Accurate to 1 ULP: over all floats,
// and over samples of doubles. Logarithms and trigonometric functions leave rare arguments to SLEEF (strips.hpp). All
// levels with FMA give the same bits.
#pragma once

#include "own_errors.hpp"
#include "own_exponential.hpp"
#include "own_logarithms.hpp"
#include "own_powers.hpp"
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
