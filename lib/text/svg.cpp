// Text, boxes and colours of the pictures of draw and draw_plan.
#include "svg.hpp"

namespace broadloom::svg {

namespace {

constexpr const char* head =
    "<style>\n"
    ".ground{fill:#ffffff;stroke:#d0d5dd}.name,.type,.extent{font:13px ui-monospace,Consolas,monospace;fill:#1f2937}\n"
    ".type,.faint{fill:#5b6472}.extent{text-anchor:middle}.branch{fill:none;stroke:#98a2b3}\n"
    ".axis{fill:#dbeafe;stroke:#2563eb}.repeated{fill:url(#bl-repeated);stroke:#98a2b3;stroke-dasharray:3 2}\n"
    ".loop{fill:#2563eb;fill-opacity:0.06;stroke:#2563eb}.stroke{stroke:#98a2b3}\n"
    "@media (prefers-color-scheme:dark){.ground{fill:#17191e;stroke:#3b4250}.name,.extent{fill:#e5e7eb}\n"
    ".type,.faint{fill:#a4acb9}.axis{fill:#1e3a6e;stroke:#7aa2f7}.branch{stroke:#6b7280}\n"
    ".loop{fill:#7aa2f7;stroke:#7aa2f7}}\n"
    "</style>\n"
    "<defs><pattern id=\"bl-repeated\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" "
    "patternTransform=\"rotate(45)\"><line class=\"stroke\" x1=\"0\" y1=\"0\" x2=\"0\" y2=\"6\" stroke-width=\"1.5\" "
    "opacity=\"0.5\"/></pattern></defs>\n";

}  // namespace

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

std::string text_at(int x, int y, const char* how, const std::string& said) {
  return "<text x=\"" + std::to_string(x) + "\" y=\"" + std::to_string(y) + "\" class=\"" + how + "\">" +
         escaped(said) + "</text>\n";
}

std::string box(int x, int y, int width, int height, const char* how) {
  return "<rect x=\"" + std::to_string(x) + "\" y=\"" + std::to_string(y) + "\" width=\"" + std::to_string(width) +
         "\" height=\"" + std::to_string(height) + "\" rx=\"3\" class=\"" + how + "\"/>\n";
}

std::string picture(const std::string& title, int width, int height, const std::string& body) {
  const std::string w = std::to_string(width), h = std::to_string(height);
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + w + "\" height=\"" + h + "\" viewBox=\"0 0 " + w + " " +
         h + "\" role=\"img\">\n<title>" + escaped(title) + "</title>\n" + head +
         "<rect class=\"ground\" x=\"0.5\" y=\"0.5\" width=\"" + std::to_string(width - 1) + "\" height=\"" +
         std::to_string(height - 1) + "\" rx=\"6\"/>\n" + body + "</svg>\n";
}

}  // namespace broadloom::svg
