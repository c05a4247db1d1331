// Files on Windows.
#if defined(_WIN32)

#if !defined(NOMINMAX)
#define NOMINMAX
#endif
#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#include <fcntl.h>
#include <io.h>

#include <cerrno>
#include <random>

#include "system.hpp"

namespace broadloom::runtime::system {

namespace {

HANDLE handle_of(int descriptor) { return reinterpret_cast<HANDLE>(::_get_osfhandle(descriptor)); }

// The reason of the last call in errno's words, as far as files have it.
int failed() {
  switch (::GetLastError()) {
    case ERROR_FILE_NOT_FOUND:
    case ERROR_PATH_NOT_FOUND:
    case ERROR_INVALID_NAME: errno = ENOENT; break;
    case ERROR_ACCESS_DENIED:
    case ERROR_SHARING_VIOLATION: errno = EACCES; break;
    case ERROR_FILE_EXISTS:
    case ERROR_ALREADY_EXISTS: errno = EEXIST; break;
    case ERROR_DISK_FULL:
    case ERROR_HANDLE_DISK_FULL: errno = ENOSPC; break;
    case ERROR_INVALID_FUNCTION: errno = EISDIR; break;  // of a folder, which opens but has no bytes
    case ERROR_NOT_ENOUGH_MEMORY: errno = ENOMEM; break;
    case ERROR_TOO_MANY_OPEN_FILES: errno = EMFILE; break;
    default: errno = EIO;
  }
  return -1;
}

// A file that others may rename or remove meanwhile, as everywhere else. A folder opens, too, and is refused for what
// it is.
int open(const char* file, DWORD access, DWORD how, int flags) {
  const HANDLE h = ::CreateFileA(file, access, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, nullptr, how,
                                 FILE_ATTRIBUTE_NORMAL | FILE_FLAG_BACKUP_SEMANTICS, nullptr);
  if (h == INVALID_HANDLE_VALUE) return failed();
  const int descriptor = ::_open_osfhandle(reinterpret_cast<intptr_t>(h), flags | _O_BINARY | _O_NOINHERIT);
  if (descriptor < 0) ::CloseHandle(h);
  return descriptor;
}

// At most this many bytes at once.
DWORD part(std::size_t n) { return n < (std::size_t{1} << 30) ? static_cast<DWORD>(n) : DWORD{1} << 30; }

OVERLAPPED at(std::size_t offset) {
  OVERLAPPED r{};
  r.Offset = static_cast<DWORD>(offset & 0xffffffff);
  r.OffsetHigh = static_cast<DWORD>(static_cast<std::uint64_t>(offset) >> 32);
  return r;
}

}  // namespace

int open_to_read(const char* file) { return open(file, GENERIC_READ, OPEN_EXISTING, _O_RDONLY); }
int open_to_change(const char* file) { return open(file, GENERIC_READ | GENERIC_WRITE, OPEN_EXISTING, _O_RDWR); }
void close(int descriptor) { ::_close(descriptor); }

std::int64_t size_of(int descriptor) {
  BY_HANDLE_FILE_INFORMATION about{};
  if (::GetFileType(handle_of(descriptor)) != FILE_TYPE_DISK) return -2;
  if (!::GetFileInformationByHandle(handle_of(descriptor), &about)) return failed();
  if ((about.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0) return -2;
  LARGE_INTEGER size{};
  return ::GetFileSizeEx(handle_of(descriptor), &size) ? size.QuadPart : failed();
}

std::ptrdiff_t read(int descriptor, void* to, std::size_t n) {
  DWORD got = 0;
  if (::ReadFile(handle_of(descriptor), to, part(n), &got, nullptr)) return static_cast<std::ptrdiff_t>(got);
  return ::GetLastError() == ERROR_BROKEN_PIPE ? 0 : failed();  // whoever wrote to the pipe has ended
}
std::ptrdiff_t read_at(int descriptor, void* to, std::size_t n, std::size_t offset) {
  OVERLAPPED where = at(offset);
  DWORD got = 0;
  if (::ReadFile(handle_of(descriptor), to, part(n), &got, &where)) return static_cast<std::ptrdiff_t>(got);
  return ::GetLastError() == ERROR_HANDLE_EOF ? 0 : failed();
}
std::ptrdiff_t write(int descriptor, const void* from, std::size_t n) {
  DWORD done = 0;
  return ::WriteFile(handle_of(descriptor), from, part(n), &done, nullptr) ? static_cast<std::ptrdiff_t>(done)
                                                                           : failed();
}
// Moves the file's offset, unlike POSIX's: it is put back.
std::ptrdiff_t write_at(int descriptor, const void* from, std::size_t n, std::size_t offset) {
  const HANDLE h = handle_of(descriptor);
  LARGE_INTEGER before{};
  if (!::SetFilePointerEx(h, {}, &before, FILE_CURRENT)) return failed();
  OVERLAPPED where = at(offset);
  DWORD done = 0;
  const bool written = ::WriteFile(h, from, part(n), &done, &where);
  const std::ptrdiff_t r = written ? static_cast<std::ptrdiff_t>(done) : failed();
  ::SetFilePointerEx(h, before, nullptr, FILE_BEGIN);
  return r;
}

int make_temporary(std::string& name) {
  static constexpr char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789";
  std::random_device random;
  for (int attempt = 0; attempt < 100; ++attempt) {
    for (std::size_t i = name.size() - 6; i < name.size(); ++i) name[i] = letters[random() % (sizeof letters - 1)];
    const int descriptor = open(name.c_str(), GENERIC_READ | GENERIC_WRITE | DELETE, CREATE_NEW, _O_RDWR);
    if (descriptor >= 0 || errno != EEXIST) return descriptor;
  }
  return -1;
}

int rename_open(int descriptor, const std::string& from, const std::string& to) {
  if (!::FlushFileBuffers(handle_of(descriptor))) return failed();
  return ::MoveFileExA(from.c_str(), to.c_str(), MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH) ? 0 : failed();
}

void remove(const char* file) { ::DeleteFileA(file); }

void* map(int descriptor, std::size_t length, bool writable) {
  const std::uint64_t bytes = length;
  const HANDLE mapping =
      ::CreateFileMappingA(handle_of(descriptor), nullptr, writable ? PAGE_READWRITE : PAGE_READONLY,
                           static_cast<DWORD>(bytes >> 32), static_cast<DWORD>(bytes & 0xffffffff), nullptr);
  if (mapping == nullptr) return failed(), nullptr;
  void* const start = ::MapViewOfFile(mapping, writable ? FILE_MAP_WRITE : FILE_MAP_READ, 0, 0, length);
  if (start == nullptr) failed();
  ::CloseHandle(mapping);  // the view keeps it
  return start;
}
void unmap(void* start, std::size_t) { ::UnmapViewOfFile(start); }

}  // namespace broadloom::runtime::system

#endif
