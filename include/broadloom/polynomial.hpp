// Polynomials as arrays of their coefficients. Not part of broadloom.hpp.
#pragma once

#include <broadloom/linalg/polynomials.hpp>
