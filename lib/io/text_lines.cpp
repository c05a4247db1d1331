// Finds lines in a buffer that is refilled, and grows if a line does not fit.
#include "text_lines.hpp"

#include <cstring>

namespace broadloom::runtime {

// Whether more bytes were read.
bool text_lines::fill() {
  if (at_end_) return false;
  if (begin_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
  }
  // A large file is read in large chunks; a small one needs no large buffer.
  constexpr std::size_t usual = std::size_t{1} << 18;
  if (end_ == buffer_.size() || (number_ > 0 && buffer_.size() < usual)) buffer_.resize(4 * buffer_.size());
  const std::size_t got = from_.read_next(buffer_.data() + end_, buffer_.size() - end_);
  end_ += got;
  at_end_ = got == 0;
  return !at_end_;
}

bool text_lines::next(std::string_view& line) {
  std::size_t searched = 0;
  const void* found = nullptr;
  for (;;) {
    found = std::memchr(buffer_.data() + begin_ + searched, '\n', end_ - begin_ - searched);
    if (found != nullptr) break;
    searched = end_ - begin_;
    if (!fill()) break;
  }
  if (found == nullptr && begin_ == end_) return false;
  const char* const first = buffer_.data() + begin_;
  const std::size_t n =
      found != nullptr ? static_cast<std::size_t>(static_cast<const char*>(found) - first) : end_ - begin_;
  begin_ += found != nullptr ? n + 1 : n;
  line = std::string_view(first, n);
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (++number_ == 1 && line.starts_with("\xef\xbb\xbf")) line.remove_prefix(3);
  return true;
}

}  // namespace broadloom::runtime
