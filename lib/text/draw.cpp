// The picture of an expression: lines of a tree, and boxes for its axes, as SVG.
#include <broadloom/eval/draw.hpp>

#include <cstdio>
#include <string>

#include <broadloom/core/list.hpp>

#include "svg.hpp"

namespace broadloom::detail {

namespace {

constexpr int line_height = 30, indent = 22, box_width = 54, box_height = 22, margin = 14;
using svg::letter, svg::text_at;

std::string number_text(double x) {
  char text[32];
  static_cast<void>(std::snprintf(text, sizeof text, "%.6g", x));
  return text;
}

std::string axis(int x, int y, bool hatched, const std::string& said) {
  return svg::box(x, y, box_width - 6, box_height, hatched ? "repeated" : "axis") +
         svg::text_at(x + (box_width - 6) / 2, y + box_height - 6, hatched ? "extent faint" : "extent", said);
}

// A line of a picture.
struct drawn_node {
  std::string name, type;
  int depth = 0, parent = -1, mentions = -1;  // mentions: the node that this one repeats
  bool has_shape = false, is_pointwise = false;
  list<index> extents;
  const void* address = nullptr;  // of an array's elements
  const void* shared = nullptr;   // the tree that copies of a `let` share
  std::string signature;          // of all below: equal ones are the same as far as a picture tells
  unsigned repeated = 0;          // a bit for each axis from the first: its stride is 0
};

// Collects the lines of a picture: a node each, below its parent.
class picture final : public tree_visitor {
 public:
  void number(double x) override;
  void callable() override;
  void array(dtype type, const void* address, const index* extents, const index* strides, index rank) override;
  void result(const char* name, dtype type, const index* extents, index rank) override;
  void open(const char* name, bool pointwise, dtype type, const index* extents, index rank) override;
  void close() override;
  bool open_shared(const char* name, const void* tree, dtype type, const index* extents, index rank) override;

  std::string svg();

 private:
  using node = drawn_node;
  int add(const std::string& name);
  void fold_repeated(int at);  // a `let` that is drawn already
  void number_mentions();
  void set_shape(int at, dtype type, const index* extents, index rank);

  list<node> nodes_;
  int parent_ = -1, depth_ = 0;
};

int picture::add(const std::string& name) {
  node n;
  n.name = name;
  n.depth = depth_;
  n.parent = parent_;
  nodes_.push_back(n);
  return static_cast<int>(nodes_.size()) - 1;
}

void picture::set_shape(int at, dtype type, const index* extents, index rank) {
  node& n = nodes_[static_cast<std::size_t>(at)];
  n.has_shape = true;
  n.type = to_string(type);
  for (index i = 0; i < rank; ++i) n.extents.push_back(extents[i]);
}

void picture::number(double x) { nodes_[static_cast<std::size_t>(add(number_text(x)))].has_shape = true; }
void picture::callable() { add("function"); }

void picture::array(dtype type, const void* address, const index* extents, const index* strides, index rank) {
  const int at = add("array");
  set_shape(at, type, extents, rank);
  nodes_[static_cast<std::size_t>(at)].address = address;
  for (index i = 0; i < rank && i < 32; ++i)
    if (strides[i] == 0 && extents[i] > 1) nodes_[static_cast<std::size_t>(at)].repeated |= 1U << i;
}

void picture::result(const char* name, dtype type, const index* extents, index rank) {
  set_shape(add(name), type, extents, rank);
}

void picture::open(const char* name, bool pointwise, dtype type, const index* extents, index rank) {
  const int at = add(name);
  set_shape(at, type, extents, rank);
  nodes_[static_cast<std::size_t>(at)].is_pointwise = pointwise;
  parent_ = at;
  ++depth_;
}

void picture::close() {
  fold_repeated(parent_);
  parent_ = nodes_[static_cast<std::size_t>(parent_)].parent;
  --depth_;
}

void picture::fold_repeated(int at) {
  const auto here = static_cast<std::size_t>(at);
  std::string signature;
  for (std::size_t k = here; k < nodes_.size(); ++k) {
    node& n = nodes_[k];
    if (k > here && n.parent != at) continue;
    if (n.signature.empty()) {  // an array, a number, or the node itself
      char address[32];
      static_cast<void>(std::snprintf(address, sizeof address, "%p", n.address));
      n.signature = n.name + " " + n.type + address + " " + std::to_string(n.repeated);
      for (const index e : n.extents) n.signature += " " + std::to_string(e);
    }
    signature += n.signature + ";";
  }
  nodes_[here].signature = "(" + signature + ")";
  if (nodes_[here].name != "let") return;
  for (std::size_t before = 0; before < here; ++before) {
    node& first = nodes_[before];
    if (first.mentions >= 0 || first.signature != nodes_[here].signature) continue;
    nodes_[here].mentions = static_cast<int>(before);
    list<node> kept;
    for (std::size_t k = 0; k <= here; ++k) kept.push_back(nodes_[k]);
    nodes_ = kept;
    return;
  }
}

bool picture::open_shared(const char* name, const void* tree, dtype type, const index* extents, index rank) {
  std::size_t known = 0;
  while (known < nodes_.size() && nodes_[known].shared != tree) ++known;
  if (known < nodes_.size()) {
    open(name, false, type, extents, rank);
    nodes_[static_cast<std::size_t>(parent_)].mentions = static_cast<int>(known);
    nodes_[static_cast<std::size_t>(parent_)].signature = nodes_[known].signature;
    parent_ = nodes_[static_cast<std::size_t>(parent_)].parent;
    --depth_;
    return false;
  }
  open(name, false, type, extents, rank);
  nodes_[static_cast<std::size_t>(parent_)].shared = tree;
  return true;
}

// Of what is mentioned again the name gets a number.
void picture::number_mentions() {
  int numbers = 0;
  for (std::size_t k = 0; k < nodes_.size(); ++k) {
    bool mentioned = false;
    for (const node& n : nodes_) mentioned = mentioned || n.mentions == static_cast<int>(k);
    if (mentioned) nodes_[k].name += " " + std::to_string(++numbers);
    if (nodes_[k].mentions >= 0) nodes_[k].name = nodes_[static_cast<std::size_t>(nodes_[k].mentions)].name;
  }
}

std::string picture::svg() {
  number_mentions();
  int names = 0, types = 0, axes = 0;
  bool any_repeated = false;
  for (const node& n : nodes_) {
    const int width = n.depth * indent + static_cast<int>(n.name.size()) * letter;
    names = width > names ? width : names;
    const int type_width = static_cast<int>(n.type.size()) * letter;
    types = type_width > types ? type_width : types;
    axes = static_cast<int>(n.extents.size()) > axes ? static_cast<int>(n.extents.size()) : axes;
  }
  const int types_at = margin + names + 20, boxes_at = types_at + types + 16;
  std::string body;
  list<int> lines;  // where a node is
  int y = margin;
  for (std::size_t k = 0; k < nodes_.size(); ++k) {
    const node& n = nodes_[k];
    lines.push_back(y);
    const int base = y + line_height / 2 + 4, x = margin + n.depth * indent;
    if (n.parent >= 0) {
      const int from = lines[static_cast<std::size_t>(n.parent)] + line_height - 5, at = x - indent + 7;
      body += "<path class=\"branch\" d=\"M" + std::to_string(at) + " " + std::to_string(from) + "V" +
              std::to_string(base - 4) + "H" + std::to_string(x - 4) + "\"/>\n";
    }
    body += text_at(x, base, n.mentions >= 0 ? "name faint" : "name", n.name) + text_at(types_at, base, "type", n.type);
    const node* const above = n.parent >= 0 ? &nodes_[static_cast<std::size_t>(n.parent)] : nullptr;
    const bool fits = above != nullptr && above->is_pointwise && n.has_shape;
    const int rank = static_cast<int>(n.extents.size()), common = fits ? static_cast<int>(above->extents.size()) : rank;
    for (int a = 1; a <= common; ++a) {  // from the last axis
      const index wanted = fits ? above->extents[static_cast<std::size_t>(common - a)] : 0;
      const index own = a <= rank ? n.extents[static_cast<std::size_t>(rank - a)] : -1;
      const bool zero_stride = a <= rank && rank - a < 32 && (n.repeated >> (rank - a) & 1U) != 0;
      const bool repeated = zero_stride || (fits && own != wanted);
      any_repeated = any_repeated || repeated;
      body += axis(boxes_at + (axes - a) * box_width, y + (line_height - box_height) / 2, repeated,
                   own >= 0 ? std::to_string(own) : std::string());
    }
    y += line_height;
  }
  if (any_repeated) {
    body += axis(margin, y + 8, true, "") +
            text_at(margin + box_width, y + 8 + box_height - 6, "type", "repeated: nothing is copied");
    y += line_height + 6;
  }
  const int legend = any_repeated ? margin + box_width + 27 * letter : 0;
  const int own_width = boxes_at + axes * box_width + margin - 6,
            width = own_width > legend + margin ? own_width : legend + margin;
  return svg::picture("An expression: " + (nodes_.size() > 0 ? nodes_[0].name : std::string()), width, y + margin,
                      body);
}

}  // namespace

std::string tree_picture(const void* tree, show_tree* show) {
  picture to;
  show(tree, to);
  return to.svg();
}

}  // namespace broadloom::detail
