// Special functions, and functions with two results. Not part of broadloom.hpp.
#pragma once

#include <broadloom/broadloom.hpp>
#include <broadloom/special/functions.hpp>
#include <broadloom/special/pairs.hpp>
