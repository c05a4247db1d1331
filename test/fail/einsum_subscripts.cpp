// Subscripts that do not say one letter per axis, where the result is printed.
// expect: einsum
// lines gcc: 15
// lines clang: 30
#include <iostream>

#include <broadloom/broadloom.hpp>
#include <broadloom/linalg.hpp>

namespace bl = broadloom;

void use(const bl::dtensor<float, 2>& a, const bl::dtensor<float, 2>& b) {
  std::cout << bl::einsum<"ij,jk->ik">(a, b);
#ifdef MISTAKE
  std::cout << bl::einsum<"ij,j->i">(a, b);  // blame
#endif
}
