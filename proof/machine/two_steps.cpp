// The product computed first, into memory of its own: the same numbers by more instructions.
#include "program.hpp"

int main() {
  return run([](const auto& c, const auto& a, const auto& b) { return c + bl::eval(a * b); });
}
