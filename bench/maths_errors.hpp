// The arguments of a function of vector maths and how far from the truth its values are: the same for all contenders.
// The truth of f32 is the C library's value in double, that of f64 its value in 128 bits: right to far less than a
// hundredth of a unit of the last place.
#pragma once

#include <string>
#include <vector>

namespace bench_maths {

// Elements of a piece: in the caches of the core, as what is compared is the loop, not memory. The pieces are: what is
// timed, moderate numbers inside the domain; others in the same range; and numbers of both signs, as far as there are,
// whose logarithms are spread evenly: from 2^-40 to 2^10, to 2^40 for functions with two arguments.
inline constexpr int count = 65536;
inline constexpr int pieces = 3;

template <class T>
struct arguments {
  std::vector<T> x, y;  // all pieces
  struct value {
    long double high, low;  // their sum
  };
  std::vector<value> truth;
};

// y is 0 where the function has one argument.
template <class T>
const arguments<T>& arguments_of(const std::string& f, bool two);

// In units of the last place of the true value, over a piece. Where that is above 1e30 or below 1e-30 in size (f64:
// 1e300), nothing is asked: how functions end is a matter of tests.
template <class T>
double worst_error(const arguments<T>& a, std::size_t piece, const T* given);

}  // namespace bench_maths
