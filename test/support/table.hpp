// Tables of test/data: a line of names, then lines of fields with tabs between them.
#pragma once

#include <cstddef>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace table {

inline std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, at);) parts.push_back(part);
  return parts;
}

struct entry {
  int line = 0;
  std::vector<std::string> fields;
};

// The lines below the first, each with this many fields. Throws std::runtime_error where that is not so.
inline std::vector<entry> read(const std::string& name, std::size_t field_count) {
#ifdef BROADLOOM_TEST_DATA
  const std::string path = std::string(BROADLOOM_TEST_DATA) + "/" + name;
#else
  const std::string path = "test/data/" + name;
#endif
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot read " + path);
  std::vector<entry> entries;
  std::string text;
  for (int line = 1; std::getline(file, text); ++line) {
    if (line == 1) continue;
    entries.push_back({line, split(text, '\t')});
    if (entries.back().fields.size() != field_count)
      throw std::runtime_error(path + ": line " + std::to_string(line) + " has not " + std::to_string(field_count) +
                               " fields");
  }
  return entries;
}

}  // namespace table
