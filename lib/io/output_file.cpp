// Files that are written atomically: complete or not at all.
#include "output_file.hpp"

#include <cerrno>
#include <cstring>

#include <broadloom/core/error.hpp>
#include <broadloom/io/new_file.hpp>

#include "system.hpp"

namespace broadloom::runtime {

void throw_errno(const char* call, const std::string& file) {
  throw io_error(std::string(call) + ": " + file + ": " + std::strerror(errno));
}

std::string make_temporary_file(const char* call, const std::string& file, int& descriptor) {
  std::string temporary = file + ".XXXXXX";
  descriptor = system::make_temporary(temporary);
  if (descriptor < 0) throw_errno(call, file);
  return temporary;
}

void finish_temporary_file(const char* call, const std::string& temporary, const std::string& file, int descriptor) {
  if (system::rename_open(descriptor, temporary, file) != 0) throw_errno(call, file);
}

output_file::output_file(const char* call, const char* file)
    : call_(call), name_(file), temporary_(make_temporary_file(call, name_, descriptor_)) {}

output_file::~output_file() {
  if (descriptor_ < 0) return;
  system::close(descriptor_);
  system::remove(temporary_.c_str());
}

void output_file::write(const void* bytes, std::size_t n) {
  const char* const from = static_cast<const char*>(bytes);
  for (std::size_t done = 0; done < n;) {
    const std::ptrdiff_t written = system::write(descriptor_, from + done, n - done);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail();
    done += static_cast<std::size_t>(written);
  }
}

void output_file::write_at(const void* bytes, std::size_t n, std::size_t offset) {
  const char* const from = static_cast<const char*>(bytes);
  for (std::size_t done = 0; done < n;) {
    const std::ptrdiff_t written = system::write_at(descriptor_, from + done, n - done, offset + done);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail();
    done += static_cast<std::size_t>(written);
  }
}

void output_file::finish() {
  finish_temporary_file(call_, temporary_, name_, descriptor_);
  system::close(descriptor_);
  descriptor_ = -1;
}

void output_file::fail() const { throw_errno(call_, name_); }

}  // namespace broadloom::runtime
