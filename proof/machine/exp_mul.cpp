// A function before the loop: the loop is that of log_mul.cpp, the program is not.
#include "program.hpp"

int main() {
  return run([](const auto& c, const auto& a, const auto& b) { return c + bl::exp(a) * b; });
}
