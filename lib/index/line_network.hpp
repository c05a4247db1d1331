// Short lines sorted eight at a time by a network of comparisons, which takes no branch.
#pragma once

#include <cstdint>

#include <broadloom/core/index.hpp>

#include "../base/level.hpp"

namespace broadloom::runtime {

constexpr index network_lines = 8;
constexpr index network_row = 512;      // elements: passes of a radix sort are as fast for longer rows,
constexpr index network_column = 1024;  // and for longer columns, whose elements lie apart

// Eight lines of n elements of 4 bytes. The elements of line l begin at from[l]; `step` elements lie between
// neighbours.
struct eight_lines {
  const void* from[network_lines];
  index n, step;
  bool floating, descending;
};
// Where the results go: of line l from to[l] on, for `count` places from `first` on, `step` apart.
struct eight_results {
  index first, count, step;
  void* values[network_lines];    // null, if they are not wanted
  index* indices[network_lines];  // the same
};

// `pack` makes keys with indices below, as sort_keys.hpp, key i of line l at keys[8 i + l]; `sort` puts them into
// ascending order; `unpack` writes elements and indices in that order. Null where the level cannot compare 64 bits.
struct line_network {
  void (*pack)(const eight_lines& x, std::uint64_t* keys);
  void (*sort)(std::uint64_t* keys, index n);
  void (*unpack)(const eight_lines& x, const std::uint64_t* keys, const eight_results& to);
};

BROADLOOM_LEVELS(all, line_network, line_networks)

}  // namespace broadloom::runtime
