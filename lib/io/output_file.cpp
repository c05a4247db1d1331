// Files that are written atomically: complete or not at all.
#include "output_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <broadloom/core/error.hpp>

namespace broadloom::runtime {

output_file::output_file(const char* call, const char* file) : call_(call), name_(file), temporary_(name_ + ".XXXXXX") {
  descriptor_ = ::mkostemp(temporary_.data(), O_CLOEXEC);
  if (descriptor_ < 0) fail();
}

output_file::~output_file() {
  if (descriptor_ < 0) return;
  ::close(descriptor_);
  ::unlink(temporary_.c_str());
}

void output_file::write(const void* bytes, std::size_t n) {
  const char* const from = static_cast<const char*>(bytes);
  for (std::size_t done = 0; done < n;) {
    const ssize_t written = ::write(descriptor_, from + done, n - done);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail();
    done += static_cast<std::size_t>(written);
  }
}

void output_file::write_at(const void* bytes, std::size_t n, std::size_t offset) {
  const char* const from = static_cast<const char*>(bytes);
  for (std::size_t done = 0; done < n;) {
    const ssize_t written = ::pwrite(descriptor_, from + done, n - done, static_cast<off_t>(offset + done));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail();
    done += static_cast<std::size_t>(written);
  }
}

void output_file::finish() {
  // The file gets the permissions of the file it replaces, or those of any new file.
  struct stat old{};
  mode_t mode = 0;
  if (::stat(name_.c_str(), &old) == 0)
    mode = old.st_mode & 07777;
  else {
    const mode_t mask = ::umask(0);
    ::umask(mask);
    mode = 0666 & ~mask;
  }
  if (::fchmod(descriptor_, mode) != 0 || ::fsync(descriptor_) != 0) fail();
  if (::rename(temporary_.c_str(), name_.c_str()) != 0) fail();
  ::close(descriptor_);
  descriptor_ = -1;
  // The name is durable when its folder is synced. Some file systems do not support this; the file is complete anyway.
  const std::size_t slash = name_.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : name_.substr(0, slash + 1);
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor >= 0) {
    static_cast<void>(::fsync(descriptor));
    ::close(descriptor);
  }
}

void output_file::fail() const { throw io_error(std::string(call_) + ": " + name_ + ": " + std::strerror(errno)); }

}  // namespace broadloom::runtime
