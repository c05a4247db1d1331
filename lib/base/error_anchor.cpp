// From an exception's message to the row of docs/reference/errors.md that explains it.
#include <cstddef>
#include <string_view>

#include <broadloom/core/error.hpp>

namespace broadloom {

namespace {

// For each row its anchor and its messages, each ended by \0; an empty text ends the row, and another one the table.
constexpr char table[] =
#define BROADLOOM_ROW(ANCHOR, MESSAGES) "errors.md#" ANCHOR "\0" MESSAGES "\0"
#include "error_anchors.inc"
#undef BROADLOOM_ROW
    ;

// How many characters of a row's message are in `said`, or 0 unless all are there in this order; ... stands for any
// characters.
std::size_t characters_found(std::string_view message, std::string_view said) {
  constexpr std::string_view gap = "...";
  std::size_t count = 0, at = 0;
  while (!message.empty()) {
    const std::string_view piece = message.substr(0, message.find(gap));
    const std::size_t found = said.find(piece, at);
    if (found == std::string_view::npos) return 0;
    at = found + piece.size();
    count += piece.size();
    message.remove_prefix(piece.size() == message.size() ? message.size() : piece.size() + gap.size());
  }
  return count;
}

}  // namespace

const char* error_anchor(const std::exception& e) noexcept {
  const std::string_view said = e.what();
  const char* best = "errors.md";
  std::size_t most = 0;
  for (const char* anchor = table; *anchor != '\0';) {
    const char* message = anchor + std::string_view(anchor).size() + 1;
    for (; *message != '\0'; message += std::string_view(message).size() + 1)
      if (const std::size_t n = characters_found(message, said); n > most) {
        most = n;
        best = anchor;
      }
    anchor = message + 1;
  }
  return best;
}

}  // namespace broadloom
