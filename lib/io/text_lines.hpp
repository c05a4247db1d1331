// The lines of a text, one after the other, without holding it in memory.
#pragma once

#include <string_view>
#include <vector>

#include <broadloom/core/index.hpp>

#include "byte_source.hpp"

namespace broadloom::runtime {

// Throws io_error as byte_source.
class text_lines {
 public:
  explicit text_lines(std::unique_ptr<byte_source> from)
      : from_(static_cast<std::unique_ptr<byte_source>&&>(from)), buffer_(std::size_t{1} << 13) {}

  // The next line without its LF, CR LF or CR, valid until the next call; false at the end of the text. A byte order
  // mark of UTF-8 is no part of the first line.
  bool next(std::string_view& line);
  // The number of the line that next() returned last, from 1.
  index number() const { return number_; }

 private:
  bool fill();
  std::string_view take(std::size_t length, std::size_t with_end);

  std::unique_ptr<byte_source> from_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0, end_ = 0;
  bool at_end_ = false;
  index number_ = 0;
};

}  // namespace broadloom::runtime
