// A file that appears complete or not at all: it is written under a temporary name and renamed when it is on the disk.
#pragma once

#include <cstddef>
#include <string>

namespace broadloom::runtime {

// Every call throws io_error, which names the caller, the file and the reason, and removes what was written.
class output_file {
 public:
  output_file(const char* call, const char* file);
  ~output_file();
  output_file(const output_file&) = delete;
  output_file& operator=(const output_file&) = delete;

  void write(const void* bytes, std::size_t n);
  // Writes at an offset of the file. The offset of `write` does not change.
  void write_at(const void* bytes, std::size_t n, std::size_t offset);
  // Syncs the file to the disk, then renames it.
  void finish();

 private:
  [[noreturn]] void fail() const;

  const char* call_;
  std::string name_;
  int descriptor_ = -1;
  std::string temporary_;
};

}  // namespace broadloom::runtime
