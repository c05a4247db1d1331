// The same loop with another constant.
#include "program.hpp"

int main() {
  return run([](const auto& c, const auto& a, const auto& b) { return c + bl::rad2deg(a) * b; });
}
