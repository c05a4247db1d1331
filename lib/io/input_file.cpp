// Opens and reads files; errors have the reason in words.
#include "input_file.hpp"

#include <cerrno>

#include "npy_format.hpp"
#include "system.hpp"

namespace broadloom::runtime {

input_file::input_file(const char* call, const char* file)
    : call_(call), name_(file), descriptor_(system::open_to_read(file)) {
  if (descriptor_ < 0) fail_io_by_errno(call, file);
}

input_file::input_file(input_file&& o) noexcept
    : call_(o.call_), name_(static_cast<std::string&&>(o.name_)), descriptor_(o.release()) {}

input_file::~input_file() {
  if (descriptor_ >= 0) system::close(descriptor_);
}

int input_file::release() {
  const int descriptor = descriptor_;
  descriptor_ = -1;
  return descriptor;
}

std::size_t input_file::size() const {
  const std::int64_t bytes = system::size_of(descriptor_);
  if (bytes == -1) fail_io_by_errno(call_, name_.c_str());
  if (bytes < 0) fail_io(call_, name_.c_str(), "is no regular file");
  return static_cast<std::size_t>(bytes);
}

std::size_t input_file::read_at(void* to, std::size_t n, std::size_t offset) const {
  std::size_t done = 0;
  while (done < n) {
    const std::ptrdiff_t got = system::read_at(descriptor_, static_cast<char*>(to) + done, n - done, offset + done);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail_io_by_errno(call_, name_.c_str());
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  return done;
}

std::size_t input_file::read_next(void* to, std::size_t n) const {
  for (;;) {
    const std::ptrdiff_t got = system::read(descriptor_, to, n);
    if (got >= 0) return static_cast<std::size_t>(got);
    if (errno != EINTR) fail_io_by_errno(call_, name_.c_str());
  }
}

}  // namespace broadloom::runtime
