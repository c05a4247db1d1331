// The picture of an expression: lines of a tree, and boxes for its axes, as SVG.
#include <broadloom/eval/draw.hpp>

#include <cstdio>

namespace broadloom::detail {

namespace {

constexpr int line_height = 30, indent = 22, box_width = 54, box_height = 22, margin = 14, letter = 8;

std::string escaped(const std::string& text) {
  std::string s;
  for (const char c : text) {
    if (c == '<')
      s += "&lt;";
    else if (c == '>')
      s += "&gt;";
    else if (c == '&')
      s += "&amp;";
    else if (c == '"')
      s += "&quot;";
    else
      s += c;
  }
  return s;
}

std::string number_text(double x) {
  char text[32];
  static_cast<void>(std::snprintf(text, sizeof text, "%.6g", x));
  return text;
}

std::string text_at(int x, int y, const char* how, const std::string& said) {
  return "<text x=\"" + std::to_string(x) + "\" y=\"" + std::to_string(y) + "\" class=\"" + how + "\">" +
         escaped(said) + "</text>\n";
}

std::string box(int x, int y, bool hatched, const std::string& said) {
  const std::string place = "x=\"" + std::to_string(x) + "\" y=\"" + std::to_string(y) + "\" width=\"" +
                            std::to_string(box_width - 6) + "\" height=\"" + std::to_string(box_height) + "\" rx=\"3\"";
  return "<rect " + place + " class=\"" + (hatched ? "repeated" : "axis") + "\"/>\n" +
         text_at(x + (box_width - 6) / 2, y + box_height - 6, hatched ? "extent faint" : "extent", said);
}

// Colours follow the page's scheme; the picture has its own ground, so that it is readable on any.
constexpr const char* head =
    "<style>\n"
    ".ground{fill:#ffffff;stroke:#d0d5dd}.name,.type,.extent{font:13px ui-monospace,Consolas,monospace;fill:#1f2937}\n"
    ".type,.faint{fill:#5b6472}.extent{text-anchor:middle}.branch{fill:none;stroke:#98a2b3}\n"
    ".axis{fill:#dbeafe;stroke:#2563eb}.repeated{fill:url(#bl-repeated);stroke:#98a2b3;stroke-dasharray:3 2}\n"
    ".stroke{stroke:#98a2b3}\n"
    "@media (prefers-color-scheme:dark){.ground{fill:#17191e;stroke:#3b4250}.name,.extent{fill:#e5e7eb}\n"
    ".type,.faint{fill:#a4acb9}.axis{fill:#1e3a6e;stroke:#7aa2f7}.branch{stroke:#6b7280}}\n"
    "</style>\n"
    "<defs><pattern id=\"bl-repeated\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" "
    "patternTransform=\"rotate(45)\"><line class=\"stroke\" x1=\"0\" y1=\"0\" x2=\"0\" y2=\"6\" stroke-width=\"1.5\" "
    "opacity=\"0.5\"/></pattern></defs>\n";

}  // namespace

int tree_picture::add(const std::string& name) {
  node n;
  n.name = name;
  n.depth = depth_;
  n.parent = parent_;
  nodes_.push_back(n);
  return static_cast<int>(nodes_.size()) - 1;
}

void tree_picture::set_shape(int at, dtype type, const index* extents, index rank) {
  node& n = nodes_[static_cast<std::size_t>(at)];
  n.has_shape = true;
  n.type = to_string(type);
  for (index i = 0; i < rank; ++i) n.extents.push_back(extents[i]);
}

void tree_picture::number(double x) { nodes_[static_cast<std::size_t>(add(number_text(x)))].has_shape = true; }
void tree_picture::callable() { add("function"); }

void tree_picture::array(dtype type, const index* extents, index rank) { set_shape(add("array"), type, extents, rank); }

void tree_picture::array(dtype type, const void* address, const index* extents, const index* strides, index rank) {
  const int at = add("array");
  set_shape(at, type, extents, rank);
  nodes_[static_cast<std::size_t>(at)].address = address;
  for (index i = 0; i < rank && i < 32; ++i)
    if (strides[i] == 0 && extents[i] > 1) nodes_[static_cast<std::size_t>(at)].repeated |= 1U << i;
}

void tree_picture::result(const char* name, dtype type, const index* extents, index rank) {
  set_shape(add(name), type, extents, rank);
}

void tree_picture::expect(dtype type, const index* extents, index rank) {
  expected_ = true;
  expected_type_ = type;
  expected_extents_ = list<index>();
  for (index i = 0; i < rank; ++i) expected_extents_.push_back(extents[i]);
}

void tree_picture::open(const char* name) {
  const int at = add(name);
  if (expected_) {
    expected_ = false;
    const list<index> extents = expected_extents_;
    set_shape(at, expected_type_, extents.data(), static_cast<index>(extents.size()));
  }
  parent_ = at;
  ++depth_;
}

void tree_picture::open_pointwise(const char* name, dtype type, const index* extents, index rank) {
  expect(type, extents, rank);
  open(name);
  nodes_[static_cast<std::size_t>(parent_)].is_pointwise = true;
}

void tree_picture::close() {
  fold_repeated(parent_);
  parent_ = nodes_[static_cast<std::size_t>(parent_)].parent;
  --depth_;
}

void tree_picture::fold_repeated(int at) {
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

bool tree_picture::open_shared(const char* name, const void* tree) {
  std::size_t known = 0;
  while (known < nodes_.size() && nodes_[known].shared != tree) ++known;
  if (known < nodes_.size()) {
    open(name);
    nodes_[static_cast<std::size_t>(parent_)].mentions = static_cast<int>(known);
    nodes_[static_cast<std::size_t>(parent_)].signature = nodes_[known].signature;
    parent_ = nodes_[static_cast<std::size_t>(parent_)].parent;
    --depth_;
    return false;
  }
  open(name);
  nodes_[static_cast<std::size_t>(parent_)].shared = tree;
  return true;
}

// Of what is mentioned again the name gets a number.
void tree_picture::number_mentions() {
  int numbers = 0;
  for (std::size_t k = 0; k < nodes_.size(); ++k) {
    bool mentioned = false;
    for (const node& n : nodes_) mentioned = mentioned || n.mentions == static_cast<int>(k);
    if (mentioned) nodes_[k].name += " " + std::to_string(++numbers);
    if (nodes_[k].mentions >= 0) nodes_[k].name = nodes_[static_cast<std::size_t>(nodes_[k].mentions)].name;
  }
}

std::string tree_picture::svg() {
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
      body += box(boxes_at + (axes - a) * box_width, y + (line_height - box_height) / 2, repeated,
                  own >= 0 ? std::to_string(own) : std::string());
    }
    y += line_height;
  }
  if (any_repeated) {
    body += box(margin, y + 8, true, "") +
            text_at(margin + box_width, y + 8 + box_height - 6, "type", "repeated: nothing is copied");
    y += line_height + 6;
  }
  const int legend = any_repeated ? margin + box_width + 27 * letter : 0;
  const int own_width = boxes_at + axes * box_width + margin - 6,
            width = own_width > legend + margin ? own_width : legend + margin;
  const std::string size = std::to_string(width) + "\" height=\"" + std::to_string(y + margin);
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + size + "\" viewBox=\"0 0 " + std::to_string(width) +
         " " + std::to_string(y + margin) +
         "\" role=\"img\">\n<title>An expression: " + (nodes_.size() > 0 ? escaped(nodes_[0].name) : std::string()) +
         "</title>\n" + head + "<rect class=\"ground\" x=\"0.5\" y=\"0.5\" width=\"" + std::to_string(width - 1) +
         "\" height=\"" + std::to_string(y + margin - 1) + "\" rx=\"6\"/>\n" + body + "</svg>\n";
}

}  // namespace broadloom::detail
