// Extents, axes or indices in a message: [2, 3].
#pragma once

#include <cstdio>
#include <string>

#include <broadloom/shape/broadcast.hpp>

namespace broadloom::detail {

inline std::string list(const index* x, index count, char open = '[', char close = ']') {
  std::string s(1, open);
  for (index i = 0; i < count; ++i) s += (i > 0 ? ", " : "") + std::to_string(x[i]);
  return s + close;
}
inline std::string list(const shape_view& x) { return list(x.extents, x.rank); }

// The line of a call with the shapes of its operands.
inline std::string call_text(const char* call, const shape_view* shapes, int count) {
  std::string s = std::string("\n  ") + call + "(";
  for (int i = 0; i < count; ++i) s += (i > 0 ? ", " : "") + list(shapes[i]);
  return s + ")";
}

// A number, so that it is read back exactly.
inline std::string digits_of(double x) {
  char text[32];
  static_cast<void>(std::snprintf(text, sizeof text, "%.17g", x));
  return text;
}

}  // namespace broadloom::detail
