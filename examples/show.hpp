// Prints an expression's operands below each other as broadcasting aligns them, and measures two ways to do one thing.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include <boost/hana/unpack.hpp>
#include <broadloom/broadloom.hpp>

namespace example {

namespace bl = broadloom;

using lines = std::vector<std::string>;

// Arrays by the memory they lie in, so that an operand of a tree can be called by its name.
class array_names {
 public:
  template <class A>
  void add(const char* name, const A& a) {
    const auto* data = reinterpret_cast<const char*>(a.data());
    known_.push_back({name, data, data + static_cast<std::size_t>(a.size()) * sizeof(*a.data())});
  }
  std::string of(const void* data) const {
    for (const entry& e : known_)
      if (data >= e.first && data < e.last) return e.name;
    return "(unnamed)";
  }

 private:
  struct entry {
    const char* name;
    const void* first;
    const void* last;
  };
  std::vector<entry> known_;
};

struct operand_line {
  std::string name;
  std::vector<bl::index> extents;
  std::string type;
  bool operator==(const operand_line&) const = default;
};

// "shape<dyn, dyn, 3>": what the compiler knows of a shape.
template <class Shape>
std::string type_text() {
  std::string text = "shape<";
  for (const bl::index n : Shape::static_extents)
    text += (text.back() == '<' ? "" : ", ") + (n == bl::dyn ? std::string("dyn") : std::to_string(n));
  return text + ">";
}

template <class Node>
operand_line describe(const std::string& name, const Node& e) {
  const auto extents = e.shape().extents();
  return {name, {extents.begin(), extents.end()}, type_text<typename Node::shape_type>()};
}

// The arrays of a tree from left to right, each once in each of its shapes.
template <class E>
void list_operands(const E& e, const array_names& names, std::vector<operand_line>& out) {
  if constexpr (requires { e.args(); }) {
    boost::hana::unpack(e.args(), [&](const auto&... a) { (list_operands(a, names, out), ...); });
  } else if constexpr (requires { e.data(); }) {
    operand_line line = describe(names.of(e.data()), e);
    if (std::find(out.begin(), out.end(), line) == out.end()) out.push_back(std::move(line));
  }
}

// Operands and result, the axes aligned at the last one.
template <class E>
void print_shapes(const E& e, const array_names& names) {
  std::vector<operand_line> rows;
  list_operands(e, names, rows);
  rows.push_back(describe("result", e));
  std::size_t name_width = 0, rank = 0;
  for (const operand_line& row : rows) {
    name_width = std::max(name_width, row.name.size());
    rank = std::max(rank, row.extents.size());
  }
  constexpr int column = 6;
  for (const operand_line& row : rows) {
    if (&row == &rows.back()) std::printf("    %s\n", std::string(name_width + rank * column, '-').c_str());
    std::printf("    %-*s%*s", int(name_width), row.name.c_str(), int((rank - row.extents.size()) * column), "");
    for (const bl::index n : row.extents) std::printf("%*td", column, n);
    std::printf("    %s\n", row.type.c_str());
  }
}

// A long line, broken at spaces. Beyond `most` lines the rest is left out.
inline void print_wrapped(std::string_view line, std::string_view indent, std::size_t most = 20) {
  constexpr std::size_t columns = 116;
  for (std::size_t n = 0;; ++n) {
    const std::size_t width = columns - indent.size() - (n > 0 ? 4 : 0);
    const bool last = line.size() <= width;
    std::size_t cut = last ? line.size() : line.rfind(' ', width);
    if (cut == line.npos || (cut == 0 && !last)) cut = width;
    const char* const more = !last && n + 1 == most ? " ..." : "";
    std::printf("%.*s%s%.*s%s\n", int(indent.size()), indent.data(), n > 0 ? "    " : "", int(cut), line.data(), more);
    if (last || n + 1 == most) return;
    line.remove_prefix(std::min(line.find_first_not_of(' ', cut), line.size()));
  }
}

// A line of source.
inline void print_source(std::string_view line) {
  constexpr std::string_view declaration = "const auto ";
  if (line.starts_with(declaration)) line.remove_prefix(declaration.size());
  print_wrapped(line, "    ");
}

// A plan, without the middle of what would fill a screen.
inline void print_plan(std::string_view text) {
  constexpr int operands_shown = 12;
  int operands = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.starts_with("operand #")) {
      if (++operands > operands_shown) continue;
    } else if (operands > operands_shown) {
      std::printf("    ... and %d more operands\n", operands - operands_shown);
      operands = 0;
    }
    print_wrapped(line, "    ", 4);
  }
}

struct medians {
  double first = 0;   // milliseconds
  double second = 0;  // milliseconds
  int rounds = 0;
};

// Runs the two in turn, after one round of each that is not counted.
template <class F, class G>
medians measure_in_turn(F&& first, G&& second) {
  using clock = std::chrono::steady_clock;
  const auto milliseconds = [](auto& f) {
    const auto start = clock::now();
    f();
    return std::chrono::duration<double, std::milli>(clock::now() - start).count();
  };
  std::vector<double> a, b;
  first();
  second();
  const auto start = clock::now();
  while (a.size() < 3 || (a.size() < 41 && clock::now() - start < std::chrono::milliseconds(400))) {
    a.push_back(milliseconds(first));
    b.push_back(milliseconds(second));
  }
  const auto median = [](std::vector<double>& v) {
    std::nth_element(v.begin(), v.begin() + std::ptrdiff_t(v.size() / 2), v.end());
    return v[v.size() / 2];
  };
  return {median(a), median(b), int(a.size())};
}

}  // namespace example
