// The bits of every function, as committed in test/data/bits.tsv: the same on every processor.
#pragma once

#include <cstdlib>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "law/laws.hpp"
#include "support/fused.hpp"
#include "support/table.hpp"

namespace law {

// Hashes of results by the function's name, for one element type.
inline std::map<std::string, std::string> committed_bits(bl::dtype type) {
  std::map<std::string, std::string> r;
  for (const table::entry& e : table::read("bits.tsv", 3))
    if (e.fields[0] == bl::to_string(type)) r[e.fields[1]] = e.fields[2];
  return r;
}

// What is not as committed. Transcendental functions may differ in the last bit where the level has no FMA. When the
// environment names a file in BROADLOOM_BITS, the lines of the table are appended to it instead.
template <class T>
std::string differing_bits(const std::vector<function>& functions) {
  const char* const file = std::getenv("BROADLOOM_BITS");
  const auto committed = file == nullptr ? committed_bits(bl::dtype_of<T>) : std::map<std::string, std::string>{};
  std::string wrong;
  for (const bl::isa level : levels()) {
    bl::set_isa(level);
    for (const function& f : functions) {
      if (f.is_strip && !has_fma(level)) continue;
      const std::vector<int> layouts(static_cast<std::size_t>(f.arity + 1), contiguous);
      experiment<T> x(f, {2000}, layouts, std::vector<index>(layouts.size()), 4711);
      x.compute_expected();
      const std::string different = x.run(1);
      const std::string hash = std::to_string(x.expected_hash());
      if (file != nullptr && level == rt::highest_isa())
        std::ofstream(file, std::ios::app) << bl::to_string(f.in) << '\t' << f.name << '\t' << hash << '\n';
      const auto found = committed.find(f.name);
      if (file == nullptr && (found == committed.end() || found->second != hash))
        wrong += std::string(" ") + f.name + " at level " + bl::to_string(level);
      if (!different.empty()) wrong += " " + different;
    }
  }
  return wrong;
}

}  // namespace law
