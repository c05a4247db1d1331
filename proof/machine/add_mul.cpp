// The other side: a sum and a product.
#include "program.hpp"

int main() {
  return run([](const auto& c, const auto& a, const auto& b) { return c + a * b; });
}
