// The lines of a text file, one after the other, without holding the file in memory.
#pragma once

#include <string_view>
#include <vector>

#include <broadloom/core/index.hpp>

#include "input_file.hpp"

namespace broadloom::runtime {

// Throws io_error as input_file.
class text_lines {
 public:
  text_lines(const char* call, const char* file) : from_(call, file), buffer_(std::size_t{1} << 13) {}

  // The next line without its LF or CR LF, valid until the next call; false at the end of the file. A byte order mark
  // of UTF-8 is no part of the first line.
  bool next(std::string_view& line);
  // The number of the line that next() returned last, from 1.
  index number() const { return number_; }

 private:
  bool fill();

  input_file from_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0, end_ = 0;
  bool at_end_ = false;
  index number_ = 0;
};

}  // namespace broadloom::runtime
