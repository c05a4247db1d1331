// Files by POSIX.
#if !defined(_WIN32)

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>

#include "system.hpp"

namespace broadloom::runtime::system {

int open_to_read(const char* file) { return ::open(file, O_RDONLY | O_CLOEXEC); }
int open_to_change(const char* file) { return ::open(file, O_RDWR | O_CLOEXEC); }
void close(int descriptor) { ::close(descriptor); }

std::int64_t size_of(int descriptor) {
  struct stat status{};
  if (::fstat(descriptor, &status) != 0) return -1;
  return S_ISREG(status.st_mode) ? static_cast<std::int64_t>(status.st_size) : -2;
}

std::ptrdiff_t read(int descriptor, void* to, std::size_t n) { return ::read(descriptor, to, n); }
std::ptrdiff_t read_at(int descriptor, void* to, std::size_t n, std::size_t offset) {
  return ::pread(descriptor, to, n, static_cast<off_t>(offset));
}
std::ptrdiff_t write(int descriptor, const void* from, std::size_t n) { return ::write(descriptor, from, n); }
std::ptrdiff_t write_at(int descriptor, const void* from, std::size_t n, std::size_t offset) {
  return ::pwrite(descriptor, from, n, static_cast<off_t>(offset));
}

int make_temporary(std::string& name) { return ::mkostemp(name.data(), O_CLOEXEC); }

int rename_open(int descriptor, const std::string& from, const std::string& to) {
  struct stat old{};
  mode_t mode = 0;
  if (::stat(to.c_str(), &old) == 0)
    mode = old.st_mode & 07777;
  else {
    const mode_t mask = ::umask(0);
    ::umask(mask);
    mode = 0666 & ~mask;
  }
  if (::fchmod(descriptor, mode) != 0 || ::fsync(descriptor) != 0) return -1;
  if (::rename(from.c_str(), to.c_str()) != 0) return -1;
  // The name is durable when its folder is synced. Some file systems do not support this; the file is complete anyway.
  const std::size_t slash = to.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : to.substr(0, slash + 1);
  const int of_folder = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (of_folder >= 0) {
    static_cast<void>(::fsync(of_folder));
    ::close(of_folder);
  }
  return 0;
}

void remove(const char* file) { ::unlink(file); }

void* map(int descriptor, std::size_t length, bool writable) {
  void* const start = ::mmap(nullptr, length, writable ? PROT_READ | PROT_WRITE : PROT_READ, MAP_SHARED, descriptor, 0);
  return start == MAP_FAILED ? nullptr : start;
}
void unmap(void* start, std::size_t length) { ::munmap(start, length); }

}  // namespace broadloom::runtime::system

#endif
