// The theorem for division, as one function.
#include "program.hpp"

int main() {
  return run([](const auto& c, const auto& a, const auto& b) { return bl::addcdiv(c, a, b); });
}
