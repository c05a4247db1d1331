// The list of decisions, read and counted.
#include "decisions.hpp"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <vector>

namespace reference {
namespace {

std::vector<std::string> words(const std::string& s) {
  std::istringstream in(s);
  std::vector<std::string> r;
  for (std::string w; in >> w;) r.push_back(w);
  return r;
}

}  // namespace

decisions::decisions(const char* path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error(std::string("cannot read ") + path);
  std::string text;
  std::getline(file, text);  // the columns' names
  while (std::getline(file, text)) {
    std::vector<std::string> columns;
    std::istringstream in(text);
    for (std::string column; std::getline(in, column, '\t');) columns.push_back(column);
    if (columns.size() != 5) throw std::runtime_error(std::string(path) + ": not five columns: " + text);
    lines_.push_back({columns[0], columns[1], columns[4], words(columns[2]), words(columns[3])});
  }
}

bool decisions::cover(const std::string& kind, const std::string& function, const std::vector<std::string>& types) {
  std::string name = function;
  std::replace(name.begin(), name.end(), ' ', '_');
  for (line& l : lines_) {
    if (l.kind != kind) continue;
    const bool all = l.functions == std::vector<std::string>{"all"};
    if (!all && std::find(l.functions.begin(), l.functions.end(), name) == l.functions.end()) continue;
    const bool any = l.types == std::vector<std::string>{"any"};
    if (!any && std::none_of(types.begin(), types.end(), [&](const std::string& t) {
          return std::find(l.types.begin(), l.types.end(), t) != l.types.end();
        }))
      continue;
    ++l.count;
    return true;
  }
  return false;
}

void decisions::print() const {
  std::printf("differences from PyTorch by decision:\n");
  for (const line& l : lines_) std::printf("  %7lld  %s: %s\n", l.count, l.name.c_str(), l.text.c_str());
}

std::vector<std::string> decisions::unused() const {
  std::vector<std::string> r;
  for (const line& l : lines_)
    if (l.count == 0) r.push_back(l.name);
  return r;
}

}  // namespace reference
