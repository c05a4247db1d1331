// c + a * b of sizes that have names.
#include "program.hpp"

int main() {
  return run_typed<bl::size<"batch">, bl::size<"time">, bl::size<"feature">>(
      [](const auto& c, const auto& a, const auto& b) { return c + a * b; });
}
