// Elements of 16 bits: bl::float16 and bl::bfloat16, in every function, reduction and product, in files and texts. Not
// part of broadloom.hpp.
#pragma once

#include <broadloom/broadloom.hpp>
#include <broadloom/fn/half.hpp>
#include <broadloom/fn/half_functions.hpp>
#include <broadloom/plan/half.hpp>
#include <broadloom/tensor/half_random.hpp>
