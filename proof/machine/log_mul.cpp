// Another function before the same loop.
#include "program.hpp"

int main() {
  return run([](const auto& c, const auto& a, const auto& b) { return c + bl::log(a) * b; });
}
