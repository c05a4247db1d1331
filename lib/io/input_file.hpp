// A file that is open for reading.
#pragma once

#include <cstddef>
#include <string>

namespace broadloom::runtime {

// Every call throws io_error that names the caller, the file and the reason.
class input_file {
 public:
  input_file(const char* call, const char* file);
  ~input_file();
  input_file(input_file&& o) noexcept;
  input_file& operator=(input_file&&) = delete;

  const std::string& name() const { return name_; }
  // The bytes of a regular file; any other file is refused.
  std::size_t size() const;
  // How many bytes there were, up to n: fewer at the end of the file only.
  std::size_t read_at(void* to, std::size_t n, std::size_t offset) const;
  // The next bytes of any file, a pipe too; 0 at its end only.
  std::size_t read_next(void* to, std::size_t n) const;
  // The descriptor, which the caller closes.
  int release();

 private:
  const char* call_;
  std::string name_;
  int descriptor_;
};

}  // namespace broadloom::runtime
