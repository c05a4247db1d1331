// What PyTorch gives for one node of a random tree, of the same operands. Its headers are included in torch_nodes.cpp
// alone.
#pragma once

#include <string>
#include <vector>

#include "fuzz/interpreter.hpp"

namespace reference {

// False for an element type that PyTorch 1.13 has not.
bool torch_has(broadloom::dtype type);

// How a node fared: no namesake in PyTorch, an element type it has not, or a result.
enum class namesake { none, no_type, found };

// Gives `to` what PyTorch's function of the node's name makes of the operands. Throws std::runtime_error with PyTorch's
// sentence where it refuses them.
namesake torch_node(const fuzz::operation& node, const std::vector<broadloom::index>& numbers,
                    const std::vector<fuzz::dense>& operands, fuzz::dense& to);

}  // namespace reference
