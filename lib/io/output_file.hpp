// A file that is complete or not there: it is written beside its name and gets the name when it is on the disk.
#pragma once

#include <cstddef>
#include <string>

namespace broadloom::runtime {

// Every call throws io_error that names the caller, the file and the reason; what was written is then removed.
class output_file {
 public:
  output_file(const char* call, const char* file);
  ~output_file();
  output_file(const output_file&) = delete;
  output_file& operator=(const output_file&) = delete;

  void write(const void* bytes, std::size_t n);
  // Writes at a place of the file, and does not move where `write` goes on.
  void write_at(const void* bytes, std::size_t n, std::size_t offset);
  // Onto the disk, and then under the name.
  void finish();

 private:
  [[noreturn]] void fail() const;

  const char* call_;
  std::string name_, temporary_;
  int descriptor_ = -1;
};

}  // namespace broadloom::runtime
