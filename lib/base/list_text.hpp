// Extents, axes or indices in a message: [2, 3].
#pragma once

#include <string>

#include <broadloom/shape/broadcast.hpp>

namespace broadloom::detail {

inline std::string list(const index* x, index count, char open = '[', char close = ']') {
  std::string s(1, open);
  for (index i = 0; i < count; ++i) s += (i > 0 ? ", " : "") + std::to_string(x[i]);
  return s + close;
}
inline std::string list(const shape_view& x) { return list(x.extents, x.rank); }

}  // namespace broadloom::detail
