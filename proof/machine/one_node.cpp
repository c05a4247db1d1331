// The theorem with a function that is one node of three operands, not composed of a sum and a product.
#include <one_node.hpp>

#include "program.hpp"

int main() {
  return run([](const auto& c, const auto& a, const auto& b) { return one_node::addcmul(c, a, b); });
}
