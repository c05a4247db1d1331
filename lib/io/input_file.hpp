// A file that is open for reading.
#pragma once

#include <cstddef>
#include <string>

namespace broadloom::runtime {

// Every call throws io_error, which names the caller, the file and the reason.
class input_file {
 public:
  input_file(const char* call, const char* file);
  ~input_file();
  input_file(input_file&& o) noexcept;
  input_file& operator=(input_file&&) = delete;

  const std::string& name() const { return name_; }
  // The size of a regular file; any other file is refused.
  std::size_t size() const;
  // The number of bytes read, up to n: fewer only at the end of the file.
  std::size_t read_at(void* to, std::size_t n, std::size_t offset) const;
  // The next bytes of any file, a pipe too; 0 only at its end.
  std::size_t read_next(void* to, std::size_t n) const;
  // The descriptor, which the caller closes.
  int release();

 private:
  const char* call_;
  std::string name_;
  int descriptor_;
};

}  // namespace broadloom::runtime
