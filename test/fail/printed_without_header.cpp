// An array is printed by tensor/print.hpp: without it one of rank 0 would be printed as its number.
// expect: include_broadloom_tensor_print_hpp_to_print_arrays
// lines gcc: 12
// lines clang: 14
#include <broadloom/tensor/tensor.hpp>

#include <iostream>

namespace bl = broadloom;

void print(const bl::dtensor<double, 0>& x) {
#ifdef MISTAKE
  std::cout << x;  // blame
#else
  std::cout << x.item();
#endif
}
