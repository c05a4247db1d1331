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
#include <broadloom/io/new_file.hpp>

namespace broadloom::runtime {

void throw_errno(const char* call, const std::string& file) {
  throw io_error(std::string(call) + ": " + file + ": " + std::strerror(errno));
}

std::string make_temporary_file(const char* call, const std::string& file, int& descriptor) {
  std::string temporary = file + ".XXXXXX";
  descriptor = ::mkostemp(temporary.data(), O_CLOEXEC);
  if (descriptor < 0) throw_errno(call, file);
  return temporary;
}

void finish_temporary_file(const char* call, const std::string& temporary, const std::string& file, int descriptor) {
  struct stat old{};
  mode_t mode = 0;
  if (::stat(file.c_str(), &old) == 0)
    mode = old.st_mode & 07777;
  else {
    const mode_t mask = ::umask(0);
    ::umask(mask);
    mode = 0666 & ~mask;
  }
  if (::fchmod(descriptor, mode) != 0 || ::fsync(descriptor) != 0) throw_errno(call, file);
  if (::rename(temporary.c_str(), file.c_str()) != 0) throw_errno(call, file);
  // The name is durable when its folder is synced. Some file systems do not support this; the file is complete anyway.
  const std::size_t slash = file.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : file.substr(0, slash + 1);
  const int of_folder = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (of_folder >= 0) {
    static_cast<void>(::fsync(of_folder));
    ::close(of_folder);
  }
}

output_file::output_file(const char* call, const char* file)
    : call_(call), name_(file), temporary_(make_temporary_file(call, name_, descriptor_)) {}

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
  finish_temporary_file(call_, temporary_, name_, descriptor_);
  ::close(descriptor_);
  descriptor_ = -1;
}

void output_file::fail() const { throw_errno(call_, name_); }

}  // namespace broadloom::runtime
