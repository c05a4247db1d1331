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
  const std::size_t got = from_->read_next(buffer_.data() + end_, buffer_.size() - end_);
  end_ += got;
  at_end_ = got == 0;
  return !at_end_;
}

std::string_view text_lines::take(std::size_t length, std::size_t with_end) {
  std::string_view line(buffer_.data() + begin_, length);
  begin_ += with_end;
  if (++number_ == 1 && line.starts_with("\xef\xbb\xbf")) line.remove_prefix(3);
  return line;
}

bool text_lines::next(std::string_view& line) {
  for (std::size_t searched = 0;;) {
    const char* const first = buffer_.data() + begin_;
    const std::size_t n = end_ - begin_;
    const auto find = [&](char c, std::size_t last) {
      const void* const at = std::memchr(first + searched, c, last - searched);
      return at == nullptr ? last : static_cast<std::size_t>(static_cast<const char*>(at) - first);
    };
    const std::size_t feed = find('\n', n), back = find('\r', feed);
    if (back + 1 < n && back < feed) {
      line = take(back, back + (first[back + 1] == '\n' ? 2 : 1));
      return true;
    }
    if (feed < n) {
      line = take(feed, feed + 1);
      return true;
    }
    // A carriage return at the end of the buffer may have its line feed behind it.
    searched = back;
    if (fill()) continue;
    if (n == 0) return false;
    line = take(back, n);
    return true;
  }
}

}  // namespace broadloom::runtime
