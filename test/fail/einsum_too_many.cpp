// Subscripts with more letters than einsum can contract.
// expect: einsum_takes_8_arrays_and_24
// lines gcc: 15
// lines clang: 30
#include <iostream>

#include <broadloom/broadloom.hpp>
#include <broadloom/linalg.hpp>

namespace bl = broadloom;

void use(const bl::dtensor<float, 13>& a) {
  std::cout << bl::einsum<"abcdefghijklm,mnopqrstuvwxa->">(a, a);
#ifdef MISTAKE
  std::cout << bl::einsum<"abcdefghijklm,mnopqrstuvwxy->">(a, a);  // blame
#endif
}
