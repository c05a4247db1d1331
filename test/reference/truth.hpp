// The true value of a function, in a wider type than the arrays have, and how far from it a result may be.
#pragma once

#include <complex>
#include <string>

#include <broadloom/core/dtype.hpp>

namespace reference {

// What is true of one element.
struct truth {
  long double value;
  long double scale;  // the largest number that is added up on the way: roundings of it may remain in the result
};

struct bounds {
  // One call of a transcendental, or a few roundings: in units of the last place of the result, of this library and of
  // PyTorch.
  double ours = 0, theirs = 0;
  // Functions of several steps: no worse than PyTorch's result plus `steps` roundings of the scale. 0 for others.
  double steps = 0;
};

// Null for functions whose result is exact.
const bounds* bounds_of(const std::string& function);

// x: the operands and the numbers given, converted to the type that is computed in.
truth true_value(const std::string& function, const long double* x, int count);

// A number in a type that may be narrower; the unit in the last place of a number of a type; and how far a result is
// from the truth, where infinity counts as the number after the largest.
long double rounded_to(broadloom::dtype t, long double x);
long double place_of(long double x, broadloom::dtype t);
long double error_of(long double x, long double t, broadloom::dtype type);

// Of complex numbers: false for functions whose result is exact, or not known here.
bool complex_truth(const std::string& function, const std::complex<long double>* x, int count,
                   std::complex<long double>& to);

}  // namespace reference
