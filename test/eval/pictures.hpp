// What tests of pictures look for in SVG, and the pictures of the documentation.
#pragma once

#include <boost/test/unit_test.hpp>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

inline int count(const std::string& text, const std::string& part) {
  int n = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

// The texts of the class, in their order.
inline std::vector<std::string> texts(const std::string& svg, const std::string& kind) {
  std::vector<std::string> found;
  for (auto at = svg.find("class=\"" + kind); at != std::string::npos; at = svg.find("class=\"" + kind, at + 1)) {
    const auto from = svg.find('>', at) + 1;
    found.push_back(svg.substr(from, svg.find('<', from) - from));
  }
  return found;
}

// Whether every element is closed, by its end or by itself.
inline bool is_whole(const std::string& svg) {
  std::vector<std::string> open;
  for (auto at = svg.find('<'); at != std::string::npos; at = svg.find('<', at + 1)) {
    const auto end = svg.find('>', at);
    const std::string tag = svg.substr(at + 1, end - at - 1);
    if (tag[0] == '/') {
      if (open.empty() || open.back() != tag.substr(1)) return false;
      open.pop_back();
    } else if (tag.back() != '/') {
      open.push_back(tag.substr(0, tag.find(' ')));
    }
  }
  return open.empty();
}

// The picture of the documentation; BROADLOOM_PICTURES=1 writes it anew.
inline void check_picture(const std::string& name, const std::string& svg) {
  const std::string path = "docs/pictures/" + name + ".svg";
  if (std::getenv("BROADLOOM_PICTURES") != nullptr) std::ofstream(path) << svg;
  std::ostringstream kept;
  kept << std::ifstream(path).rdbuf();
  BOOST_TEST(kept.str() == svg);
}
