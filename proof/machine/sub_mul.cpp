// The counter-example: another function of the same operands, which must not compile to the same loop.
#include "program.hpp"

int main() {
  return run([](const auto& c, const auto& a, const auto& b) { return c - a * b; });
}
