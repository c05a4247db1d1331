// Opens and reads files; errors have the reason in words.
#include "input_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "npy_format.hpp"

namespace broadloom::runtime {

input_file::input_file(const char* call, const char* file)
    : call_(call), name_(file), descriptor_(::open(file, O_RDONLY | O_CLOEXEC)) {
  if (descriptor_ < 0) fail_io_by_errno(call, file);
}

input_file::input_file(input_file&& o) noexcept
    : call_(o.call_), name_(static_cast<std::string&&>(o.name_)), descriptor_(o.release()) {}

input_file::~input_file() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

int input_file::release() {
  const int descriptor = descriptor_;
  descriptor_ = -1;
  return descriptor;
}

std::size_t input_file::size() const {
  struct stat status{};
  if (::fstat(descriptor_, &status) != 0) fail_io_by_errno(call_, name_.c_str());
  if (!S_ISREG(status.st_mode)) fail_io(call_, name_.c_str(), "is no regular file");
  return static_cast<std::size_t>(status.st_size);
}

std::size_t input_file::read_at(void* to, std::size_t n, std::size_t offset) const {
  std::size_t done = 0;
  while (done < n) {
    const ssize_t got =
        ::pread(descriptor_, static_cast<char*>(to) + done, n - done, static_cast<off_t>(offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail_io_by_errno(call_, name_.c_str());
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  return done;
}

std::size_t input_file::read_next(void* to, std::size_t n) const {
  for (;;) {
    const ssize_t got = ::read(descriptor_, to, n);
    if (got >= 0) return static_cast<std::size_t>(got);
    if (errno != EINTR) fail_io_by_errno(call_, name_.c_str());
  }
}

}  // namespace broadloom::runtime
