// One side of the theorem: the function of three operands.
#include "program.hpp"

int main() {
  return run([](const auto& c, const auto& a, const auto& b) { return bl::addcmul(c, a, b); });
}
