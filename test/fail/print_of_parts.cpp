// A result of several parts is printed part by part.
// expect: this_result_has_parts_write_one_of_them_r_values
// lines gcc: 12
// lines clang: 12
#include <broadloom/broadloom.hpp>
#include <iostream>

namespace bl = broadloom;

void use(const bl::dtensor<int, 1>& x) {
#ifdef MISTAKE
  std::cout << bl::unique(x) << '\n';  // blame
#else
  std::cout << bl::unique(x).values << '\n';
#endif
}
