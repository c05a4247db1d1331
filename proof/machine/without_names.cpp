// c + a * b of sizes that only the run knows.
#include "program.hpp"

int main() {
  return run_typed<bl::dyn, bl::dyn, bl::dyn>([](const auto& c, const auto& a, const auto& b) { return c + a * b; });
}
