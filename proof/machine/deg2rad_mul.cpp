// A constant in the loop, which is that of rad2deg_mul.cpp but for the constant.
#include "program.hpp"

int main() {
  return run([](const auto& c, const auto& a, const auto& b) { return c + bl::deg2rad(a) * b; });
}
